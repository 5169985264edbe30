import Firn
import Testing

@MainActor @Suite struct DeclaringModelsTests {
  class Runway: Object {
    @Persisted var length: Int
  }

  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted(indexed: true) var city: String
    @Persisted var elevation: Double?
    @Persisted var opened = Date(timeIntervalSince1970: 0)
    @Persisted var runways: List<Runway>

    var isHigh: Bool { (elevation ?? 0) > 1_500 }
  }

  enum Status: String, PersistableEnum {
    case scheduled, departed, cancelled
  }

  class Passenger: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: String

    init(id: String, name: String) {
      self.name = name
      super.init()
      self.id = id
    }

    required init() { super.init() }
  }

  class Flight: Object {
    @Persisted var status: Status
    @Persisted var before: Status?
  }

  enum Code: Int, PersistableEnum {
    case none, one
  }

  class Hashed: Object {
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var int: Int
    @Persisted(indexed: true) var int8: Int8?
    @Persisted(indexed: true) var string: String?
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var objectID: ObjectId?
    @Persisted(indexed: true) var code: Code
  }

  class Ordered: Object {
    @Persisted(primaryKey: true) var name: UUID
    @Persisted(index: .ordered) var bool: Bool
    @Persisted(index: .ordered) var int: Int
    @Persisted(index: .ordered) var float: Float?
    @Persisted(index: .ordered) var double: Double
    @Persisted(index: .ordered) var string: String?
    @Persisted(index: .ordered) var data: Data
    @Persisted(index: .ordered) var date: Date
    @Persisted(index: .unique) var uuid: UUID
    @Persisted(index: .unique) var objectID: ObjectId?
    @Persisted(index: .ordered) var decimal: Decimal128
    @Persisted(index: .ordered) var mixed: AnyRealmValue
    @Persisted(index: .ordered) var status: Status?
    @Persisted var link: Runway?
    @Persisted var embedded: Position?
    @Persisted var runways: List<Runway>

    override class func indexes() -> [Index] {
      [
        Index(\Ordered.name), Index(\Ordered.link), Index(\Ordered.embedded),
        Index(\Ordered.double, \Ordered.data, \Ordered.decimal, \Ordered.mixed), Index(\Ordered.int, \Ordered.string),
      ]
    }
  }

  class Position: EmbeddedObject {
    @Persisted var height: Int
  }

  class WithIndexOfList: Object {
    @Persisted var runways: List<Runway>

    override class func indexes() -> [Index] { [Index(\WithIndexOfList.runways)] }
  }

  class WithHashOfDouble: Object {
    @Persisted var height: Double

    override class func indexedProperties() -> [String] { ["height"] }
  }

  class WithTrueOrFalseAsKey: Object {
    @Persisted(primaryKey: true) var isOpen: Bool
  }

  @Test func indexesByType() throws {
    let realm = try makeRealm(Hashed.self, Ordered.self, Runway.self, Position.self)
    try realm.write { for _ in 0..<40 { _ = (realm.create(Hashed.self), realm.create(Ordered.self)) } }
    let hashed = realm.objects(Hashed.self).where { $0.date == .distantPast }
    #expect(hashed.explain().hasPrefix("index date"))
    let sorted = realm.objects(Ordered.self)
    for name in ["name", "bool", "float", "date", "uuid", "objectID", "decimal", "mixed", "status"] {
      #expect(sorted.sorted(byKeyPath: name).explain().hasSuffix("in the order of ordered index \(name)"))
    }
    #expect(sorted.where { $0.data == Data([1]) }.explain() == "ordered index data")
    for type in [WithIndexOfList.self, WithHashOfDouble.self, WithTrueOrFalseAsKey.self] {
      #expect(throws: Realm.Error.self) { try makeRealm(type, Runway.self) }
    }
  }

  @Test func starting() throws {
    let realm = try makeRealm(Airport.self, Runway.self, Flight.self)
    let (airport, flight) = try realm.write {
      (realm.create(Airport.self, value: ["code": "DEN", "elevation": 1_656]), realm.create(Flight.self))
    }
    #expect(airport.isHigh && airport.city == "" && airport.runways.isEmpty)
    #expect(airport.opened == Date(timeIntervalSince1970: 0))
    #expect(flight.status == .scheduled && flight.before == nil)
    let passenger = Passenger(id: "1", name: "Ada")
    #expect(passenger.id == "1" && passenger.name == "Ada" && Passenger().name == "")
  }
}
