import Firn
import Testing

@Suite struct WritingFromTasksTests {
  class Flight: Object, Codable {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  actor Desk {
    private var realm: Realm!
    private lazy var flights = realm.objects(Flight.self)

    init(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    func delay(_ id: String, by minutes: Int) async throws {
      try await realm.asyncWrite {
        realm.object(ofType: Flight.self, forPrimaryKey: id)?.delay += minutes
      }
    }

    func lateFlights() -> [String] { flights.where { $0.delay > 30 }.map(\.id) }
  }

  private func makeStore() async throws -> RealmStore {
    try await RealmStore.open(.init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
  }

  @Test func returning() async throws {
    let store = try await makeStore()
    let printed = try await Printout.of {
      let flight = try await store.write { realm in
        realm.create(Flight.self, value: ["id": "LH 400", "delay": 5])
      }
      print(flight.id, flight.delay)
    }
    #expect(printed == "LH 400 5\n")
    let more = try await Printout.of {
      let late = try await store.write { realm in realm.objects(Flight.self).where { $0.delay > 3 } }
      let count = try await store.write { realm in realm.objects(Flight.self).count }
      let names = try await store.write { realm in realm.objects(Flight.self).map { $0.id } }
      print(late.count, count, names)
    }
    #expect(more == "1 1 [\"LH 400\"]\n")
  }

  @Test func bringingObjectsIn() async throws {
    let store = try await makeStore()
    let body = Data(#"{"id": "LH 400", "delay": 5}"#.utf8)
    let decoded = try JSONDecoder().decode(Flight.self, from: body)
    try await store.write { realm in realm.add(decoded, update: .modified) }
    let list = Data(#"[{"id": "LH 400", "delay": 6}, {"id": "LH 401", "delay": 0}]"#.utf8)
    let flights = try JSONDecoder().decode([Flight].self, from: list)
    try await store.write { realm in
      for flight in flights { realm.add(flight, update: .modified) }
    }
    #expect(store.freeze().objects(Flight.self).map(\.delay) == [6, 0])
  }

  @Test func actors() async throws {
    let store = try await makeStore()
    try await store.write { $0.create(Flight.self, value: ["id": "LH 400", "delay": 20]) }
    let desk = try await Desk(store.configuration)
    #expect(await desk.lateFlights() == [])
    try await desk.delay("LH 400", by: 15)
    #expect(await desk.lateFlights() == ["LH 400"])
  }
}
