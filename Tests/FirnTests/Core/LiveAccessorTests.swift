import FirnEngine
import Foundation
import Testing

@testable import Firn

private final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
}

private final class Pointer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var item: Item?
}

/// What deletions cost beside many live accessors, and that the right ones get their last values.
struct LiveAccessorTests {
  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Item.self, Pointer.self])
  }

  private static func fill(_ realm: Realm, _ count: Int) throws {
    try realm.write {
      for id in 0..<count {
        let item = Item()
        item.id = id
        item.text = "text \(id)"
        realm.add(item)
        realm.create(Pointer.self, value: ["id": id, "item": item] as [String: Any])
      }
    }
  }

  /// Writes to the same store in a realm of another thread.
  private static func elsewhere(
    _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) -> Void
  ) throws {
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { body(realm) }
    }
  }

  @Test func refreshLooksAtDeletedRowsOnly() throws {
    let configuration = Self.configuration()
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      let count = 20_000
      try Self.fill(realm, count)
      let items = (0..<count).map { realm.object(ofType: Item.self, forPrimaryKey: $0)! }
      let accessors = realm.instance.requireHandle(Item.self).accessors
      let before = accessors.examinedCount
      for id in [5, 7000, 19_999] {
        try Self.elsewhere(configuration) { $0.delete($0.object(ofType: Item.self, forPrimaryKey: id)!) }
        // Rows beside it that stay.
        try Self.elsewhere(configuration) { $0.object(ofType: Item.self, forPrimaryKey: id - 1)!.text = "new" }
        realm.refresh()
        #expect(items[id].isInvalidated)
        #expect(items[id].text == "text \(id)")
        #expect(items[id - 1].text == "new")
      }
      #expect(accessors.examinedCount - before == 3)
      #expect(items.count { $0.isInvalidated } == 3)
    }
  }

  @Test func refreshOverManyDeletionsLooksAtFewAccessors() throws {
    let configuration = Self.configuration()
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try Self.fill(realm, 5_000)
      let items = (0..<10).map { realm.object(ofType: Item.self, forPrimaryKey: $0 * 400)! }
      let accessors = realm.instance.requireHandle(Item.self).accessors
      let before = accessors.examinedCount
      try Self.elsewhere(configuration) { $0.delete($0.objects(Item.self)) }
      realm.refresh()
      #expect(accessors.examinedCount - before <= 20)
      for (index, item) in items.enumerated() {
        #expect(item.isInvalidated)
        #expect(item.text == "text \(index * 400)")
      }
    }
  }

  @Test func deletingHereLooksAtDeletedRowsOnly() throws {
    try onOwnThread {
      let realm = try Realm(configuration: Self.configuration())
      try Self.fill(realm, 5_000)
      let items = (0..<5_000).map { realm.object(ofType: Item.self, forPrimaryKey: $0)! }
      // The first commit that loses rows looks for accessors that other threads may have made.
      try realm.write { realm.delete(items[4_999]) }
      let accessors = realm.instance.requireHandle(Item.self).accessors
      let before = accessors.examinedCount
      try realm.write {
        realm.delete(items[17])
        realm.delete(items[100..<200])
      }
      #expect(accessors.examinedCount - before == 101)
      #expect(items[17].text == "text 17")
      #expect(items[150].text == "text 150")
      #expect(!items[200].isInvalidated)
    }
  }

  /// Accessors that links hand out may be pointed at other rows. A deletion meets those of links that moved since the
  /// last one, and no others.
  @Test func accessorsOfLinksAreMetOnce() throws {
    try onOwnThread {
      let realm = try Realm(configuration: Self.configuration())
      try Self.fill(realm, 2_000)
      let pointers = (0..<1_000).map { realm.object(ofType: Pointer.self, forPrimaryKey: $0)! }
      let kept = pointers.map { $0.item! }
      let accessors = realm.instance.requireHandle(Item.self).accessors
      func delete(_ id: Int) throws {
        try realm.write { realm.delete(realm.object(ofType: Item.self, forPrimaryKey: id)!) }
      }
      try delete(1_500)
      var before = accessors.examinedCount
      for id in 1_501..<1_600 { try delete(id) }
      #expect(accessors.examinedCount - before == 99)
      // Moved by its link, and found at its new row.
      try realm.write { pointers[3].item = realm.object(ofType: Item.self, forPrimaryKey: 1_700)! }
      let moved = pointers[3].item!
      #expect(moved.text == "text 1700")
      before = accessors.examinedCount
      try delete(1_700)
      #expect(accessors.examinedCount - before <= 3)
      #expect(moved.isInvalidated)
      #expect(moved.text == "text 1700")
      try delete(3)
      #expect(kept[3].isInvalidated)
      #expect(kept[3].text == "text 3")
      #expect(kept[4].text == "text 4")
    }
  }

  /// In the table, each accessor of a row would have to pass all those before it.
  @Test func accessorsOfOneRowDoNotStandInEachOthersWay() throws {
    let configuration = Self.configuration()
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try Self.fill(realm, 10)
      let accessors = realm.instance.requireHandle(Item.self).accessors
      let before = accessors.count
      var random = SeededRandom(1)
      var held = (0..<20_000).map { realm.object(ofType: Item.self, forPrimaryKey: [3, 4, 4, 4, 5][$0 % 5])! }
      #expect(accessors.count == before + 20_000)
      #expect(accessors.longestRun < 200)
      held.shuffle(using: &random)
      held.removeLast(15_000)
      #expect(accessors.count == before + 5_000)
      // Deleted here, elsewhere, and before a transaction was cancelled.
      try realm.write { realm.delete(realm.object(ofType: Item.self, forPrimaryKey: 3)!) }
      try Self.elsewhere(configuration) { $0.delete($0.object(ofType: Item.self, forPrimaryKey: 4)!) }
      realm.refresh()
      realm.beginWrite()
      let new = realm.create(Item.self, value: ["id": 11, "text": "text 11"] as [String: Any])
      held += (0..<100).map { _ in realm.object(ofType: Item.self, forPrimaryKey: 11)! }
      realm.cancelWrite()
      #expect(new.isInvalidated)
      for item in held {
        #expect(item.isInvalidated == (item.id != 5))
        #expect(item.text == "text \(item.id)")
      }
      held = []
      #expect(accessors.count == before + 1)
      #expect(accessors.longestRun < 20)
    }
  }

  /// Accessors of iterators have no key in the table, but a deletion of many rows looks at each once.
  @Test func deletingManyLooksAtMovingAccessorsOnce() throws {
    let configuration = Self.configuration()
    try onOwnThread {
      let realm = try Realm(configuration: configuration)
      try Self.fill(realm, 3_000)
      let handle = realm.instance.requireHandle(Item.self)
      let keys = realm.objects(Item.self).map { RowKey($0._key) } as [RowKey]
      let moving = (0..<100).map { handle.make(keys[$0 * 30], at: nil, .moving) as! Item }
      let before = handle.accessors.examinedCount
      try realm.write { realm.delete(realm.objects(Item.self).filter { $0.id < 1_500 }) }
      #expect(handle.accessors.examinedCount - before < 5_000)
      try Self.elsewhere(configuration) { $0.delete($0.objects(Item.self).where { $0.id < 2_400 }) }
      realm.refresh()
      #expect(handle.accessors.examinedCount - before < 10_000)
      for (index, item) in moving.enumerated() {
        #expect(item.isInvalidated == (index * 30 < 2_400))
        #expect(item.text == "text \(index * 30)")
      }
    }
  }

  /// Against a model: accessors of all kinds, deletions here and elsewhere, cancelled transactions.
  @Test(arguments: 0..<12 as Range<UInt64>) func lastValuesAgreeWithAModel(seed: UInt64) throws {
    let configuration = Self.configuration()
    try onOwnThread {
      var random = SeededRandom(seed)
      let realm = try Realm(configuration: configuration)
      let count = 600
      try Self.fill(realm, count)
      var held: [(item: Item, id: Int)] = []
      var living = Set(0..<count)
      for round in 0..<60 {
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          let id = living.randomElement(using: &random)!
          if Bool.random(using: &random), let item = realm.object(ofType: Pointer.self, forPrimaryKey: id)?.item {
            held.append((item, id))
          } else {
            held.append((realm.object(ofType: Item.self, forPrimaryKey: id)!, id))
          }
        }
        for item in realm.objects(Item.self).prefix(3) where Bool.random(using: &random) {
          held.append((item, item.id))
        }
        let doomed = Set((0..<Int.random(in: 0...8, using: &random)).map { _ in living.randomElement(using: &random)! })
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          try realm.write { for id in doomed { realm.delete(realm.object(ofType: Item.self, forPrimaryKey: id)!) } }
          living.subtract(doomed)
        case 1:
          try Self.elsewhere(configuration) { other in
            for id in doomed { other.delete(other.object(ofType: Item.self, forPrimaryKey: id)!) }
          }
          realm.refresh()
          living.subtract(doomed)
        default:
          realm.beginWrite()
          let new = Item()
          new.id = 100_000 + round
          new.text = "text \(new.id)"
          realm.add(new)
          realm.cancelWrite()
          held.append((new, new.id))
        }
        for (item, id) in held {
          #expect(item.isInvalidated == !living.contains(id), "seed \(seed), round \(round), id \(id)")
          #expect(item.text == "text \(id)", "seed \(seed), round \(round)")
        }
      }
    }
  }
}
