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
