import Foundation
import TestSupport

@testable import Firn

final class FacedItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var group: Int
  @Persisted var number: Int
  @Persisted var weight: Double
  @Persisted var name: String?
  @Persisted var owner: FacedOwner?
}

final class FacedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var items: List<FacedItem>
  @Persisted var favourites: MutableSet<FacedItem>
  @Persisted var shelf: Map<String, FacedItem?>
  @Persisted var codes: List<Int>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<FacedItem>
}

final class FacedLine: Projection<FacedItem> {
  @Projected(\FacedItem.number) var number
  @Projected(\FacedItem.owner?.name) var ownerName
}

final class FacedOwnerLine: Projection<FacedOwner> {
  @Projected(\FacedOwner.name) var name
  @Projected(\FacedOwner.items.projectTo.number) var numbers: ProjectedCollection<Int>
}

struct FacedRow: ValueProjection {
  let number: Int
  let ownerName: String?

  static var keyPaths: [PartialKeyPath<FacedItem>] { [\.number, \.owner?.name] }

  init(projecting item: FacedItem) {
    number = item.number
    ownerName = item.owner?.name
  }
}

enum Faced {
  static func configuration() -> Realm.Configuration {
    Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [FacedItem.self, FacedOwner.self])
  }

  /// A store with so many items.
  static func open(_ maximumObserverLag: Int = 64 << 20, items count: Int) async throws -> RealmStore {
    var configuration = configuration()
    configuration.maximumObserverLag = maximumObserverLag
    let store = try await RealmStore.open(configuration)
    try await store.write { realm in
      for id in 0..<count { realm.create(FacedItem.self, value: ["id": id, "number": id]) }
    }
    return store
  }

  /// Owners 0 to 4 with items in their collections, each item owned by one of them.
  static func fill(_ realm: Realm) {
    for id in 0..<5 { realm.create(FacedOwner.self, value: ["id": id, "name": "owner \(id)"] as [String: Any]) }
    let owners = Array(realm.objects(FacedOwner.self))
    for id in 0..<40 {
      let item = realm.create(
        FacedItem.self, value: ["id": id, "group": id % 4, "number": id, "weight": Double(id) / 4] as [String: Any])
      let owner = owners[id % 5]
      item.owner = owner
      owner.items.append(item)
      if id % 2 == 0 { owner.favourites.insert(item) }
      if id % 3 == 0 { owner.shelf["item \(id)"] = item }
      owner.codes.append(id)
    }
  }

  /// Commits as often as asked.
  static func write(to store: RealmStore, commits: Int, seed: UInt64) async throws {
    var random = SeededRandom(seed)
    for _ in 0..<commits {
      let next = random.next()
      try await store.write { realm in
        var random = SeededRandom(next)
        for _ in 0...random.below(4) { write(realm, &random) }
      }
    }
  }

  /// Changes something that some faces show.
  static func write(_ realm: Realm, _ random: inout SeededRandom) {
    let items = realm.objects(FacedItem.self)
    let owners = realm.objects(FacedOwner.self)
    let owner = owners[random.below(owners.count)]
    guard let item = items.isEmpty ? nil : items[random.below(items.count)] else {
      realm.create(FacedItem.self, value: ["id": 0])
      return
    }
    switch random.below(12) {
    case 0:
      let id = random.below(60)
      // Perhaps one of this transaction's own deletions comes back under its key.
      if let old = realm.object(ofType: FacedItem.self, forPrimaryKey: id) { realm.delete(old) }
      let new = realm.create(FacedItem.self, value: ["id": id, "group": id % 4, "number": id] as [String: Any])
      new.owner = owner
    case 1: realm.delete(item)
    case 2: item.group = random.below(4)
    case 3: item.number = random.below(50)
    case 4: item.weight = [.nan, .infinity, -0.0, 0.5, 1.25][random.below(5)]
    case 5: item.owner = random.chance(30) ? nil : owner
    case 6: owner.name = "owner \(random.below(9))"
    case 7: owner.items.append(item)
    case 8: if !owner.items.isEmpty { owner.items.remove(at: random.below(owner.items.count)) }
    case 9: owner.favourites.insert(item)
    case 10: owner.shelf["item \(random.below(20))"] = random.chance(30) ? nil : .some(item)
    default: owner.codes.append(random.below(9))
    }
  }
}
