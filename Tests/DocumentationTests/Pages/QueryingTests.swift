import Firn
import Testing

@MainActor @Suite struct QueryingTests {
  class Airline: Object {
    @Persisted var country: String
    @Persisted(originProperty: "airline") var flights: LinkingObjects<Flight>
  }

  class Passenger: Object {
    @Persisted var name: String
    @Persisted var age: Int?

    convenience init(_ name: String, _ age: Int?) {
      self.init()
      (self.name, self.age) = (name, age)
    }
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var destination: String
    @Persisted var gate: String?
    @Persisted var delay: Int
    @Persisted var airline: Airline?
    @Persisted var remark: String
    @Persisted var bags: List<Double>
    @Persisted var codes: MutableSet<String>
    @Persisted var fares: Map<String, Double>
    @Persisted var passengers: List<Passenger>
  }

  @Test func finding() throws {
    let realm = try makeRealm(Flight.self, Airline.self, Passenger.self)
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

  @Test func texts() throws {
    let realm = try makeRealm(Flight.self, Airline.self, Passenger.self)
    try realm.write {
      for (id, remark) in [("B6 1", "Delayed"), ("LH 2", "to BOS, express"), ("B6 10", "Zurich"), ("UA 4", "On Time")] {
        realm.create(Flight.self, value: ["id": id, "destination": "BOS", "remark": remark])
      }
    }
    let flights = realm.objects(Flight.self)
    let found = Printout.of {
      let late = flights.where { $0.remark.contains("delay", options: .caseInsensitive) }
      let express = flights.where { $0.id.like("B6 ?") || $0.remark.ends(with: "express") }
      let noted = flights.where { $0.remark.contains($0.destination) }
      let zurich = flights.where { $0.remark.equals("ZÜRICH", options: [.caseInsensitive, .diacriticInsensitive]) }
      let other = flights.where { $0.remark.notEquals("on time", options: .caseInsensitive) }
      print(late.count, express.count, noted.count, zurich.count, other.count)
    }
    #expect(found == "1 2 1 1 3\n")
  }

  private func filled() throws -> Realm {
    let realm = try makeRealm(Flight.self, Airline.self, Passenger.self)
    try realm.write {
      let airline = realm.create(Airline.self, value: ["country": "CH"])
      let full: [String: Any] = [
        "id": "LX 1", "airline": airline, "delay": 5, "bags": [12.5, 31, 18], "codes": ["UA 7"],
        "fares": ["economy": 80, "first": 950], "passengers": [Passenger("Ada", 40), Passenger("Bob", 9)],
      ]
      let small: [String: Any] = [
        "id": "LX 2", "delay": 40, "bags": [20], "codes": ["LX 2"], "fares": ["premium": 300],
        "passengers": [Passenger("Eve", 33)],
      ]
      for value in [full, small, ["id": "LX 3", "delay": 20], ["id": "LX 4"]] {
        realm.create(Flight.self, value: value)
      }
    }
    return realm
  }

  @Test func collections() throws {
    let realm = try filled()
    let flights = realm.objects(Flight.self)
    let some = Printout.of {
      let heavy = flights.where { $0.bags > 30 }
      let one = flights.where { $0.bags == 12.5 }
      let coded = flights.where { $0.codes.contains("UA 7") || $0.codes.containsAny(in: ["LX 1", "LX 2"]) }
      let kids = flights.where { $0.passengers.age < 12 }
      let busy = realm.objects(Airline.self).where { $0.flights.passengers.name == "Ada" }
      print(heavy.count, one.count, coded.count, kids.count, busy.count)
    }
    #expect(some == "1 1 2 1 1\n")
    let aggregates = Printout.of {
      let full = flights.where { $0.passengers.count >= 2 }
      let loaded = flights.where { $0.bags.sum > 40 && $0.bags.max <= 32 && $0.bags.min > 5 && $0.bags.avg > 10 }
      let grown = flights.where { $0.passengers.age.avg > 30 }
      let usual = flights.where { $0.bags.contains(5.0...25.0) }
      print(full.count, loaded.count, grown.count, usual.count)
    }
    #expect(aggregates == "1 1 1 1\n")
    let elements = Printout.of {
      let different = flights.where { $0.passengers.age < 12 && $0.passengers.name == "Ada" }
      let same = flights.where { ($0.passengers.age < 12 && $0.passengers.name == "Ada").count > 0 }
      print(different.count, same.count)
    }
    #expect(elements == "1 0\n")
    let maps = Printout.of {
      let cheap = flights.where { $0.fares["economy"] < 100 }
      let first = flights.where { $0.fares.keys == "first" || $0.fares.keys.starts(with: "prem") }
      let dear = flights.where { $0.fares.values > 500 || $0.fares.max > 900 || $0.fares.count > 5 }
      print(cheap.count, first.count, dear.count)
    }
    #expect(maps == "1 2 1\n")
    let values = Printout.of {
      let flight = flights[0]
      let light = flight.bags.where { $0 < 20 }
      let place = flight.bags.index(matching: { $0 > 30 })
      print(light.count, place ?? -1)
    }
    #expect(values == "2 1\n")
    let windows = Printout.of {
      let worstThree = flights.sorted(by: \.delay, ascending: false).limit(3)
      let nextThree = flights.sorted(by: \.delay, ascending: false).limit(3, offset: 3)
      print(worstThree.map { $0.delay }, nextThree.count)
    }
    #expect(windows.hasSuffix(" 1\n"))
    #expect(flights.sorted(byKeyPath: "fares['economy']", ascending: false).first?.id == "LX 1")
  }
}
