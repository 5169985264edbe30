import Foundation
import TestSupport
import Testing

@testable import Firn
@testable import FirnEngine

private class Counter: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Int
}

private func makeStore() async throws -> RealmStore {
  let store = try await RealmStore.open(
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Counter.self]))
  try await store.write { $0.add(Counter()) }
  return store
}

private func count(_ realm: Realm) { realm.object(ofType: Counter.self, forPrimaryKey: 0)!.value += 1 }

extension RealmStore {
  fileprivate var value: Int { freeze().object(ofType: Counter.self, forPrimaryKey: 0)!.value }
}

private actor Teller {
  var realm: Realm?
  private(set) var place: ObjectIdentifier?

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  func pay() async throws {
    let realm = realm!
    try await realm.asyncWrite {
      preconditionIsolated()
      count(realm)
    }
  }

  func paySynchronously() throws {
    let realm = realm!
    try realm.write { count(realm) }
  }

  func thaws(_ frozen: Realm, _ object: Frozen<Counter>) -> Bool {
    let thawed = object.thaw()
    return frozen.thaw() == realm && thawed?.realm == realm && frozen.objects(Counter.self).thaw()?.realm == realm
  }
}

@MainActor
private func writeOnMainActor(_ store: RealmStore, _ done: Guarded<Int>) async throws {
  let realm = try await Realm(configuration: store.configuration, actor: MainActor.shared)
  for turn in 0..<100 {
    if turn % 2 == 0 { try await realm.asyncWrite { count(realm) } } else { try realm.write { count(realm) } }
    done.withLock { $0 += 1 }
  }
}

enum GateTask {
  @TaskLocal static var number = 0
}

/// More writers of every kind than there are threads for tasks.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyGateTests {
  @Test func tasksThatSuspendBesideTasksThatBlock() async throws {
    let store = try await makeStore()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<200 { try await store.write { count($0) } } } }
      for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
        group.addTask {
          let realm = try Realm(configuration: store.configuration)
          for _ in 0..<200 { try realm.write { count(realm) } }
        }
      }
      try await group.waitForAll()
    }
    #expect(store.value == 1600 + 400 * ProcessInfo.processInfo.activeProcessorCount)
  }

  @Test func anActorWritesWhileItsOwnWriteWaits() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    let teller = Teller()
    try await teller.open(store.configuration)
    #expect(gate.tryEnter())
    async let later: Void = teller.pay()
    while gate.waiterCount < 1 { await Task.yield() }
    async let now: Void = teller.paySynchronously()
    while gate.waiterCount < 2 { await Task.yield() }
    gate.leave()
    try await now
    try await later
    #expect(store.value == 2)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func allKindsOfWritersTogether(seed: UInt64) async throws {
    let store = try await makeStore()
    let done = Guarded(0)
    let threads = (0..<3).map { _ in
      JoinedThread {
        let realm = try! Realm(configuration: store.configuration)
        for _ in 0..<100 {
          try! realm.write { count(realm) }
          done.withLock { $0 += 1 }
        }
      }
    }
    let tellers = [Teller(), Teller()]
    for teller in tellers { try await teller.open(store.configuration) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          var random = SeededRandom(seed &* 100 &+ UInt64(number))
          for _ in 0..<100 {
            // Cancelled and late at any time, also never.
            let deadline: ContinuousClock.Instant? = random.next() % 3 == 0 ? .now + .microseconds(80) : nil
            let number = Int(random.next() % 1000) + 1
            let task = GateTask.$number.withValue(number) {
              Task {
                try await store.write(deadline: deadline) { realm in
                  #expect(GateTask.number == number, "seed \(seed)")
                  count(realm)
                  done.withLock { $0 += 1 }
                }
              }
            }
            if random.next() % 4 == 0 { task.cancel() }
            do {
              try await task.value
            } catch is CancellationError {
            } catch let error as Realm.Error where error.code == .deadlineExceeded {}
          }
        }
      }
      for (number, teller) in tellers.enumerated() {
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<50 {
              let task = Task { try await teller.pay() }
              if number == 1 { task.cancel() }
              do {
                try await task.value
                done.withLock { $0 += 1 }
              } catch is CancellationError {}
            }
          }
        }
        group.addTask {
          for _ in 0..<50 {
            try await teller.paySynchronously()
            done.withLock { $0 += 1 }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          let realm = try Realm(configuration: store.configuration)
          for _ in 0..<100 {
            try realm.write { count(realm) }
            done.withLock { $0 += 1 }
          }
        }
        group.addTask {
          let realm = try Realm(configuration: store.configuration, queue: nil)
          for _ in 0..<50 {
            try await realm.asyncWrite { count(realm) }
            done.withLock { $0 += 1 }
          }
        }
      }
      group.addTask { try await writeOnMainActor(store, done) }
      try await group.waitForAll()
    }
    for thread in threads { thread.join() }
    #expect(store.value == done.withLock { $0 }, "seed \(seed)")
    #expect(store.store.deadlines.count == 0)
    let gate = store.store.graph.gate
    #expect(gate.waiterCount == 0 && gate.tryEnter())
    gate.leave()
    store.store.graph.checkInvariants()
  }

  /// A task that leaves runs those that wait on its own thread, in their own context.
  @Test func waitingTasksRunInOrderWithTheirTaskLocalValues() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    #expect(gate.tryEnter())
    let order = Guarded<[Int]>([])
    // More than one thread runs for others.
    let count = 40
    var tasks: [Task<Int, any Error>] = []
    for number in 1...count {
      tasks.append(
        GateTask.$number.withValue(number) {
          Task {
            let task = withUnsafeCurrentTask { $0?.hashValue }
            try await store.write { _ in
              #expect(withUnsafeCurrentTask { $0?.hashValue } == task)
              order.withLock { $0.append(GateTask.number) }
            }
            return GateTask.number
          }
        })
      while gate.waiterCount < number { await Task.yield() }
    }
    gate.leave()
    for (index, task) in tasks.enumerated() { #expect(try await task.value == index + 1) }
    #expect(order.withLock { $0 } == Array(1...count))
  }

  @Test func aTaskThatIsCancelledWhenItIsItsTurnWritesNothing() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    for _ in 0..<50 {
      #expect(gate.tryEnter())
      let first = Task { try await store.write { count($0) } }
      while gate.waiterCount < 1 { await Task.yield() }
      let second = Task { try await store.write { count($0) } }
      while gate.waiterCount < 2 { await Task.yield() }
      let before = store.value
      // It is called, and cancelled before or while it runs; whichever comes first, the second one gets its turn.
      gate.leave()
      first.cancel()
      let didWrite: Bool
      do {
        try await first.value
        didWrite = true
      } catch is CancellationError { didWrite = false }
      try await second.value
      #expect(store.value == before + (didWrite ? 2 : 1))
    }
  }

  /// It was called, somebody passed it, and now it sleeps or has not run yet: either way it can be cancelled.
  @Test func aTaskThatWasPassedCanBeCancelled() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    var passedCount = 0
    while passedCount < 20 {
      #expect(gate.tryEnter())
      let task = Task { try await store.write { count($0) } }
      while gate.waiterCount < 1 { await Task.yield() }
      gate.leave()
      let didPass = gate.tryEnter()
      if didPass {
        passedCount += 1
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.leave()
      } else {
        try await task.value
      }
    }
    #expect(gate.waiterCount == 0)
  }

  /// Only a writer that leaves runs a task on its own thread: who cancels a task, and the timer of the deadlines, have
  /// other things to do.
  @Test(arguments: [false, true]) func aTaskThatWaitsInVainGoesOnElsewhere(isLate: Bool) async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    #expect(gate.tryEnter())
    defer { gate.leave() }
    // Some may not have suspended yet when they are told.
    for _ in 0..<20 {
      let entry = GateEntry(store.store, CallSite(function: "test", file: #fileID, line: #line), nil)
      let place = Guarded<pthread_t?>(nil)
      let task = Task {
        try await withTaskExecutorPreference(entry) {
          #expect(!entry.enter(isMovable: true))
          defer { place.withLock { $0 = pthread_self() } }
          try await entry.suspend()
        }
      }
      while gate.waiterCount < 1 { await Task.yield() }
      for _ in 0..<10 { await Task.yield() }
      let other = Guarded<pthread_t?>(nil)
      let thread = JoinedThread {
        other.withLock { $0 = pthread_self() }
        if isLate { entry.expire() } else { entry.cancel() }
      }
      let error = await #expect(throws: (any Error).self) { try await task.value }
      // The number of a thread is not given to another one before it is joined.
      thread.join()
      #expect(place.withLock { $0 } != other.withLock { $0 })
      #expect(isLate ? (error as? Realm.Error)?.code == .deadlineExceeded : error is CancellationError)
      #expect(gate.waiterCount == 0)
    }
  }

  @Test func whatWaitsBehindClosingIsRefused() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    #expect(gate.tryEnter())
    let closing = Task.detached { try await store.close() }
    while store.isOpen || gate.waiterCount < 1 { await Task.yield() }
    // As one that found the store open and came to the gate after the one who closes.
    let late = Task.detached {
      try await store.store.enterGate(CallSite(function: "late", file: #fileID, line: #line)) { _ in
        defer { gate.leave() }
        return store.store.acceptsQueuedWrites
      }
    }
    while gate.waiterCount < 2 { await Task.yield() }
    gate.leave()
    #expect(try await late.value == false)
    try await closing.value
  }

  @Test func deadlinesThatWereMetKeepNothing() async throws {
    let store = try await Self.storeAfterContention()
    // The last tasks may be on their way out.
    while store.value != nil { await Task.yield() }
  }

  private struct WeakStore { weak var value: Store? }

  /// Writes with far deadlines that waited, and some that gave up.
  private static func storeAfterContention() async throws -> WeakStore {
    let store = try await makeStore()
    let deadlines = store.store.deadlines
    let gate = store.store.graph.gate
    for _ in 0..<20 {
      #expect(gate.tryEnter())
      let tasks = (0..<5).map { _ in
        Task.detached { try await store.write(deadline: .now + .seconds(600)) { count($0) } }
      }
      while deadlines.count < 5 { await Task.yield() }
      tasks[4].cancel()
      gate.leave()
      for task in tasks { _ = await task.result }
      #expect(deadlines.count == 0)
    }
    #expect(store.value == 80)
    return WeakStore(value: store.store)
  }

  @Test func anActorThawsIntoItsOwnRealm() async throws {
    let store = try await makeStore()
    let teller = Teller()
    try await teller.open(store.configuration)
    let frozen = Unchecked(store.freeze().realm)
    let object = try Frozen(frozen.value.object(ofType: Counter.self, forPrimaryKey: 0)!)
    #expect(await teller.thaws(frozen.value, object))
    // Elsewhere it belongs to the task.
    #expect(frozen.value.thaw() != frozen.value.thaw())
  }
}
