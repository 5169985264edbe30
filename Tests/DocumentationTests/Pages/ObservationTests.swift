import Firn
import Observation
import Testing

@MainActor @Suite struct ObservationTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var gate: String
    @Persisted var delay: Int
  }

  @Test func scopesAndLoops() async throws {
    let printed = try await Printout.of {
      var configuration = Realm.Configuration(inMemoryIdentifier: "airport", objectTypes: [Flight.self])
      configuration.tracksObservation = true
      let realm = try await Realm(configuration: configuration)
      let flight = try realm.write { realm.create(Flight.self, value: ["id": "B6 1", "delay": 5]) }
      withObservationTracking {
        print("\(flight.delay) minutes late")
      } onChange: {
        print("that changed")
      }
      try realm.write { flight.gate = "B7" }  // was not read
      try realm.write { flight.delay = 45 }

      let late = Observations { realm.objects(Flight.self).where { $0.delay > 30 }.count }
      for await count in late {
        print("\(count) flights are late")
        if count == 0 { break }
        try realm.write { flight.delay = 0 }
      }
    }
    #expect(printed == "5 minutes late\nthat changed\n1 flights are late\n0 flights are late\n")
  }
}
