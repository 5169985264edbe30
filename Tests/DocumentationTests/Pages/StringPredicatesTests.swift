import Firn
import Foundation
import Testing

@MainActor @Suite struct StringPredicatesTests {
  enum Status: String, PersistableEnum {
    case boarding, gone, planned
  }

  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var city: String
  }

  class Passenger: Object {
    @Persisted var name: String
    @Persisted var age: Int
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var delay: Int?
    @Persisted var gate: String?
    @Persisted var isFull: Bool
    @Persisted var seats: Int
    @Persisted var sold: Int
    @Persisted var status: Status
    @Persisted var departs: Date
    @Persisted var origin: Airport?
    @Persisted var passengers: List<Passenger>
    @Persisted var stops: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
    @Persisted var extra: AnyRealmValue
  }

  private func makeFlights() throws -> Realm {
    let realm = try makeRealm(Flight.self, Airport.self, Passenger.self)
    let day = Date(timeIntervalSince1970: 1_709_000_000)
    try realm.write {
      realm.create(
        Flight.self,
        value: [
          "id": 1, "delay": 45, "gate": "A1", "seats": 40, "sold": 30, "status": Status.boarding, "departs": day,
          "origin": ["BOS", "Boston"],
          "passengers": [["Ann", 30], ["Ada", 35], ["Bob", 7]] as [[Any]], "stops": [1, 3], "tags": ["quiet"],
          "prices": ["economy": 90.0, "first": 700.0], "extra": ["meals": ["soup", "salad"]],
        ] as [String: Any])
      realm.create(
        Flight.self,
        value: [
          "id": 2, "gate": "a2", "isFull": true, "seats": 30, "sold": 30, "status": Status.gone,
          "departs": day + 86_400 * 30, "origin": ["ZRH", "Zürich"], "passengers": [["Eve", 20]] as [[Any]],
          "prices": ["economy": 120.0],
        ] as [String: Any])
      realm.create(
        Flight.self,
        value: ["id": 3, "delay": 10, "seats": 90, "sold": 2, "status": Status.planned, "departs": day]
          as [String: Any])
    }
    return realm
  }

  @Test func comparing() throws {
    let realm = try makeFlights()
    let overview = Printout.of {
      let flights = realm.objects(Flight.self)
      let late = flights.filter("delay > %@ AND origin.city == 'Boston'", 30)
      let first = flights.index(matching: "gate == nil")
      print(late.count, first ?? -1)
    }
    #expect(overview == "1 2\n")
    let flights = realm.objects(Flight.self)
    let logical = Printout.of {
      let logic = [
        "delay > 30 AND NOT gate == nil",
        "delay > 30 && !(gate == nil || isFull == TRUE)",
        "gate == nil or isFull == yes",
        "TRUEPREDICATE",
        "FALSEPREDICATE",
      ]
      print(logic.map { flights.filter($0).count })
    }
    #expect(logical == "[1, 1, 2, 3, 0]\n")
    let compared = Printout.of {
      let comparing = [
        "delay == 45",
        "delay != nil",
        "45 >= delay",
        "seats > sold",
        "delay BETWEEN {10, 50}",
        "gate IN {'A1', 'B2', NULL}",
        "departs < @2024-03-01T00:00:00Z",
        "origin == nil",
      ]
      print(comparing.map { flights.filter($0).count })
    }
    #expect(compared == "[1, 2, 2, 2, 2, 2, 2, 1]\n")
    let searched = Printout.of {
      let texts = [
        "gate BEGINSWITH 'A'",
        "gate ENDSWITH '1'",
        "origin.city CONTAINS[cd] 'zur'",
        "origin.city ==[c] 'BOSTON'",
        "gate LIKE 'A?'",
        "gate LIKE[c] 'a*'",
      ]
      print(texts.map { flights.filter($0).count })
    }
    #expect(searched == "[1, 1, 1, 1, 1, 2]\n")
  }

  @Test func arguments() throws {
    let realm = try makeFlights()
    let flights = realm.objects(Flight.self)
    let boston = try #require(realm.object(ofType: Airport.self, forPrimaryKey: "BOS"))
    let counts = Printout.of {
      let given = [
        flights.filter("%K > %d", "delay", 30),
        flights.filter("status IN %@", [Status.boarding, .gone]),
        flights.filter("delay > $0 OR seats < $0", 40),
        flights.filter("gate == %@", String?.none as Any),
        flights.filter("origin == %@", boston),
      ]
      print(given.map(\.count))
    }
    #expect(counts == "[1, 2, 2, 1, 1]\n")
    let compound = Printout.of {
      let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "delay > %@", 30), NSPredicate(format: "gate != nil"),
      ])
      print(flights.filter(predicate).count)
    }
    #expect(compound == "1\n")
  }

  @Test func collections() throws {
    let realm = try makeFlights()
    let flights = realm.objects(Flight.self)
    let counts = Printout.of {
      let collections = [
        "ANY passengers.age < 18",
        "SOME stops > 2",
        "NONE passengers.name == 'Ada'",
        "3 IN stops",
        "ANY tags BEGINSWITH 'q'",
        "passengers.@count >= 2",
        "stops.@min == 1",
        "stops.@max > 2 OR stops.@sum == 0",
        "passengers.@avg.age > 30",
        "passengers.@count < sold",
        "SUBQUERY(passengers, $p, $p.age >= 18 AND $p.name != 'Bob').@count > 1",
      ]
      print(collections.map { flights.filter($0).count })
    }
    #expect(counts == "[1, 1, 2, 1, 1, 1, 1, 3, 0, 3, 1]\n")
    let nested = Printout.of {
      let maps = [
        "prices['economy'] < 100",
        "ANY prices > 500",
        "prices.@allKeys ==[c] 'FIRST'",
        "extra['meals'][0] == 'soup'",
        "extra['meals'][#any] BEGINSWITH 's'",
      ]
      print(maps.map { flights.filter($0).count })
    }
    #expect(nested == "[1, 1, 1, 1, 1]\n")
  }

  @Test func textFromOutside() throws {
    let realm = try makeFlights()
    let flights = realm.objects(Flight.self)
    let refused = try Printout.of {
      do {
        print(try flights.filter(parsing: "delay > %@ AND gat == 'A1'", arguments: [30]).count)
      } catch let error as Realm.Error {
        print(error, error.invalidPredicate?.position ?? 0)
      }
    }
    // As the page has it.
    let sentence =
      "Property 'gat' not found in object of type 'Flight'. Is 'gate' meant? (at byte 15: "
      + "\"delay > %@ AND ▸gat == 'A1'\")"
    #expect(refused == sentence + " 15\n")
    #expect(flights.filter("#status == 'gone'").count == 1)
    #expect(flights.filter("SELF == %@", flights[0]).count == 1)
  }

  /// What the comments of `filter` show.
  @Test func comments() throws {
    let realm = try makeFlights()
    let late = realm.objects(Flight.self).filter("delay > %@ AND origin.city == 'Boston'", 30)
    #expect(late.count == 1)
    let flights = realm.objects(Flight.self)
    let text = "delay > %@"
    let found = try flights.filter(parsing: text, arguments: [30])
    #expect(found.count == 1)
  }
}
