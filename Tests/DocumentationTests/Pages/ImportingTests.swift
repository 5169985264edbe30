import Firn
import Testing

@Suite struct ImportingTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var delay: Int
  }

  struct FlightRow {
    var id: String
    var delay: Int
  }

  func load(_ rows: [FlightRow], into store: RealmStore) async throws {
    for start in stride(from: 0, to: rows.count, by: 10_000) {
      let portion = rows[start..<min(start + 10_000, rows.count)]
      try await store.write(author: "import") { realm in
        for row in portion {
          try Task.checkCancellation()
          let flight = Flight()
          flight.id = row.id
          flight.delay = row.delay
          realm.add(flight, update: .modified)
        }
      }
    }
  }

  private let rows = (0..<20_001).map { FlightRow(id: "F\($0)", delay: $0) }

  private func makeStore() async throws -> RealmStore {
    try await RealmStore.open(.init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
  }

  @Test func portions() async throws {
    let store = try await makeStore()
    try await load(rows, into: store)
    #expect(store.statistics.commitCount == 3 && store.freeze().objects(Flight.self).count == 20_001)
    try await load(rows, into: store)
    #expect(store.freeze().objects(Flight.self).sum(of: \.delay) == 20_000 * 20_001 / 2)
  }

  /// Tasks that wait for each other: a block is cancelled with its own task alone, which undoes its portion and no
  /// other.
  @Test func cancelling() async throws {
    let store = try await makeStore()
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          try? await store.write { realm in _ = realm.create(Flight.self, value: ["id": "A\(number)"]) }
          await #expect(throws: CancellationError.self) {
            try await store.write { realm in
              realm.create(Flight.self, value: ["id": "B\(number)"])
              withUnsafeCurrentTask { $0?.cancel() }
              try Task.checkCancellation()
            }
          }
        }
      }
    }
    let flights = store.freeze().objects(Flight.self)
    #expect(flights.count == 50 && flights.where { $0.id.starts(with: "A") }.count == 50)
  }
}
