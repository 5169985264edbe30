import Firn
import Foundation

enum Colour: String, PersistableEnum {
  case red, green, blue
}

final class Part: EmbeddedObject {
  @Persisted var number: Int
}

/// An object with a property of every kind.
final class Kinds: Object {
  @Persisted var int: Int
  @Persisted var optional: Int?
  @Persisted var bool: Bool
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted(indexed: true) var indexed: String
  @Persisted var date: Date
  @Persisted var data: Data
  @Persisted var uuid: UUID
  @Persisted var objectId: ObjectId
  @Persisted var decimal: Decimal128
  @Persisted var colour: Colour
  @Persisted var any: AnyRealmValue
  @Persisted var link: Kinds?
  @Persisted var part: Part?
  @Persisted var list: List<Int>
  @Persisted var set: MutableSet<Int>
  @Persisted var map: Map<String, Int>
  @Persisted(originProperty: "link") var backlinks: LinkingObjects<Kinds>
}

/// Some objects of all kinds, and one in the middle.
struct KindsFixture {
  let realm: Realm
  let kinds: Kinds
  /// The kinds of objects that one of these may link to.
  let others: (Kinds, Kinds)

  init() throws {
    let realm = try FirnFixture().realm
    try realm.write {
      for _ in 0..<300 { realm.add(Kinds()) }
    }
    let all = realm.objects(Kinds.self)
    let kinds = all[270]
    self.realm = realm
    self.kinds = kinds
    others = (all[3], all[290])
    let others = others
    try realm.write {
      kinds.link = others.0
      kinds.part = Part()
      kinds.list.append(objectsIn: 0..<100)
      kinds.set.insert(objectsIn: 0..<100)
      for number in 0..<100 { kinds.map["\(number)"] = number }
      others.0.link = kinds
      others.1.link = kinds
    }
  }
}
