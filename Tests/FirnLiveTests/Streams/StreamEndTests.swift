import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

final class EndingBox: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var content: AnyRealmValue
}

/// Collections that are empty end with their object, too.
@Suite struct StreamEndTests {
  private func open(_ configuration: Realm.Configuration = Faced.configuration()) async throws -> RealmStore {
    let store = try await RealmStore.open(configuration)
    try await store.write { $0.create(FacedOwner.self, value: ["id": 1, "name": "empty"] as [String: Any]) }
    return store
  }

  @Test(
    "an empty collection in a mixed value ends when the value is overwritten, and with its object",
    arguments: [false, true])
  func nested(isDeleted: Bool) async throws {
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [EndingBox.self]))
    try await store.write { realm in
      let box = realm.create(EndingBox.self, value: ["id": 1])
      box.content = .fromArray([.fromArray([]), .fromDictionary([:])])
    }
    let box = store.freeze().objects(EndingBox.self)[0]
    let outer = try #require(box.content.listValue)
    var list = try #require(outer[0].listValue).changes.makeAsyncIterator()
    var map = try #require(outer[1].dictionaryValue).changes(.everyCommit).makeAsyncIterator()
    guard case .initial = await list.next(), case .initial = await map.next() else { return #expect(Bool(false)) }
    try await store.write { realm in
      let box = realm.objects(EndingBox.self)[0]
      if isDeleted { realm.delete(box) } else { box.content = .int(1) }
    }
    guard case .deleted = await list.next(), case .deleted = await map.next() else { return #expect(Bool(false)) }
    #expect(await list.next() == nil)
    #expect(await map.next() == nil)
  }

  @Test("blocks are not called when an empty collection ends, nor are values told that stay the same")
  func others() async throws {
    let configuration = Faced.configuration()
    let store = try await open(configuration)
    let owner = store.freeze().objects(FacedOwner.self)[0]
    let values = Guarded<[Int]>([])
    let changes = owner.items.liveValue { $0.count }.changes
    let task = Task { for await change in changes { values.withLock { $0.append(change.content ?? -1) } } }
    try await eventually { values.withLock { $0 } == [0] }
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      var calls = 0
      let owner = realm.objects(FacedOwner.self)[0]
      let tokens = [
        owner.items.observe { _ in calls += 1 }, owner.items.where { $0.id > 0 }.observe { _ in calls += 1 },
        owner.shelf.observe { _ in calls += 1 }, owner.owned.observe { _ in calls += 1 },
        owner.items.sectioned(by: \.group).observe { _ in calls += 1 },
      ]
      realm.refresh()
      #expect(calls == 5)
      try realm.write { realm.delete(owner) }
      realm.refresh()
      #expect(calls == 5)
      withExtendedLifetime(tokens) {}
    }
    // Closing tells all that is left to tell.
    try await store.close()
    await task.value
    #expect(values.withLock { $0 } == [0])
  }

  @Test(
    "the deletion of an object ends the sequences of its empty collections",
    arguments: [ChangeDelivery.merged, .everyCommit, .latest], [false, true])
  func empty(delivery: ChangeDelivery, isFilledBefore: Bool) async throws {
    let store = try await open()
    func check<Content, Delta>(_ changes: ChangeStream<Content, Delta>, _ comment: Comment) async throws {
      var iterator = changes.makeAsyncIterator()
      guard case .initial = await iterator.next() else { return #expect(Bool(false), comment) }
      if isFilledBefore {
        // It is filled while nobody looks, so that filling and end come to nothing.
        try await store.write { realm in
          let owner = realm.objects(FacedOwner.self)[0]
          let item = realm.create(FacedItem.self, value: ["id": 7, "number": 7])
          item.owner = owner
          owner.items.append(item)
          owner.favourites.insert(item)
          owner.shelf["key"] = item
          owner.codes.append(7)
        }
      }
      try await store.write(author: "cleaner") { realm in
        realm.delete(realm.objects(FacedOwner.self))
        realm.delete(realm.objects(FacedItem.self))
      }
      var last = await iterator.next()
      if isFilledBefore, delivery == .everyCommit { last = await iterator.next() }
      if case .deleted(let causes) = last {
        #expect(causes.map(\.author) == ["cleaner"] || delivery == .merged && isFilledBefore, comment)
      } else {
        #expect(Bool(false), comment)
      }
      #expect(await iterator.next() == nil, comment)
    }
    let cases: [(FacedOwner) async throws -> Void] = [
      { try await check($0.items.changes(delivery), "list") },
      { try await check($0.items.where { $0.id > 0 }.changes(delivery), "query on a list") },
      { try await check($0.items.sorted(by: \.id).changes(delivery), "sorted list") },
      { try await check($0.items.sectioned(by: \.group).changes(delivery), "sections") },
      { try await check($0.items.changes(as: FacedRow.self, delivery), "rows") },
      { try await check($0.favourites.changes(delivery), "set") },
      { try await check($0.favourites.where { $0.id > 0 }.changes(delivery), "query on a set") },
      { try await check($0.shelf.changes(delivery), "map") },
      { try await check($0.owned.changes(delivery), "backlinks") },
      { try await check($0.owned.where { $0.id > 0 }.changes(delivery), "query on backlinks") },
      { try await check($0.codes.changes(delivery), "values") },
      { try await check($0.codes.sorted().changes(delivery), "sorted values") },
      { try await check($0.codes.sectioned(by: { $0 % 2 }).changes(delivery), "sections of values") },
    ]
    for run in cases {
      try await run(store.freeze().objects(FacedOwner.self)[0])
      try await eventually { store.statistics.streams.isEmpty }
      try await store.write { $0.create(FacedOwner.self, value: ["id": 1, "name": "empty"] as [String: Any]) }
    }
  }

  @Test(
    "closing leaves no subscription, whenever it began", arguments: [ChangeDelivery.merged, .everyCommit, .latest])
  func closing(delivery: ChangeDelivery) async throws {
    let store = try await open()
    let source = store.freeze().objects(FacedOwner.self).changes(delivery)
    var early = source.makeAsyncIterator()
    var behind = source.makeAsyncIterator()
    guard case .initial = await early.next(), case .initial = await behind.next() else { return #expect(Bool(false)) }
    let unasked = source.makeAsyncIterator()
    try await store.write { $0.create(FacedOwner.self, value: ["id": 2, "name": "new"] as [String: Any]) }
    guard await early.next() != nil else { return #expect(Bool(false)) }
    try await store.close()
    // One after the other takes the rest, and leaves, while others have not.
    for (iterator, leftCount) in [(early, 1), (behind, 0), (unasked, 0), (source.makeAsyncIterator(), 0)] {
      var iterator = iterator
      while await iterator.next() != nil {}
      #expect(store.statistics.streams.map(\.subscriberCount) == (leftCount > 0 ? [leftCount] : []))
      #expect(await iterator.next() == nil)
    }
  }
}
