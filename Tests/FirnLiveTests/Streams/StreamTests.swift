import Foundation
import TestSupport
import Testing

@testable import Firn

@Suite struct StreamTests {
  private let configuration = Faced.configuration()

  private func open() async throws -> RealmStore {
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in for id in 0..<3 { realm.create(FacedItem.self, value: ["id": id, "number": id]) } }
    return store
  }

  private func numbers(_ change: StreamedChange<Frozen<Results<FacedItem>>, CollectionDelta>?) -> [Int]? {
    change?.content.map { items in items.map { $0.number } }
  }

  private func set(_ number: Int, _ id: Int, _ store: RealmStore) async throws {
    try await store.write { $0.object(ofType: FacedItem.self, forPrimaryKey: id)?.number = number }
  }

  @Test("the first element is the content, the others are exact changes")
  func elements() async throws {
    let store = try await open()
    var changes = store.freeze().objects(FacedItem.self).sorted(by: \.number).changes.makeAsyncIterator()
    let first = await changes.next()
    guard case .initial = first else { return #expect(Bool(false), "not initial") }
    #expect(numbers(first) == [0, 1, 2])
    try await set(9, 0, store)
    let second = await changes.next()
    #expect(second?.delta == CollectionDelta(deletions: [0], insertions: [2], modifications: []))
    #expect(numbers(second) == [1, 2, 9])
    try await set(3, 2, store)
    let third = await changes.next()
    #expect(third?.delta == CollectionDelta(deletions: [], insertions: [], modifications: [1]))
    #expect(numbers(third) == [1, 3, 9])
  }

  @Test("what happened in between comes as one change, what came to nothing not at all")
  func merged() async throws {
    let store = try await open()
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    for number in 10..<20 { try await set(number, number % 3, store) }
    try await store.write { realm in
      for item in realm.objects(FacedItem.self).where({ $0.id == 0 }) { realm.delete(item) }
      realm.create(FacedItem.self, value: ["id": 7])
    }
    let change = await changes.next()
    #expect(change?.delta == CollectionDelta(deletions: [0], insertions: [2], modifications: [1, 2]))
    try await store.write { realm in realm.create(FacedItem.self, value: ["id": 8]) }
    try await store.write { realm in realm.object(ofType: FacedItem.self, forPrimaryKey: 8).map { realm.delete($0) } }
    try await set(5, 1, store)
    let next = await changes.next()
    #expect(next?.delta?.insertions == [] && next?.delta?.modifications == [0])
  }

  @Test("each commit is an element of its own where that is asked for")
  func everyCommit() async throws {
    let store = try await open()
    var changes = store.changes(.everyCommit) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    for number in 10..<20 { try await set(number, 1, store) }
    for number in 10..<20 {
      let change = await changes.next()
      #expect(numbers(change) == [0, number, 2])
      #expect(change?.delta == CollectionDelta(deletions: [], insertions: [], modifications: [1]))
    }
  }

  @Test("the newest content comes as a reset where only that is asked for")
  func latest() async throws {
    let store = try await open()
    var changes = store.changes(.latest) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    for number in 10..<20 { try await set(number, 1, store) }
    let change = await changes.next()
    guard case .reset = change else { return #expect(Bool(false), "no reset") }
    #expect(numbers(change) == [0, 19, 2])
    #expect(store.statistics.streams.allSatisfy { $0.changeCount == 0 })
  }

  @Test("what is committed before the first element was asked for is part of it")
  func beginning() async throws {
    let store = try await open()
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    try await set(5, 0, store)
    #expect(numbers(await changes.next()) == [5, 1, 2])
  }

  @Test("cancelling the task ends the sequence at once")
  func cancelling() async throws {
    let store = try await open()
    let heard = Counter()
    let task = Task {
      var count = 0
      for await _ in store.changes(of: { $0.objects(FacedItem.self) }) {
        count += 1
        heard.add()
      }
      return count
    }
    try await eventually { heard.count == 1 }
    task.cancel()
    #expect(await task.value == 1)
    try await eventually("nothing is held") {
      store.statistics.streams.isEmpty && store.statistics.versions.allSatisfy { $0.holderCount == 0 }
    }
    // Cancelled before it began.
    let other = Task { () -> Bool in
      while !Task.isCancelled { await Task.yield() }
      var changes = store.changes(of: { $0.objects(FacedItem.self) }).makeAsyncIterator()
      return await changes.next() == nil
    }
    other.cancel()
    #expect(await other.value)
  }

  @Test("the sequence ends when the store is closed, after what was due")
  func closing() async throws {
    let store = try await open()
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    var idle = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    try await set(5, 0, store)
    try await store.close()
    #expect(numbers(await changes.next()) == [5, 1, 2])
    #expect(await changes.next() == nil)
    #expect(await idle.next() == nil)
    #expect(await changes.next() == nil)
  }

  @Test("waiting ends when the store is closed")
  func closingMeanwhile() async throws {
    let store = try await open()
    let heard = Counter()
    let task = Task {
      for await _ in store.changes(of: { $0.objects(FacedItem.self) }) { heard.add() }
    }
    try await eventually { heard.count == 1 }
    try await store.close()
    await task.value
  }

  @Test("an object that is deleted ends the sequences of it and its collections")
  func deleting() async throws {
    let store = try await open()
    try await store.write { realm in Faced.fillOwner(realm) }
    let owner = try #require(store.freeze().object(ofType: FacedOwner.self, forPrimaryKey: 1))
    var changes = owner.changes.makeAsyncIterator()
    var items = owner.items.changes(.everyCommit).makeAsyncIterator()
    var shelf = owner.shelf.changes.makeAsyncIterator()
    var owned = owner.owned.changes.makeAsyncIterator()
    #expect(await changes.next()?.content?.name == "first")
    #expect(await items.next()?.content?.count == 1)
    #expect(await shelf.next()?.content?.count == 1)
    #expect(await owned.next()?.content?.count == 1)
    try await store.write { $0.object(ofType: FacedOwner.self, forPrimaryKey: 1)?.name = "second" }
    let change = await changes.next()
    #expect(change?.content?.name == "second" && change?.delta?.properties == ["name"])
    try await store.write { realm in
      guard let owner = realm.object(ofType: FacedOwner.self, forPrimaryKey: 1) else { return }
      owner.items.append(owner.items[0])
      owner.shelf["more"] = owner.items[0]
    }
    // The name is behind a link of the item.
    #expect(await items.next()?.delta?.modifications == [0])
    #expect(await items.next()?.delta?.insertions == [1])
    #expect(await shelf.next()?.delta?.insertions == ["more"])
    try await store.write { realm in realm.object(ofType: FacedOwner.self, forPrimaryKey: 1).map { realm.delete($0) } }
    guard case .deleted = await changes.next() else { return #expect(Bool(false), "not deleted") }
    guard case .deleted = await items.next() else { return #expect(Bool(false), "not deleted") }
    guard case .deleted = await shelf.next() else { return #expect(Bool(false), "not deleted") }
    guard case .deleted = await owned.next() else { return #expect(Bool(false), "not deleted") }
    #expect(await changes.next() == nil)
    #expect(await items.next() == nil)
    #expect(await shelf.next() == nil)
    // A sequence of something that is gone already.
    var late = owner.items.changes.makeAsyncIterator()
    guard case .deleted = await late.next() else { return #expect(Bool(false), "not deleted") }
    #expect(await late.next() == nil)
    try await eventually { store.statistics.streams.isEmpty }
  }

  @Test("equal sequences share what is kept for them")
  func sharing() async throws {
    let store = try await open()
    var iterators = (0..<100).map { _ in
      store.freeze().objects(FacedItem.self).where { $0.number > 0 }.changes.makeAsyncIterator()
    }
    for index in iterators.indices { _ = await iterators[index].next() }
    for number in 10..<60 { try await set(number, 1 + number % 2, store) }
    try await eventually { store.statistics.streams.first?.behindCount == 100 }
    let stream = try #require(store.statistics.streams.first)
    #expect(store.statistics.streams.count == 1 && stream.subscriberCount == 100)
    // One entry, whatever there was.
    #expect(stream.changeCount == 1)
    for index in iterators.indices { #expect(await iterators[index].next()?.delta?.modifications == [0, 1]) }
    #expect(store.statistics.streams.first?.changeCount == 0)
    iterators = []
    try await eventually { store.statistics.streams.isEmpty }
  }

  @Test("versions of the store come with how much was touched")
  func stores() async throws {
    let store = try await open()
    var changes = store.changes(.everyCommit).makeAsyncIterator()
    let first = await changes.next()?.content?.version
    #expect(first == store.freeze().version)
    try await set(4, 0, store)
    try await store.write { realm in
      realm.delete(realm.objects(FacedItem.self))
      realm.create(FacedOwner.self, value: ["id": 1])
    }
    let second = await changes.next()
    #expect(second?.delta?.keys.sorted() == ["FacedItem"])
    #expect(second?.delta?["FacedItem"]?.modificationCount == 1)
    let third = await changes.next()
    #expect(third?.delta?["FacedItem"]?.deletionCount == 3 && third?.delta?["FacedOwner"]?.insertionCount == 1)
    #expect(third?.content?.version == store.freeze().version)
    #expect(third?.content?.objects(FacedOwner.self).count == 1)
    try await store.write { $0.objects(FacedOwner.self).first?.name = "new" }
    let fourth = await changes.next()?.delta
    #expect(fourth == ["FacedOwner": ClassDelta(insertionCount: 0, modificationCount: 1, deletionCount: 0)])
  }

  @Test(
    "what is gone when it is asked for is told as deleted", arguments: [ChangeDelivery.merged, .everyCommit, .latest])
  func goneAtTheBeginning(delivery: ChangeDelivery) async throws {
    let store = try await open()
    try await store.write { Faced.fillOwner($0) }
    let owner = store.freeze().objects(FacedOwner.self)[0]
    try await store.write(author: "cleaner") { $0.delete($0.objects(FacedOwner.self)) }
    func check<Content, Delta>(_ changes: ChangeStream<Content, Delta>, _ comment: Comment) async {
      var iterator = changes.makeAsyncIterator()
      guard case .deleted = await iterator.next() else { return #expect(Bool(false), comment) }
      #expect(await iterator.next() == nil, comment)
    }
    await check(owner.changes(delivery), "object")
    await check(owner.items.changes(delivery), "list")
    await check(owner.items.where { $0.id > 0 }.changes(delivery), "query")
    await check(owner.favourites.changes(delivery), "set")
    await check(owner.shelf.changes(delivery), "map")
    await check(owner.owned.changes(delivery), "backlinks")
    await check(owner.codes.changes(delivery), "values")
    await check(owner.items.sectioned(by: \.group).changes(delivery), "sections")
    await check(owner.items.changes(as: FacedRow.self, delivery), "rows")
    #expect(store.statistics.streams.isEmpty)
  }

  @Test("a database that is only read has one element")
  func readOnly() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).realm")
    defer { try? FileManager.default.removeItem(at: url) }
    var configuration = configuration
    configuration.fileURL = url
    try await RealmStore.open(configuration).close()
    configuration.readOnly = true
    let store = try await RealmStore.open(configuration)
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    #expect(numbers(await changes.next()) == [])
    #expect(await changes.next() == nil)
    try await store.close()
  }
}

extension Faced {
  /// An owner with one item everywhere.
  static func fillOwner(_ realm: Realm) {
    let owner = realm.create(FacedOwner.self, value: ["id": 1, "name": "first"])
    guard let item = realm.objects(FacedItem.self).first else { return }
    owner.items.append(item)
    owner.favourites.insert(item)
    owner.shelf["item"] = item
    item.owner = owner
  }
}
