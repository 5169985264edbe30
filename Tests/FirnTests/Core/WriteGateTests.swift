import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnEngine

private class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

private func makeConfiguration() -> Realm.Configuration {
  Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Item.self])
}

private func begin(_ realm: Realm) { realm.beginWrite() }

private func commit(_ realm: Realm) throws { try realm.commitWrite() }

private struct LogFailure: Error {}

/// Refuses every commit.
private final class FailingLog: CommitLog {
  func append(_ commit: LoggedCommit) throws -> CommitLogAnswer { throw LogFailure() }
}

private func trap(_ result: ExitTest.Result?, says parts: String...) -> Bool {
  let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  for part in parts where !said.contains(part) {
    print("«\(part)» is missing in: \(said)")
    return false
  }
  return true
}

/// Who has the writer's role, for how long, and what follows.
@Suite struct WriteGateTests {
  // MARK: A write inside a write

  @Test func writingInsideTheBlockOfAnAsyncWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = makeConfiguration()
      try await Task.detached {
        let realm = try Realm(configuration: configuration, queue: nil)
        try await realm.asyncWrite { try Realm(configuration: configuration).write {} }
      }.value
    }
    #expect(
      trap(result, says: "Realm.write at", "inside the write transaction of Realm.asyncWrite at", "WriteGateTests"))
  }

  @Test func writingInsideAWriteBlockOfTheStoreTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(makeConfiguration())
      try await store.write { realm in try Realm(configuration: realm.configuration).write {} }
    }
    #expect(
      trap(result, says: "Realm.write at", "inside the write transaction of RealmStore.write at", "WriteGateTests"))
  }

  @Test func writingBesideAnOpenTransactionOfTheSameTaskTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = makeConfiguration()
      try await Task.detached {
        let realm = try Realm(configuration: configuration)
        begin(realm)
        try Realm(configuration: configuration).write {}
      }.value
    }
    #expect(trap(result, says: "Realm.write at", "inside the write transaction of Realm.beginWrite at"))
  }

  /// The task would be suspended until it has ended its own transaction.
  @Test(arguments: [false, true])
  func suspendingForAnOpenTransactionOfTheSameTaskTraps(inRealm: Bool) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [inRealm] in
      let store = try await RealmStore.open(makeConfiguration())
      try await Task.detached {
        let realm = try Realm(configuration: store.configuration, queue: nil)
        begin(realm)
        if inRealm { try await realm.asyncWrite {} } else { try await store.write { _ in } }
      }.value
    }
    #expect(
      trap(
        result, says: inRealm ? "Realm.asyncWrite at" : "RealmStore.write at",
        "inside the write transaction of Realm.beginWrite at"))
  }

  private actor Owner {
    private var realm: Realm?

    func open(_ configuration: Realm.Configuration) async throws {
      let realm = try await Realm(configuration: configuration, actor: self)
      begin(realm)
      self.realm = realm
    }

    func writeElsewhere(_ configuration: Realm.Configuration) throws {
      try Realm(configuration: configuration).write {}
    }

    func add(_ id: Int) { realm?.add(Item(value: ["id": id])) }

    func close() throws { if let realm { try commit(realm) } }
  }

  /// Only code of the actor could end the transaction, and the thread that waits is the actor's.
  @Test func writingBesideAnOpenTransactionOfTheSameActorTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = makeConfiguration()
      let owner = Owner()
      try await Task.detached { try await owner.open(configuration) }.value
      try await Task.detached { try await owner.writeElsewhere(configuration) }.value
    }
    #expect(trap(result, says: "Realm.write at", "inside the write transaction of Realm.beginWrite at"))
  }

  /// The task that opened the transaction has ended, and another may have its address.
  @Test func anOpenTransactionOfAnActorIsNotOneOfItsTask() async throws {
    let configuration = makeConfiguration()
    let store = try await RealmStore.open(configuration)
    let owner = Owner()
    let home = try await Task.detached {
      try await owner.open(configuration)
      return Confinement.taskHome
    }.value
    #expect(home != nil)
    let site = CallSite(function: "test", file: #fileID, line: #line)
    // Traps if it is.
    store.store.graph.gate.checkCanWait(site, in: home.map { [$0] } ?? [])
    try await owner.close()
  }

  /// Whatever the threads that the actor runs on.
  @Test func anActorGoesOnWithItsTransaction() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    let owner = Owner()
    try await owner.open(store.configuration)
    let count = 50
    for id in 0..<count {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          Task {
            await owner.add(id)
            continuation.resume()
          }
        }
      }
    }
    try await owner.close()
    #expect(store.freeze().objects(Item.self).map(\.id) == Array(0..<count))
  }

  /// Two places on one thread are no conflict once the first has left.
  @Test func writingAfterABlockEndedItsTransaction() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    try await store.write { realm in
      realm.add(Item(value: ["id": 1]))
      try realm.commitWrite()
      try Realm(configuration: realm.configuration).write {}
      realm.beginWrite()
      realm.add(Item(value: ["id": 2]))
    }
    try await store.write { realm in
      realm.add(Item(value: ["id": 3]))
      realm.cancelWrite()
    }
    let realm = try Realm(configuration: store.configuration, queue: nil)
    try await realm.asyncWrite {
      realm.add(Item(value: ["id": 4]))
      try realm.commitWrite()
      try Realm(configuration: store.configuration).write {}
    }
    #expect(store.freeze().objects(Item.self).map(\.id) == [1, 2, 4])
    #expect(store.store.graph.gate.tryEnter())
    store.store.graph.gate.leave()
  }

  // MARK: Open transactions

  @Test func anOpenTransactionKeepsItsRealm() throws {
    let configuration = makeConfiguration()
    let (wasOpen, count) = try onOwnThread {
      let keeper = try Realm(configuration: configuration).freeze()
      try Realm(configuration: configuration).beginWrite()
      let realm = try Realm(configuration: configuration)
      let wasOpen = realm.isInWriteTransaction
      if wasOpen {
        realm.add(Item())
        try Realm(configuration: configuration).commitWrite()
      }
      return (wasOpen, keeper.thaw().objects(Item.self).count)
    }
    #expect(wasOpen && count == 1)
    let queue = DispatchQueue(label: "gate")
    let gate = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      return realm.instance.store.graph.gate
    }
    #expect(!gate.tryEnter())
    try queue.sync { try Realm(configuration: configuration, queue: queue).commitWrite() }
    #expect(gate.tryEnter())
  }

  @Test func aTransactionEndsWithItsThread() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    JoinedThread.run {
      let realm = try! Realm(configuration: store.configuration)
      realm.beginWrite()
      realm.add(Item())
    }
    #expect(store.freeze().realm.isEmpty)
    try await store.write { $0.add(Item()) }
    #expect(store.freeze().objects(Item.self).count == 1)
    #expect(store.statistics.openRealmCount == 0)
  }

  /// Whoever else has the realm cannot end its transaction.
  @Test func aTransactionEndsWithItsThreadThoughOthersHaveTheRealm() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    nonisolated(unsafe) var kept: Realm?
    JoinedThread.run {
      let realm = try! Realm(configuration: store.configuration)
      realm.beginWrite()
      realm.add(Item())
      kept = realm
    }
    #expect(store.store.graph.gate.tryEnter())
    store.store.graph.gate.leave()
    #expect(kept?.isInWriteTransaction == false && kept?.isEmpty == true)
  }

  @Test func aTransactionEndsWithARealmThatNobodyCanAskForAgain() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    try await Task.detached { begin(try Realm(configuration: store.configuration)) }.value
    try await store.write { $0.add(Item()) }
    #expect(store.freeze().objects(Item.self).count == 1)
  }

  @Test func aFailedCommitLeavesTheRole() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    let graph = store.store.graph
    graph.enterGateBlocking()
    graph.setLog(FailingLog())
    graph.gate.leave()
    let realm = try Realm(configuration: store.configuration, queue: nil)
    #expect(throws: LogFailure.self) { try realm.write { realm.add(Item()) } }
    #expect(graph.gate.tryEnter())
    graph.gate.leave()
    await #expect(throws: LogFailure.self) { try await realm.asyncWrite { realm.add(Item()) } }
    #expect(graph.gate.tryEnter())
    graph.gate.leave()
    await #expect(throws: LogFailure.self) { try await store.write { realm in realm.add(Item()) } }
    #expect(graph.gate.tryEnter())
    graph.gate.leave()
    #expect(realm.isEmpty && !realm.isInWriteTransaction && realm.instance.asyncOperationCount == 0)
  }

  @Test func aLateWriteDoesNotEvenEnterAFreeGate() async throws {
    let store = try await RealmStore.open(makeConfiguration())
    await #expect(throws: Realm.Error(.deadlineExceeded)) {
      try await store.write(deadline: .now - .milliseconds(1)) { $0.add(Item()) }
    }
    #expect(store.freeze().realm.isEmpty)
  }

  /// Dispatch counts 64 bits of nanoseconds, and a duration's components 64 bits of seconds.
  @Test func deadlinesFarAwayAreNone() async throws {
    let now = ContinuousClock.now
    let age = Duration.seconds(Int64.max)
    for deadline in [now + .seconds(1_000_000_000), now + age, now + age + age, now + age * 10] {
      #expect(GateDeadlines.interval(until: deadline, from: now) == 1e9)
    }
    #expect(GateDeadlines.interval(until: now - age, from: now) == 0)
    #expect(GateDeadlines.interval(until: now + .milliseconds(1_500), from: now) == 1.5)
    let store = try await RealmStore.open(makeConfiguration())
    store.store.graph.enterGateBlocking()
    let write = Task { try await store.write(deadline: now + age * 10) { $0.add(Item()) } }
    while store.store.deadlines.count == 0 { await Task.yield() }
    store.store.graph.gate.leave()
    _ = try await write.value
    #expect(store.freeze().objects(Item.self).count == 1 && store.store.deadlines.count == 0)
  }

  // MARK: Threads

  @Test func writingOnAForeignThreadSaysSoWhileTheHomeThreadIsIdle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = try Realm(configuration: makeConfiguration())
        let item = Unchecked(try realm.write { realm.create(Item.self, value: ["id": 1]) })
        try onOwnThread { item.value.name = "x" }
      }
    }
    #expect(trap(result, says: "incorrect thread"))
  }

  @Test func aWakeUpThatNobodyServesDoesNotKeepTheStore() async throws {
    let opened = DispatchSemaphore(value: 0)
    let committed = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let configuration = makeConfiguration()
    let thread = JoinedThread {
      do {
        let realm = try! Realm(configuration: configuration)
        opened.signal()
        committed.wait()
        withExtendedLifetime(realm) {}
      }
      released.signal()
      // Its run loop is there, and never runs.
      mayEnd.wait()
    }
    try onOwnThread { opened.wait() }
    let store = try Self.commitOnce(configuration)
    committed.signal()
    try onOwnThread { released.wait() }
    let isGone = store.value == nil
    mayEnd.signal()
    try onOwnThread { thread.join() }
    #expect(isGone)
  }

  private struct WeakStore { weak var value: Store? }

  private static func commitOnce(_ configuration: Realm.Configuration) throws -> WeakStore {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Item()) }
      return Unchecked(WeakStore(value: realm.instance.store))
    }.value
  }
}

@Suite struct DeadlineHeapTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithASortedList(seed: UInt64) {
    var random = SeededRandom(seed)
    var heap = DeadlineHeap<Int>()
    let start = ContinuousClock.now
    var model: [(time: Int, number: Int, ticket: DeadlineHeap<Int>.Ticket)] = []
    for number in 0..<2000 {
      if random.chance(55) {
        let time = random.below(300)
        model.append((time, number, heap.insert(number, start + .seconds(time))))
      } else if random.chance(60), !model.isEmpty {
        let gone = model.remove(at: random.below(model.count))
        #expect(heap.remove(gone.ticket) == gone.number, "seed \(seed)")
        #expect(heap.remove(gone.ticket) == nil, "seed \(seed)")
      } else {
        let time = random.below(300)
        var due: Set<Int> = []
        while let number = heap.removeDue(at: start + .seconds(time)) { due.insert(number) }
        #expect(due == Set(model.filter { $0.time <= time }.map(\.number)), "seed \(seed)")
        model.removeAll { $0.time <= time }
      }
      #expect(heap.count == model.count && heap.earliest == model.map { start + .seconds($0.time) }.min())
    }
  }
}
