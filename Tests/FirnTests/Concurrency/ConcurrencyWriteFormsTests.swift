import Firn
import Foundation
import Testing

private class Flight: Object, Codable {
  @Persisted(primaryKey: true) var id: String
  @Persisted var delay: Int
  @Persisted var stops: List<String>
  @Persisted var notes: Map<String, String>
}

private func makeStore() async throws -> RealmStore {
  try await RealmStore.open(.init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
}

/// Whether a process that was meant to trap said why.
private func trapSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

/// That each form compiles is half of the test.
@Suite struct ConcurrencyWriteFormsTests {
  @Test func anObjectComesBackFrozen() async throws {
    let store = try await makeStore()
    let flight = try await store.write { realm in realm.create(Flight.self, value: ["id": "LH400", "delay": 5]) }
    let typed: Frozen<Flight> = flight
    #expect(typed.id == "LH400" && typed.delay == 5)
    #expect(flight.withValue { $0.isFrozen })

    let changed = try await store.write { realm in
      let flight = realm.object(ofType: Flight.self, forPrimaryKey: "LH400")!
      flight.delay = 60
      flight.stops.append("FRA")
      return flight
    }
    #expect(changed.delay == 60 && changed.stops.elements == ["FRA"])
    #expect(flight.delay == 5)
    try await store.write { $0.deleteAll() }
    #expect(changed.delay == 60)
  }

  @Test func anObjectMayBeDiscarded() async throws {
    let store = try await makeStore()
    try await store.write { realm in realm.create(Flight.self, value: ["id": "LH400"]) }
    try await store.write { $0.create(Flight.self, value: ["id": "LH401"]) }
    try await store.write { realm in
      let flight = realm.create(Flight.self, value: ["id": "LH402"])
      flight.delay = 1
    }
    #expect(try await store.write { $0.objects(Flight.self).count } == 3)
  }

  @Test func anOptionalObjectComesBackFrozen() async throws {
    let store = try await makeStore()
    try await store.write { $0.create(Flight.self, value: ["id": "LH400"]) }
    let found = try await store.write { $0.object(ofType: Flight.self, forPrimaryKey: "LH400") }
    let typed: Frozen<Flight>? = found
    #expect(typed?.id == "LH400")
    #expect(try await store.write { $0.object(ofType: Flight.self, forPrimaryKey: "none") } == nil)
    let late = try await store.write { realm -> Flight? in
      guard let flight = realm.objects(Flight.self).first, flight.delay > 5 else { return nil }
      return flight
    }
    #expect(late == nil)
    let delay = try await store.write { $0.object(ofType: Flight.self, forPrimaryKey: "LH400")?.delay }
    let typedDelay: Int? = delay
    #expect(typedDelay == 0)
    try await store.write { $0.object(ofType: Flight.self, forPrimaryKey: "LH400")?.delay = 7 }
  }

  @Test func collectionsComeBackFrozen() async throws {
    let store = try await makeStore()
    let made = try await store.write { realm in
      ["A", "B"].map { realm.create(Flight.self, value: ["id": $0, "stops": ["FRA"], "notes": ["a": "b"]]) }
    }
    let typed: [Frozen<Flight>] = made
    #expect(typed.map(\.id) == ["A", "B"])
    let many = try await store.write { realm in
      var flights: [Flight] = []
      for id in ["C", "D"] { flights.append(realm.create(Flight.self, value: ["id": id])) }
      return flights
    }
    #expect(many.map(\.id) == ["C", "D"])
    let results: Frozen<Results<Flight>> = try await store.write { $0.objects(Flight.self).where { $0.delay == 0 } }
    try await store.write { $0.deleteAll() }
    #expect(results.map(\.id) == ["A", "B", "C", "D"])
    let list = try await store.write { realm in
      let flight = realm.create(Flight.self, value: ["id": "E", "stops": ["OSL"]])
      return flight.stops
    }
    #expect(list.elements == ["OSL"])
    let map = try await store.write { $0.objects(Flight.self).first?.notes }
    #expect(map?.count == 0)
  }

  @Test func valuesComeBackAsTheyAre() async throws {
    let store = try await makeStore()
    let count = try await store.write { $0.objects(Flight.self).count }
    let typed: Int = count
    #expect(typed == 0)
    let keys = try await store.write { realm in
      let flight = realm.create(Flight.self, value: ["id": "LH400"])
      return [flight.id]
    }
    #expect(keys == ["LH400"])
    let wasThere = try await store.write { realm in
      guard let flight = realm.object(ofType: Flight.self, forPrimaryKey: "LH400") else { return false }
      flight.delay = 9
      return true
    }
    #expect(wasThere)
    let anything = try await store.write { _ -> [String: Any] in ["a": 1] }
    #expect(anything["a"] as? Int == 1)
    let delays = try await store.write { realm in Array(realm.objects(Flight.self).map { $0.delay }) }
    #expect(delays == [9])
    let frozen = try await store.write { FrozenRealm($0) }
    #expect(frozen.objects(Flight.self).first?.delay == 9)
  }

  @Test func blocksMayBeStored() async throws {
    let store = try await makeStore()
    let block: @Sendable (Realm) throws -> Int = { realm in
      realm.create(Flight.self, value: ["id": "LH400"])
      return realm.objects(Flight.self).count
    }
    #expect(try await store.write(block) == 1)
    let void: @Sendable (Realm) throws -> Void = { realm in realm.deleteAll() }
    try await store.write(void)
    let making: @Sendable (Realm) throws -> Flight = { $0.create(Flight.self, value: ["id": "LH401"]) }
    #expect(try await store.write(making).id == "LH401")
    try await store.write(deadline: .now + .seconds(60), author: "desk", metadata: ["why": "test"], making2)
    func making2(_ realm: Realm) { realm.deleteAll() }
  }

  @Test func unmanagedObjectsAreBroughtIn() async throws {
    let store = try await makeStore()
    let json = Data(#"{"id": "LH400", "delay": 12, "stops": ["FRA"], "notes": {}}"#.utf8)
    let decoded = try JSONDecoder().decode(Flight.self, from: json)
    try await store.write { $0.add(decoded) }
    let other = Flight(value: ["id": "LH401", "delay": 3])
    let added = try await store.write { realm in
      realm.add(other, update: .modified)
      return other
    }
    #expect(added.delay == 3)
    let flights = try JSONDecoder().decode([Flight].self, from: Data("[".utf8 + json + "]".utf8))
    try await store.write { realm in
      for flight in flights { realm.add(flight, update: .all) }
    }
    for number in 0..<3 {
      let flight = Flight(value: ["id": "\(number)"])
      try await store.write { $0.add(flight) }
    }
    #expect(try await store.write { $0.objects(Flight.self).sum(of: \.delay) } == 15)
  }

  @MainActor @Test func theMainActorWrites() async throws {
    let store = try await makeStore()
    let decoded = Flight(value: ["id": "LH400"])
    let id = decoded.id
    let flight = try await store.write { realm in
      realm.add(decoded)
      let copy = realm.create(Flight.self, value: ["id": "copy of \(id)"])
      return copy
    }
    #expect(flight.id == "copy of LH400")
    #expect(try await store.write { $0.objects(Flight.self).count } == 2)
  }

  private actor Desk {
    let store: RealmStore
    var delay = 4

    init(_ store: RealmStore) { self.store = store }

    func make(_ id: String) async throws -> Frozen<Flight> {
      let unmanaged = Flight(value: ["id": id])
      let delay = delay
      try await store.write { $0.create(Flight.self, value: ["id": "other"]) }
      return try await store.write { realm in
        unmanaged.delay = delay
        realm.add(unmanaged)
        return unmanaged
      }
    }

    func count() async throws -> Int { try await store.write { $0.objects(Flight.self).count } }
  }

  @Test func actorsWrite() async throws {
    let desk = Desk(try await makeStore())
    #expect(try await desk.make("LH400").delay == 4)
    #expect(try await desk.count() == 2)
  }

  @Test func blocksThatThrowOrEndTheTransaction() async throws {
    struct Refused: Error {}
    let store = try await makeStore()
    await #expect(throws: Refused.self) {
      try await store.write { realm -> Flight in
        realm.create(Flight.self, value: ["id": "LH400"])
        throw Refused()
      }
    }
    let committed = try await store.write { realm in
      let flight = realm.create(Flight.self, value: ["id": "LH400"])
      try realm.commitWrite()
      return flight
    }
    #expect(committed.id == "LH400")
    let kept = try await store.write { realm in
      let flight = realm.objects(Flight.self).first
      flight?.delay = 9
      realm.cancelWrite()
      return flight
    }
    #expect(kept?.id == "LH400" && kept?.delay == 0)
    #expect(store.freeze().objects(Flight.self).count == 1)
  }

  @Test func whatCannotBeFrozenTraps() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await makeStore()
      try await store.write { _ in Flight() }
    }
    #expect(trapSaid("An unmanaged object of the class 'Flight' was returned from the block", unmanaged))
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await makeStore()
      try await store.write { realm in
        let flight = realm.create(Flight.self, value: ["id": "LH400"])
        realm.delete(flight)
        return flight
      }
    }
    #expect(trapSaid("class 'Flight' that does not exist after the block", deleted))
    let early = await #expect(throws: Realm.Error.self) {
      let store = try await makeStore()
      try await store.write { realm in try Frozen(realm.create(Flight.self, value: ["id": "LH400"])) }
    }
    #expect(early?.localizedDescription.contains("return it from the block of RealmStore.write") == true)
    let earlier = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await makeStore()
      try await store.write { realm in realm.create(Flight.self, value: ["id": "LH400"]).freeze() }
    }
    #expect(trapSaid("return it from the block of RealmStore.write", earlier))
  }
}
