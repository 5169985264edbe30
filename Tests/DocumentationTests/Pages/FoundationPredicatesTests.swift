import Firn
import Foundation
import Testing

@MainActor @Suite struct FoundationPredicatesTests {
  class Airline: Object {
    @Persisted var country: String
  }

  class Passenger: Object {
    @Persisted var age: Int
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var destination: String
    @Persisted var delay: Int
    @Persisted var seats: Int?
    @Persisted var airline: Airline?
    @Persisted var passengers: List<Passenger>
  }

  private func makeFlights() throws -> Realm {
    let realm = try makeRealm(Flight.self, Airline.self, Passenger.self)
    try realm.write {
      realm.create(Flight.self, value: ["B6 1", "BOS", 40, 100, ["US"], [[7], [40]]] as [Any])
      realm.create(Flight.self, value: ["LH 22", "FRA", 15, nil, ["DE"]] as [Any?])
      realm.create(Flight.self, value: ["B6 333", "BOS", 5, 120, nil] as [Any?])
      realm.create(Flight.self, value: ["LH 4", "FRA", 0, 200, ["DE"]] as [Any])
    }
    return realm
  }

  @Test func conditions() throws {
    let realm = try makeFlights()
    let overview = Printout.of {
      let flights = realm.objects(Flight.self)
      let late = #Predicate<Flight> { $0.delay > 30 && $0.airline?.country == "US" }
      print(flights.where(late).count, flights.filter(late).first?.id ?? "none")
    }
    #expect(overview == "1 B6 1\n")
    let flights = realm.objects(Flight.self)
    let translated = Printout.of {
      let bound = flights.where(#Predicate { if let airline = $0.airline { airline.country == "DE" } else { false } })
      let near = flights.where(#Predicate { (10...20).contains($0.delay) || ($0.seats ?? 0) < 50 })
      let young = flights.where(#Predicate { $0.passengers.contains { $0.age < 10 } })
      print(bound.count, near.count, young.count)
    }
    #expect(translated == "2 1 1\n")
    let plans = Printout.of {
      let long = flights.where(#Predicate { $0.destination == "BOS" && $0.id.count > 4 })
      print(long.plan)
      let boston = flights.where(#Predicate { $0.destination == "BOS" && $0.delay > 30 })
      print(boston.plan.closureKeyPaths)
    }
    #expect(plans == "index destination, then filter on destination, id (by closure: id)\n[]\n")
    let rules = Printout.of {
      let full = flights.where(#Predicate { $0.airline!.country == "DE" })
      let perSeat = flights.where(#Predicate { $0.delay != 0 && 60 / $0.delay > 5 })
      print(full.count, perSeat.count)
    }
    #expect(rules == "2 1\n")
  }

  @Test func sorting() throws {
    let flights = try makeFlights().objects(Flight.self)
    let sorted = Printout.of {
      let byDelay = flights.sorted(using: Foundation.SortDescriptor(\.delay, order: .reverse))
      let byBoth = flights.sorted(using: [
        Foundation.SortDescriptor(\Flight.destination), Foundation.SortDescriptor(\Flight.delay),
      ])
      print(byDelay.first?.id ?? "none", Array(byBoth.map(\.id)))
    }
    #expect(sorted == "B6 1 [\"B6 333\", \"B6 1\", \"LH 4\", \"LH 22\"]\n")
  }
}
