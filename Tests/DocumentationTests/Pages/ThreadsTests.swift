import Firn
import Testing

@MainActor @Suite struct ThreadsTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  @Test func readingElsewhere() async throws {
    let realm = try makeRealm(Flight.self)
    let flight = try realm.write { realm.create(Flight.self, value: ["id": "B6 1", "delay": 5]) }
    let printed = await Printout.of {
      let frozen = Frozen(flight)
      let text = await Task.detached { "\(frozen.id) \(frozen.delay)" }.value
      print(text)
    }
    #expect(printed == "B6 1 5\n")
  }
}
