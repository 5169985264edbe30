import Firn
import Foundation
import Testing

@MainActor @Suite struct IndexesTests {
  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var city: String
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(index: .hash) var airline: String
    @Persisted(index: .ordered) var delay: Int
    @Persisted var status: String
    @Persisted var departure: Date
    @Persisted var gate: Int?
    @Persisted var from: Airport?

    override class func indexes() -> [Index] {
      [
        Index(\Flight.status, \Flight.departure),
        Index(\Flight.from?.city),
        .unique(\Flight.gate, \Flight.departure),
      ]
    }
  }

  class Order: Object {
    @Persisted(primaryKey: true) var number: Int

    override class func indexes() -> [Index] { [Index(\Order.number)] }
  }

  @Test func primaryKeysHaveNoOrder() throws {
    let realm = try makeRealm(Airport.self, Order.self)
    try realm.write {
      for number in 0..<100 {
        realm.create(Airport.self, value: ["A\(number)", ""])
        realm.create(Order.self, value: [number])
      }
    }
    let airports = realm.objects(Airport.self)
    #expect(airports.where { $0.code == "A7" }.explain() == "primary key code")
    #expect(airports.where { $0.code.in(["A7", "A8"]) }.explain() == "primary key code")
    #expect(airports.sorted(by: \.code).explain() == "all rows of Airport, sorted by code")
    #expect(airports.where { $0.code.starts(with: "A9") }.explain() == "scan of Airport with filter on code")
    let orders = realm.objects(Order.self)
    #expect(orders.sorted(by: \.number).explain() == "all rows of Order, in the order of ordered index number")
    #expect(orders.where { $0.number > 98 }.explain() == "ordered index number")
  }

  @Test func page() throws {
    let realm = try makeRealm(Flight.self, Airport.self)
    let noon = Date(timeIntervalSince1970: 43_200)
    try realm.write {
      let zurich = realm.create(Airport.self, value: ["ZRH", "Zürich"])
      let boston = realm.create(Airport.self, value: ["BOS", "Boston"])
      for number in 0..<600 {
        realm.create(
          Flight.self,
          value: [
            "id": "F\(number)", "airline": "B6", "delay": number / 10,
            "status": number % 50 == 0 ? "boarding" : "planned",
            "departure": Date(timeIntervalSince1970: Double(86_400 - number * 120)), "gate": number,
            "from": number % 100 == 0 ? zurich : boston,
          ])
      }
    }
    let conditions = Printout.of {
      let flights = realm.objects(Flight.self)
      let late = flights.where { $0.delay > 30 }
      let soon = flights.where { $0.status == "boarding" && $0.departure < noon }
      let swiss = flights.where { $0.from.city.starts(with: "Z") }
      print(late.count, soon.count, swiss.count)
    }
    #expect(conditions == "290 4 6\n")
    let flights = realm.objects(Flight.self)
    let late = flights.where { $0.delay > 55 }
    let soon = flights.where { $0.status == "boarding" && $0.departure < noon }
    let orders = Printout.of {
      let next = flights.where { $0.status == "boarding" }.sorted(by: \.departure).first
      let worst = flights.sorted(by: \.delay, ascending: false).limit(3)
      let cities = flights.distinct(by: ["from.city"])
      let least: Int? = flights.min(of: \.delay)
      print(next?.id ?? "none", worst.count, cities.count, least ?? 0)
    }
    #expect(orders == "F550 3 2 0\n")
    let explained = Printout.of {
      print(late.explain())
      print(soon.explain())
      print(flights.sorted(by: \.delay).explain())
      print(late.plan.candidateCount)
    }
    #expect(
      explained == """
        ordered index delay
        ordered index status, departure
        all rows of Flight, in the order of ordered index delay
        40

        """)
    #expect(throws: Realm.Error.self) {
      try realm.write { realm.object(ofType: Flight.self, forPrimaryKey: "F1")?.setValue(0, forKey: "gate") }
      try realm.write {
        realm.object(ofType: Flight.self, forPrimaryKey: "F1")?.departure = Date(timeIntervalSince1970: 86_400)
      }
    }
  }
}
