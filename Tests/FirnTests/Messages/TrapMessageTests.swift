import Foundation
import Testing

@testable import Firn
@testable import FirnEngine

private final class Unlisted: Object {
  @Persisted var name: String
}

private final class Keyless: Object {
  @Persisted var name: String
}

private func storeAndObjectOfItsBlock() async throws -> (store: RealmStore, object: Unchecked<WatchedItem>) {
  let store = try await RealmStore.open(Watched.configuration())
  let kept = Guarded<Unchecked<WatchedItem>?>(nil)
  try await store.write { realm in
    let item = Watched.item(1)
    realm.add(item)
    kept.withLock { $0 = Unchecked(item) }
  }
  return (store, try #require(kept.withLock { $0 }))
}

/// What a mistake says before it ends the process: what was wrong with which class, property or database, and what to do.
@Suite struct TrapMessageTests {
  private func message(of result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private func expect(_ texts: String..., in result: ExitTest.Result?, at line: Int = #line) {
    let message = message(of: result)
    for text in texts { #expect(message.contains(text), "line \(line): \(message)") }
  }

  // MARK: Places

  @Test func propertiesOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let item = Unchecked(try Watched.realm(1).objects(WatchedItem.self)[0])
        try onOwnThread { item.value.number = 2 }
      }
    }
    expect(
      "Realm accessed from incorrect thread", "class 'WatchedItem', property 'number'", "belongs to thread ",
      "and this is thread ", "open a realm here", "RealmStore.write", in: result)
  }

  @Test func listsOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let item = Unchecked(try Watched.realm(1).objects(WatchedItem.self)[0])
        try onOwnThread { item.value.codes.append(2) }
      }
    }
    expect("incorrect thread", "class 'WatchedItem', property 'codes'", "open a realm here", in: result)
  }

  @Test func writesOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        var configuration = Watched.configuration()
        configuration.inMemoryIdentifier = "the board"
        let realm = Unchecked(try Watched.realm(1, configuration))
        try onOwnThread { try realm.value.write {} }
      }
    }
    expect("TrapMessageTests.swift:", "incorrect thread (database 'the board')", "open a realm here", in: result)
  }

  @Test func theMainRealmOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try await MainActor.run { Unchecked(try Watched.realm(1)) }
      try onOwnThread { try realm.value.write {} }
    }
    expect(
      "TrapMessageTests.swift:", "incorrect thread (database '", "belongs to the main thread", "and this is thread ",
      "open a realm here", in: result)
  }

  @Test func refreshOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = Unchecked(try Watched.realm(1))
        try onOwnThread { _ = realm.value.refresh() }
      }
    }
    expect("TrapMessageTests.swift:", "incorrect thread (database '", "open a realm here", in: result)
  }

  @Test func observingOnAnotherThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let realm = Unchecked(try Watched.realm(1))
        try onOwnThread { _ = realm.value.objects(WatchedItem.self).observe { _ in } }
      }
    }
    expect("TrapMessageTests.swift:", "incorrect thread (Results<WatchedItem>)", "open a realm here", in: result)
  }

  @Test func writesOutsideOfTheQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "the board's queue")
      let realm = try queue.sync { Unchecked(try Realm(configuration: Watched.configuration(), queue: queue)) }
      try DispatchQueue(label: "another queue").sync { try realm.value.write {} }
    }
    expect(
      "TrapMessageTests.swift:", "incorrect queue or thread", "belongs to the queue 'the board's queue'", in: result)
  }

  @Test func opensOutsideOfTheQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "the board's queue")
      try onOwnThread { _ = try Realm(configuration: Watched.configuration(), queue: queue) }
    }
    expect(
      "incorrect dispatch queue", "belong to 'the board's queue'", "this is thread ",
      "in a block that runs on that queue",
      in: result)
  }

  // MARK: Queues

  @Test func observingOnAConcurrentQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "many at once", attributes: .concurrent)
      try onOwnThread { _ = try Watched.realm(1).objects(WatchedItem.self).observe(on: queue) { _ in } }
    }
    expect(
      "TrapMessageTests.swift:", "Invalid queue 'many at once'", "serial queues or the main queue",
      "without the attribute .concurrent", in: result)
  }

  @Test func openingOnAConcurrentQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let queue = DispatchQueue(label: "many at once", attributes: .concurrent)
      try queue.sync { _ = try Realm(configuration: Watched.configuration(), queue: queue) }
    }
    expect("Invalid queue 'many at once'", "serial queues or the main queue", in: result)
  }

  @Test func observingOnAGlobalQueue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread {
        let item = try Watched.realm(1).objects(WatchedItem.self)[0]
        _ = item.observe(on: .global()) { (_: ObjectChange<WatchedItem>) in }
      }
    }
    expect("TrapMessageTests.swift:", "Invalid queue 'com.apple.root", in: result)
  }

  @Test func queuesKnowWhetherTheyAreConcurrent() {
    let concurrent = DispatchQueue(label: "many", attributes: .concurrent)
    #expect(concurrent.isConcurrent && DispatchQueue.global(qos: .utility).isConcurrent)
    #expect(!DispatchQueue(label: "one").isConcurrent && !DispatchQueue.main.isConcurrent)
    #expect(!DispatchQueue(label: "one of many", target: concurrent).isConcurrent)
  }

  // MARK: Transactions

  @Test func nestedWrites() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(1)
      try realm.write { try realm.write {} }
    }
    expect(
      "TrapMessageTests.swift:", "already in a write transaction (database '", "do both in one block",
      "isInWriteTransaction", in: result)
  }

  @Test func writesOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Watched.realm(1).objects(WatchedItem.self)[0].number = 2
    }
    expect(
      "outside of a write transaction", "class 'WatchedItem', property 'number'",
      "write, asyncWrite or RealmStore.write",
      in: result)
  }

  @Test func commitsOutsideOfATransaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try onOwnThread { try Watched.realm(0).commitWrite() }
    }
    expect("TrapMessageTests.swift:", "Can't commit a non-existing write transaction (database '", in: result)
  }

  @Test func objectsOfAnEarlierBlock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (store, kept) = try await storeAndObjectOfItsBlock()
      try await store.write { _ in kept.value.number = 2 }
    }
    expect(
      "class 'WatchedItem', property 'number'", "block of RealmStore.write that has ended",
      "object(ofType:forPrimaryKey:)", in: result)
    #expect(!message(of: result).contains("beginWrite"))
  }

  @Test func deletingObjectsOfAnEarlierBlock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (store, kept) = try await storeAndObjectOfItsBlock()
      try await store.write { realm in realm.delete(kept.value) }
    }
    expect(
      "TrapMessageTests.swift:", "Can only delete an object from the Realm it belongs to", "class 'WatchedItem'",
      "another block of RealmStore.write", "object(ofType: WatchedItem.self, forPrimaryKey:)", in: result)
  }

  // MARK: Schema

  @Test func classesThatTheFirstOpeningDidNotList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration(inMemoryIdentifier: "the board", objectTypes: [Keyless.self])
      let first = try Realm(configuration: configuration)
      configuration.objectTypes = [Keyless.self, Unlisted.self]
      _ = try Realm(configuration: configuration).objects(Unlisted.self)
      withExtendedLifetime(first) {}
    }
    expect(
      "'Unlisted' is not managed by the Realm", "database 'the board' has the classes that its first opening",
      "(Keyless)", "Include 'Unlisted' there", in: result)
  }

  @Test func classesThatDoNotExist() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = Realm.Configuration(inMemoryIdentifier: "the board", objectTypes: [Keyless.self])
      _ = try Realm(configuration: configuration).dynamicObjects("Keyles")
    }
    expect("'Keyles' is not managed by the Realm", "Is 'Keyless' meant?", in: result)
  }

  // MARK: Observers

  @Test func collectionsOfATasksRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Task.detached {
        _ = try Realm(configuration: Watched.configuration()).objects(WatchedItem.self).observe { _ in }
      }.value
    }
    expect(
      "TrapMessageTests.swift:", "within runloops, queues or actors (Results<WatchedItem>)", "the task that opened it",
      "`on:`", in: result)
    #expect(!message(of: result).contains("`changes`"))
  }

  @Test func aTasksRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await Task.detached { _ = try Realm(configuration: Watched.configuration()).observe { _, _ in } }.value
    }
    expect("TrapMessageTests.swift:", "within runloops, queues or actors (Realm)", "Realm(actor:)", in: result)
    #expect(!message(of: result).contains("`on:`"))
  }

  // MARK: Positions and elements

  @Test func positionsOutOfBounds() async {
    let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Watched.realm(1).objects(WatchedItem.self)[0].codes[3]
    }
    expect("Index 3 is out of bounds (must be less than 0).", "class 'WatchedItem', property 'codes'", in: managed)
    let removed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(1)
      try realm.write { realm.objects(WatchedItem.self)[0].friends.removeLast(2) }
    }
    expect("remove more objects (2)", "class 'WatchedItem', property 'friends'", in: removed)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>()[-1]
    }
    expect("Cannot pass a negative value (-1)", "an unmanaged List<Int>", in: unmanaged)
    let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Watched.realm(1).objects(WatchedItem.self)[1]
    }
    expect("Index 1 is out of bounds (must be less than 1).", "Results<WatchedItem>", in: results)
  }

  @Test func elementsOfTheWrongType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<Int>()
      list.append(1)
      list.setValue("x", forKey: "self")
    }
    expect("Invalid value 'x' of type 'String' for an element of type 'Int'.", in: result)
  }

  // MARK: Calls

  @Test func creatingAndAddingNameTheCall() async {
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(0)
      try realm.write { _ = realm.create(WatchedItem.self, value: ["id": "x"]) }
    }
    expect("TrapMessageTests.swift:", "Invalid value 'x' of type 'String'", "'WatchedItem.id'", in: wrong)
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Watched.realm(0).create(WatchedItem.self)
    }
    expect("TrapMessageTests.swift:", "create objects in a write transaction", in: outside)
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(1)
      try realm.write { realm.add([Watched.item(0)]) }
    }
    expect("TrapMessageTests.swift:", "existing primary key value '0'", in: twice)
    let keyless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(0)
      try realm.write { realm.add(WatchedTeam(), update: .all) }
    }
    expect("TrapMessageTests.swift:", "'WatchedTeam' does not have a primary key", in: keyless)
  }

  @Test func whatAWriteBlockMayNotReturn() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(Watched.configuration())
      try await store.write { _ in List<Int>() }
    }
    expect("An unmanaged List<Int> was returned from the block of RealmStore.write", "Array(list)", in: list)
    let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(Watched.configuration())
      try await store.write { _ in Map<String, Int>() }
    }
    expect("An unmanaged Map<String, Int> was returned", in: map)
    let cancelled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(Watched.configuration())
      try await store.write { realm in
        let team = realm.create(WatchedTeam.self)
        realm.cancelWrite()
        return team
      }
    }
    expect("class 'WatchedTeam' that does not exist after the block", "cancelled the transaction", in: cancelled)
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Keyless().freeze()
    }
    expect("Unmanaged objects cannot be frozen.", "class 'Keyless'", "to a realm before", in: unmanaged)
    let query = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().sorted()
    }
    expect("may only be called on List instances retrieved from a Realm", "add the object that has it", in: query)
  }

  // MARK: Objects

  @Test func deletingUnmanagedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(0)
      try realm.write { realm.delete(Keyless()) }
    }
    expect(
      "TrapMessageTests.swift:", "Can only delete an object from the Realm it belongs to",
      "class 'Keyless' is unmanaged",
      "objects(Keyless.self)", in: result)
  }

  @Test func deletingFrozenObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(1)
      try realm.write { realm.delete([realm.objects(WatchedItem.self)[0].freeze()]) }
    }
    expect("TrapMessageTests.swift:", "class 'WatchedItem' is frozen", "thaw()", in: result)
  }

  @Test func linkingToObjectsOfAnotherDatabase() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Watched.configuration()
      configuration.inMemoryIdentifier = "the other board"
      let (realm, other) = (try Watched.realm(1), try Watched.realm(0, configuration))
      let team = try other.write { other.create(WatchedTeam.self) }
      try realm.write { realm.objects(WatchedItem.self)[0].team = team }
    }
    expect(
      "Object is managed by another Realm", "class 'WatchedTeam'", "property 'WatchedItem.team'",
      "database 'the other board'", in: result)
  }

  @Test func addingLinksToObjectsOfAnotherDatabase() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try Watched.realm(0), try Watched.realm(0))
      let item = Watched.item(1)
      item.team = try other.write { other.create(WatchedTeam.self) }
      try realm.write { realm.add(item) }
    }
    expect("managed by another Realm", "class 'WatchedTeam'", "property 'WatchedItem.team'", in: result)
  }

  @Test func linkingToDeletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(1)
      try realm.write {
        let team = realm.create(WatchedTeam.self)
        realm.delete(team)
        realm.objects(WatchedItem.self)[0].team = team
      }
    }
    expect(
      "Object has been deleted or invalidated", "class 'WatchedTeam'", "property 'WatchedItem.team'", "isInvalidated",
      in: result)
  }

  @Test func listsOfDeletedObjects() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Watched.realm(2)
      try realm.write {
        let items = realm.objects(WatchedItem.self)
        let (first, last) = (items[0], items[1])
        realm.delete(last)
        first.friends.append(last)
      }
    }
    expect("Object has been deleted or invalidated", "class 'WatchedItem'", "isInvalidated", in: result)
  }

  @Test func linkingToObjectsOfAnotherBlock() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await RealmStore.open(Watched.configuration())
      let kept = Guarded<Unchecked<WatchedTeam>?>(nil)
      try await store.write { realm in kept.withLock { $0 = Unchecked(realm.create(WatchedTeam.self)) } }
      try await store.write { realm in
        let item = Watched.item(1)
        realm.add(item)
        item.team = kept.withLock { $0 }?.value
      }
    }
    expect(
      "managed by another Realm", "property 'WatchedItem.team'", "another block of RealmStore.write",
      "objects(WatchedTeam.self)", in: result)
  }

  @Test func addingObjectsOfAnotherRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try Watched.realm(0), try Watched.realm(1))
      try realm.write { realm.add(other.objects(WatchedItem.self)[0]) }
    }
    expect(
      "already managed by another Realm", "class 'WatchedItem' belongs to the database '", "Use create", in: result)
  }
}
