import Foundation
import Testing

@testable import Firn
@testable import FirnEngine

private class Account: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var balance: Int
  @Persisted var owner: Holder?
}

private class Holder: Object {
  @Persisted var name: String
}

private struct Refused: Error {}

private func makeStore() async throws -> RealmStore {
  try await RealmStore.open(
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Account.self, Holder.self]))
}

@Suite struct ConcurrencyStoreTests {
  @Test func eightTasksWriteOneAfterTheOther() async throws {
    let store = try await makeStore()
    try await store.write { $0.add(Account()) }
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            try await store.write { realm in
              let account = realm.object(ofType: Account.self, forPrimaryKey: 0)!
              account.balance += 1
              if account.balance % 10 == 0 { throw Refused() }
            }
          }
        }
      }
      while let result = await group.nextResult() {
        if case .failure(let error) = result { #expect(error is Refused) }
      }
    }
    let balance = store.freeze().object(ofType: Account.self, forPrimaryKey: 0)!.balance
    #expect(balance == 9)
    #expect(store.statistics.commitCount == 10)
    store.store.graph.checkInvariants()
  }

  @Test func aThrowingBlockLeavesNothing() async throws {
    let store = try await makeStore()
    await #expect(throws: Refused.self) {
      try await store.write { realm in
        realm.add(Account())
        throw Refused()
      }
    }
    #expect(store.freeze().realm.isEmpty)
    let result = try await store.write { realm in
      realm.add(Account())
      return realm.objects(Account.self).count
    }
    #expect(result == 1)
  }

  @Test func waitingWritersGiveUp() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    #expect(gate.tryEnter())
    let waiting = Task { try await store.write { _ in Issue.record("A cancelled write ran.") } }
    let later = Task { try await store.write { realm in realm.objects(Account.self).count } }
    await #expect(throws: Realm.Error(.deadlineExceeded)) {
      try await store.write(deadline: .now + .milliseconds(20)) { _ in Issue.record("A late write ran.") }
    }
    await #expect(throws: Realm.Error(.deadlineExceeded)) {
      try await store.write(deadline: .now - .seconds(1)) { _ in Issue.record("A late write ran.") }
    }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    // The statistics do not wait for the writer.
    #expect(store.statistics.rowCounts["Account"] == 0)
    gate.leave()
    #expect(try await later.value == 0)
    await #expect(throws: CancellationError.self) {
      try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.write { _ in Issue.record("A cancelled write ran.") }
      }.value
    }
    #expect(gate.tryEnter())
    gate.leave()
  }

  /// Cancellation, deadlines and the gate opening meet in any order; the gate is free at the end.
  @Test func cancellationMeetsAdmission() async throws {
    let store = try await makeStore()
    try await store.write { $0.add(Account()) }
    let committed = Guarded(0)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            let task = Task.detached {
              try await store.write(
                deadline: round % 3 == 0 ? .now + .microseconds(50) : nil
              ) { realm in realm.object(ofType: Account.self, forPrimaryKey: 0)!.balance += 1 }
              committed.withLock { $0 += 1 }
            }
            if (round + index) % 2 == 0 { task.cancel() }
            _ = await task.result
          }
        }
      }
    }
    #expect(
      store.freeze().object(ofType: Account.self, forPrimaryKey: 0)!.balance == committed.withLock { $0 })
    #expect(store.store.graph.gate.tryEnter())
    store.store.graph.gate.leave()
  }

  @Test func closingDrainsWaitingWrites() async throws {
    let store = try await makeStore()
    let gate = store.store.graph.gate
    #expect(gate.tryEnter())
    let realm = try Realm(configuration: store.configuration, queue: nil)
    let waiting = Task.detached {
      try await store.write { realm in
        let account = Account()
        account.id = 2
        realm.add(account)
      }
    }
    while gate.waiterCount == 0 { await Task.yield() }
    let closing = Task.detached { try await store.close() }
    while store.isOpen { await Task.yield() }
    await #expect(throws: Realm.Error(.storeClosed)) { try await store.write { _ in } }
    gate.leave()
    try await waiting.value
    try await closing.value
    try await store.close()
    #expect(store.freeze().objects(Account.self).count == 1)
    #expect(throws: Realm.Error(.storeClosed)) { try store.realm() }
    #expect(throws: Realm.Error(.storeClosed)) { try realm.write {} }
    let next = try await RealmStore.open(store.configuration)
    #expect(next.freeze().realm.isEmpty)
  }

  /// Closing comes between the questions that a write asks; each of them throws.
  @Test func writesBesideClosingThrow() async throws {
    for _ in 0..<150 {
      let store = try await makeStore()
      // Threads of their own, since they write until the store is closed.
      let (ends, ended) = AsyncStream.makeStream(of: Realm.Error.Code?.self)
      for _ in 0..<2 {
        Thread.detachNewThread {
          do {
            let realm = try store.realm()
            while true { try realm.write {} }
          } catch {
            ended.yield((error as? Realm.Error)?.code)
          }
        }
      }
      await Task.yield()
      try await store.close()
      for await code in ends.prefix(2) { #expect(code == .storeClosed || code == .alreadyOpen) }
    }
  }

  @Test func theStoreKeepsADatabaseInMemory() async throws {
    var store: RealmStore? = try await makeStore()
    let configuration = store!.configuration
    try await store!.write { $0.add(Account()) }
    #expect(try Realm(configuration: configuration, queue: nil).objects(Account.self).count == 1)
    weak let inner = store!.store
    store = nil
    #expect(inner == nil)
    #expect(try Realm(configuration: configuration, queue: nil).isEmpty)
  }

  @Test func escapedObjectsStayReadable() async throws {
    let store = try await makeStore()
    let escaped = Guarded<[Unchecked<Account>]>([])
    for round in 0..<5 {
      try await store.write { realm in
        let account = Account()
        account.id = round
        account.balance = round
        realm.add(account)
        escaped.withLock { $0.append(Unchecked(account)) }
      }
    }
    try await store.write { $0.deleteAll() }
    let objects = escaped.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for (round, object) in objects.enumerated() { #expect(object.value.balance == round) }
        }
      }
    }
    escaped.withLock { $0 = [] }
  }

  @Test func idleWritersPinNothing() async throws {
    let store = try await makeStore()
    for id in 0..<10 {
      try await store.write { realm in
        let account = Account()
        account.id = id
        realm.add(account)
      }
    }
    let statistics = store.statistics
    #expect(statistics.versions.count == 1)
    #expect(statistics.versions[0].holderCount == 0)
    #expect(statistics.rowCounts == ["Account": 10, "Holder": 0])
    #expect(statistics.commitCount == 10)
    #expect(statistics.engineByteCount > 0)
    #expect(statistics.engineByteCount == store.store.graph.allocatedByteCount)
    #expect(statistics.openRealmCount == 0)
    let frozen = store.freeze()
    try await store.write { $0.deleteAll() }
    #expect(store.statistics.versions.map(\.holderCount) == [1, 0])
    #expect(frozen.objects(Account.self).count == 10)
  }

  @Test func frozenValuesGoAnywhere() async throws {
    let store = try await makeStore()
    try await store.write { realm in
      let account = Account()
      account.balance = 5
      account.owner = Holder()
      account.owner?.name = "Ada"
      realm.add(account)
    }
    let realm = try store.realm()
    let account = try Frozen(realm.object(ofType: Account.self, forPrimaryKey: 0)!)
    let all = try Frozen(realm.objects(Account.self))
    try await store.write { $0.deleteAll() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          #expect(account.balance == 5)
          #expect(account.owner?.name == "Ada")
          #expect(all.count == 1)
          #expect(all[0].balance == 5)
          #expect(all.map(\.balance) == [5])
        }
      }
    }
    realm.refresh()
    #expect(account.thaw() == nil)
    #expect(store.freeze().version > FrozenRealm(account.withValue { $0.realm! }).version)
  }

  @Test func asyncWritesOnActorsAreInOrder() async throws {
    let store = try await makeStore()
    try await store.write { $0.add(Account()) }
    actor Teller {
      var realm: Realm?
      var seen: [Int] = []
      func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
        let other = try await Realm(configuration: configuration, actor: self)
        #expect(realm == other)
      }
      func pay() async throws {
        let realm = realm!
        let balance = try await realm.asyncWrite {
          let account = realm.object(ofType: Account.self, forPrimaryKey: 0)!
          account.balance += 1
          #expect(realm.isPerformingAsynchronousWriteOperations)
          return account.balance
        }
        seen.append(balance)
      }
      func balance() async -> Int {
        await realm!.asyncRefresh()
        return realm!.object(ofType: Account.self, forPrimaryKey: 0)!.balance
      }
    }
    let tellers = [Teller(), Teller()]
    for teller in tellers { try await teller.open(store.configuration) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask { for _ in 0..<25 { try await tellers[index % 2].pay() } }
      }
      try await group.waitForAll()
    }
    for teller in tellers {
      #expect(await teller.balance() == 200)
      #expect(await teller.seen.count == 100)
    }
  }

  @Test func unboundRealmsAreNeverShared() async throws {
    let store = try await makeStore()
    let first = try Realm(configuration: store.configuration, queue: nil)
    let second = try Realm(configuration: store.configuration, queue: nil)
    #expect(first != second)
    try await first.asyncWrite { first.add(Account()) }
    #expect(second.objects(Account.self).isEmpty)
    #expect(await second.asyncRefresh())
    #expect(second.objects(Account.self).count == 1)
    #expect(await second.asyncRefresh() == false)
    await #expect(throws: Refused.self) {
      try await second.asyncWrite {
        second.deleteAll()
        throw Refused()
      }
    }
    #expect(second.objects(Account.self).count == 1)
  }

  @Test func twoTasksInOneUnboundRealmTrap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await makeStore()
      let realm = Unchecked(try Realm(configuration: store.configuration, queue: nil))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            try? realm.value.write {
              let end = ContinuousClock.now + .seconds(5)
              while ContinuousClock.now < end { usleep(1000) }
            }
          }
        }
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("used by two tasks at the same time"))
    #expect(message.contains("ConcurrencyStoreTests.swift"))
  }

  @Test func aWriteBlocksRealmEndsWithIt() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await makeStore()
      let kept = Guarded<Unchecked<Realm>?>(nil)
      try await store.write { realm in kept.withLock { $0 = Unchecked(realm) } }
      try kept.withLock { $0 }!.value.write {}
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("after the block had returned") || message.contains("incorrect thread"))
  }

  /// The realm of a block is used for later blocks, unless something of it is left.
  @Test func whatLeavesAWriteBlockStaysAsItWas() async throws {
    let store = try await RealmStore.open(Watched.configuration())
    let kept = Guarded<Unchecked<WatchedItem>?>(nil)
    try await store.write { realm in
      realm.add(Watched.item(1))
      kept.withLock { $0 = realm.objects(WatchedItem.self).first.map { Unchecked($0) } }
    }
    for number in 2...5 {
      try await store.write { realm in
        realm.objects(WatchedItem.self)[0].number = number
        realm.add(Watched.item(number))
      }
    }
    let item = try #require(kept.withLock { $0 }).value
    #expect(item.number == 1)
    #expect(item.realm?.objects(WatchedItem.self).count == 1)
    #expect(store.freeze().objects(WatchedItem.self).map(\.number) == [5, 2, 3, 4, 5])
  }
}
