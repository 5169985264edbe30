import Firn
import Foundation

enum OrderedColour: String, PersistableEnum {
  case red, green, blue
}

struct OrderedCode: CustomPersistable {
  typealias PersistedType = Int
  let number: Int

  init(_ number: Int) { self.number = number }
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int { number }
}

class OrderedPlace: EmbeddedObject {
  @Persisted var name: String
}

class OrderedItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var number: Int
  @Persisted var small: Int8
  @Persisted var score: Double?
  @Persisted var ratio: Float
  @Persisted var price: Decimal128
  @Persisted var born: Date
  @Persisted var isNew: Bool
  @Persisted var bytes: Data
  @Persisted var colour: OrderedColour
  @Persisted var any: AnyRealmValue
  @Persisted var place: OrderedPlace?
  @Persisted var next: OrderedItem?
  @Persisted var tags: List<String>
  @Persisted var friends: List<OrderedItem>
  @Persisted var notes: Map<String, String>
  @Persisted(originProperty: "items") var owners: LinkingObjects<OrderedOwner>

  convenience init(_ id: Int, _ name: String? = nil, number: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.number = number
  }
}

class OrderedOwner: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: String
  @Persisted var ints: List<Int>
  @Persisted var optionalInts: List<Int?>
  @Persisted var doubles: List<Double>
  @Persisted var strings: List<String>
  @Persisted var optionalStrings: List<String?>
  @Persisted var flags: List<Bool>
  @Persisted var dates: List<Date>
  @Persisted var data: List<Data>
  @Persisted var uuids: List<UUID>
  @Persisted var objectIds: List<ObjectId>
  @Persisted var decimals: List<Decimal128>
  @Persisted var colours: List<OrderedColour>
  @Persisted var codes: List<OrderedCode>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var intMap: Map<String, Int>
  @Persisted var optionalMap: Map<String, String?>
  @Persisted var items: List<OrderedItem>
  @Persisted var itemSet: MutableSet<OrderedItem>
  @Persisted var itemMap: Map<String, OrderedItem?>
}

enum Ordered {
  static let types: [ObjectBase.Type] = [OrderedOwner.self, OrderedItem.self, OrderedPlace.self]

  static func realm() throws -> Realm { try Realm(configuration: relationsConfiguration(types)) }

  /// An owner in a realm of its own.
  static func owner(_ fill: (OrderedOwner) -> Void = { _ in }) throws -> (realm: Realm, owner: OrderedOwner) {
    let realm = try realm()
    let owner = OrderedOwner()
    fill(owner)
    try realm.write { realm.add(owner) }
    return (realm, owner)
  }
}

/// Follows a collection of values by the changes that its observer gets.
final class OrderedFollower<C: RealmCollection> {
  private(set) var values: [C.Element] = []
  private(set) var calls: [String] = []

  func take(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial(let collection): values = Array(collection)
    case .update(let collection, let deletions, let insertions, let modifications):
      calls.append("\(deletions) \(insertions) \(modifications)")
      // What is modified is read again.
      var old = values.map { Optional.some($0) }
      for position in modifications where position < old.count { old[position] = .none }
      for position in deletions.reversed() where position < old.count { old.remove(at: position) }
      for position in insertions where position <= old.count { old.insert(.none, at: position) }
      let new = Array(collection)
      values = old.count == new.count ? zip(old, new).map { $0 ?? $1 } : []
    case .error: calls.append("error")
    }
  }
}
