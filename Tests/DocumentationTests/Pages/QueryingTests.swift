import Firn
import Testing

@MainActor @Suite struct QueryingTests {
  class Airline: Object {
    @Persisted var country: String
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var destination: String
    @Persisted var gate: String?
    @Persisted var delay: Int
    @Persisted var airline: Airline?
  }

  @Test func finding() throws {
    let realm = try makeRealm(Flight.self, Airline.self)
    try realm.write {
      realm.create(Flight.self, value: ["B6 1", "BOS", "A1", 40, ["US"]])
      realm.create(Flight.self, value: ["LH 2", "FRA", "A2", 15, ["DE"]])
      realm.create(Flight.self, value: ["B6 3", "BOS", nil, 5, nil] as [Any?])
    }
    let found = Printout.of {
      let flights = realm.objects(Flight.self)
      let boston = flights.where { $0.destination == "BOS" && ($0.delay > 30 || $0.gate == nil) }
      let named = flights.where { $0.id.starts(with: "b6", options: .caseInsensitive) }
      let far = flights.where { $0.airline.country == "DE" && !$0.destination.in(["BOS", "JFK"]) }
      let between = flights.where { $0.delay.contains(10...20) }
      print(boston.count, named.count, far.count, between.count)
    }
    #expect(found == "2 2 1 1\n")
    let flights = realm.objects(Flight.self)
    let boston = flights.where { $0.destination == "BOS" && ($0.delay > 30 || $0.gate == nil) }
    let ordered = Printout.of {
      let byDelay = boston.sorted(by: \.delay, ascending: false)
      let byAirline = boston.sorted(by: [
        SortDescriptor(keyPath: "airline.country"), SortDescriptor(keyPath: "delay", ascending: false),
      ])
      let countries = flights.distinct(by: ["airline.country"])
      print(byDelay.first?.id ?? "none", byAirline.count, countries.count)
    }
    #expect(ordered == "B6 1 2 2\n")
    let summed = Printout.of {
      let total: Int = boston.sum(of: \.delay)
      let worst: Int? = boston.max(of: \.delay)
      let mean: Double? = boston.average(ofProperty: "delay")
      print(total, worst ?? 0, mean ?? 0)
    }
    #expect(summed == "45 40 22.5\n")
    let explained = Printout.of {
      print(boston.explain())
    }
    #expect(explained.contains("index"), "\(explained)")
    // The page says so of links that lead nowhere, of nil and of order.
    #expect(flights.where { $0.airline.country != "DE" }.count == 2)
    #expect(flights.sorted(byKeyPath: "gate").map { $0.id } == ["B6 3", "B6 1", "LH 2"])
    #expect(flights.map { $0.id } == ["B6 1", "LH 2", "B6 3"])
  }
}
