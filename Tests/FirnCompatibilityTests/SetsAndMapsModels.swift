import Firn
import Foundation
import Testing

enum SetsColour: String, PersistableEnum {
  case red, green, blue
}

class SetsItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var name: String?
  @Persisted var next: SetsItem?
  @Persisted var score: Double?
  @Persisted(originProperty: "items") var sets: LinkingObjects<SetsOwner>
  @Persisted(originProperty: "items") var maps: LinkingObjects<MapsOwner>

  convenience init(_ id: Int, number: Int = 0) {
    self.init()
    self.id = id
    self.number = number
  }
}

/// Without a primary key.
class SetsPlain: Object {
  @Persisted var number: Int

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

class SetsOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var ints: MutableSet<Int>
  @Persisted var optionalInts: MutableSet<Int?>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var strings: MutableSet<String>
  @Persisted var data: MutableSet<Data>
  @Persisted var dates: MutableSet<Date>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var flags: MutableSet<Bool>
  @Persisted var colours: MutableSet<SetsColour>
  @Persisted var optionalStrings: MutableSet<String?>
  @Persisted var items: MutableSet<SetsItem>
  @Persisted var plains: MutableSet<SetsPlain>
}

class MapsOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var ints: Map<String, Int>
  @Persisted var optionalInts: Map<String, Int?>
  @Persisted var doubles: Map<String, Double>
  @Persisted var strings: Map<String, String>
  @Persisted var optionalStrings: Map<String, String?>
  @Persisted var data: Map<String, Data>
  @Persisted var dates: Map<String, Date>
  @Persisted var uuids: Map<String, UUID>
  @Persisted var colours: Map<String, SetsColour>
  @Persisted var items: Map<String, SetsItem?>
}

enum SetsAndMaps {
  static let types: [ObjectBase.Type] = [
    SetsOwner.self, SetsItem.self, SetsPlain.self, MapsOwner.self,
  ]

  static func realm() throws -> Realm {
    try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
  }

  static func setOwner(_ realm: Realm, id: Int = 0, _ fill: (SetsOwner) -> Void = { _ in }) throws -> SetsOwner {
    let owner = SetsOwner()
    owner.id = id
    fill(owner)
    try realm.write { realm.add(owner) }
    return owner
  }

  static func mapOwner(_ realm: Realm, id: Int = 0, _ fill: (MapsOwner) -> Void = { _ in }) throws -> MapsOwner {
    let owner = MapsOwner()
    owner.id = id
    fill(owner)
    try realm.write { realm.add(owner) }
    return owner
  }

  static func set<Element: RealmCollectionValue>(_ elements: Element...) -> MutableSet<Element> {
    let set = MutableSet<Element>()
    set.insert(objectsIn: elements)
    return set
  }

  static func map<Value: RealmCollectionValue>(_ entries: KeyValuePairs<String, Value>) -> Map<String, Value> {
    let map = Map<String, Value>()
    for (key, value) in entries { map[key] = value }
    return map
  }
}
