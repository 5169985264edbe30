import Foundation
import TestSupport

@testable import Firn

enum FuzzColour: String, PersistableEnum {
  case red, green
}

struct FuzzMetres: CustomPersistable {
  typealias PersistedType = Double
  var count: Double

  init(_ count: Double) { self.count = count }
  init(persistedValue: Double) { count = persistedValue }
  var persistableValue: Double { count }
}

struct FuzzSpot: CustomPersistable {
  typealias PersistedType = FuzzPlace
  var city: String

  init(_ city: String) { self.city = city }
  init(persistedValue: FuzzPlace) { city = persistedValue.city }
  var persistableValue: FuzzPlace { FuzzPlace(value: [city]) }
}

final class FuzzPlace: EmbeddedObject {
  @Persisted var city: String
  @Persisted var height: Int?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A property of each kind, some with names that are keywords.
final class FuzzNode: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flag: Bool
  @Persisted(indexed: true) var number: Int
  @Persisted var maybeNumber: Int?
  @Persisted var small: Int8
  @Persisted var ratio: Float?
  @Persisted var price: Double
  @Persisted(indexed: true) var name: String
  @Persisted var note: String?
  @Persisted var bytes: Data?
  @Persisted var date: Date
  @Persisted var amount: Decimal128?
  @Persisted var oid: ObjectId
  @Persisted var token: UUID?
  @Persisted var any: AnyRealmValue
  @Persisted var colour: FuzzColour
  @Persisted var metres = FuzzMetres(0)
  @Persisted var spot: FuzzSpot?
  @Persisted var parent: FuzzNode?
  @Persisted var place: FuzzPlace?
  @Persisted var `in`: Int
  @Persisted var `true`: Int
  @Persisted var numbers: List<Int>
  @Persisted var notes: List<String?>
  @Persisted var names: MutableSet<String>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var prices: Map<String, Double>
  @Persisted var mixed: Map<String, AnyRealmValue>
  @Persisted var friends: List<FuzzNode>
  @Persisted var circle: MutableSet<FuzzNode>
  @Persisted var roles: Map<String, FuzzNode?>
  @Persisted var spots: List<FuzzSpot>
  @Persisted(originProperty: "parent") var children: LinkingObjects<FuzzNode>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  static func makeRealm(count: Int, _ random: inout SeededRandom) throws -> Realm {
    let realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [FuzzNode.self, FuzzPlace.self]))
    try realm.write {
      for id in 0..<count { realm.add(make(id, realm.objects(FuzzNode.self), &random)) }
    }
    return realm
  }

  private static func make(_ id: Int, _ others: Results<FuzzNode>, _ random: inout SeededRandom) -> FuzzNode {
    func maybe<T>(_ value: T) -> T? { random.chance(30) ? nil : value }
    let node = FuzzNode()
    node.id = id
    node.flag = random.chance(50)
    node.number = FuzzValues.number(&random)
    node.maybeNumber = maybe(FuzzValues.number(&random))
    node.small = Int8(truncatingIfNeeded: FuzzValues.number(&random))
    node.ratio = maybe(Float(FuzzValues.double(&random)))
    node.price = FuzzValues.double(&random)
    node.name = FuzzValues.text(&random)
    node.note = maybe(FuzzValues.text(&random))
    node.bytes = maybe(Data(FuzzValues.text(&random).utf8))
    node.date = FuzzValues.date(&random)
    node.amount = maybe(Decimal128(value: Decimal(FuzzValues.number(&random))))
    node.token = maybe(FuzzValues.token(&random))
    node.oid = FuzzValues.oid(&random)
    node.any = FuzzValues.mixed(&random)
    node.colour = random.chance(50) ? .red : .green
    node.metres = FuzzMetres(FuzzValues.double(&random))
    node.spot = maybe(FuzzSpot(FuzzValues.text(&random)))
    node.place = maybe(FuzzPlace(value: [FuzzValues.text(&random), maybe(FuzzValues.number(&random)) as Any] as [Any]))
    node.in = FuzzValues.number(&random)
    node.true = FuzzValues.number(&random)
    for _ in 0..<random.below(4) {
      node.numbers.append(FuzzValues.number(&random))
      node.notes.append(maybe(FuzzValues.text(&random)))
      node.names.insert(FuzzValues.text(&random))
      node.anys.append(FuzzValues.mixed(&random))
      node.prices[FuzzValues.key(&random)] = FuzzValues.double(&random)
      node.mixed[FuzzValues.key(&random)] = FuzzValues.mixed(&random)
      node.spots.append(FuzzSpot(FuzzValues.text(&random)))
      if others.isEmpty { continue }
      let other = others[random.below(others.count)]
      node.parent = other
      node.friends.append(other)
      node.circle.insert(other)
      node.roles[FuzzValues.key(&random)] = .some(maybe(other))
    }
    return node
  }
}

/// Few values of each kind, so that conditions hold for some.
enum FuzzValues {
  static func number(_ random: inout SeededRandom) -> Int { [0, 1, 2, 3, -1, 7][random.below(6)] }
  static func double(_ random: inout SeededRandom) -> Double { [0, 0.5, 1, -2.25, 3, 1e9][random.below(6)] }
  static func text(_ random: inout SeededRandom) -> String {
    ["", "a", "ab", "B", "é", "x*y", "\0", "straße", "a'b\\c\"d\n"][random.below(9)]
  }
  static func key(_ random: inout SeededRandom) -> String { ["k", "l", "K", ""][random.below(4)] }
  static func date(_ random: inout SeededRandom) -> Date {
    Date(timeIntervalSince1970: [0, 1_700_000_000, 1_700_000_000.5][random.below(3)])
  }
  static func token(_ random: inout SeededRandom) -> UUID {
    UUID(uuid: (UInt8(random.below(3)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  static func oid(_ random: inout SeededRandom) -> ObjectId {
    (try? ObjectId(string: "00000000000000000000000\(random.below(3))")) ?? ObjectId()
  }

  static func mixed(_ random: inout SeededRandom, depth: Int = 0) -> AnyRealmValue {
    switch random.below(depth < 2 ? 11 : 8) {
    case 0: return .none
    case 1: return .int(number(&random))
    case 2: return .double(double(&random))
    case 3: return .bool(random.chance(50))
    case 4: return .string(text(&random))
    case 5: return .data(Data(text(&random).utf8))
    case 6: return .date(date(&random))
    case 7: return .uuid(token(&random))
    case 8, 9:
      let list = List<AnyRealmValue>()
      for _ in 0..<random.below(3) { list.append(mixed(&random, depth: depth + 1)) }
      return .list(list)
    default:
      let map = Map<String, AnyRealmValue>()
      for _ in 0..<random.below(3) { map[key(&random)] = mixed(&random, depth: depth + 1) }
      return .dictionary(map)
    }
  }
}
