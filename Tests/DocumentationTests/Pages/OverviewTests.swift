import Firn
import Testing

@MainActor @Suite struct OverviewTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var destination: String
    @Persisted var delay: Int?
  }

  @Test func firstSteps() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(Flight.self, value: ["id": "B6 123", "destination": "BOS"])
    }
    let late = realm.objects(Flight.self).where { $0.delay > 30 }.sorted(by: \.delay)
    #expect(late.isEmpty)
    try realm.write { realm.objects(Flight.self).first?.delay = 31 }
    #expect(late.map(\.id) == ["B6 123"])
  }
}
