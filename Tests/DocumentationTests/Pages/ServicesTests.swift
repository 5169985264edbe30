import Firn
import Testing

@Suite struct ServicesTests {
  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var destination: String
    @Persisted(indexed: true) var gate: String?
    @Persisted var delay: Int
    @Persisted var tags: List<String>
  }

  struct FlightAnswer: Codable, Sendable, Equatable {
    var id: String
    var delay: Int
    var tags: [String]

    init(_ flight: Flight) {
      id = flight.id
      delay = flight.delay
      tags = Array(flight.tags)
    }
  }

  struct BadRequest: Error {
    var reason: String
  }

  struct FlightRoutes: Sendable {
    let store: RealmStore

    func late() throws -> Data {
      let flights = store.freeze().objects(Flight.self).where { $0.delay > 30 }
      return try JSONEncoder().encode(flights.map { FlightAnswer($0) } as [FlightAnswer])
    }

    func list(sortedBy name: String) throws -> Data {
      // A name that does not exist would end the process.
      guard ["id", "delay", "destination"].contains(name) else { throw BadRequest(reason: "no order '\(name)'") }
      let flights = store.freeze().objects(Flight.self).sorted(byKeyPath: name)
      return try JSONEncoder().encode(flights.map { FlightAnswer($0) } as [FlightAnswer])
    }

    func patch(_ id: String, _ body: Data) async throws -> FlightAnswer? {
      guard var values = try JSONSerialization.jsonObject(with: body) as? [String: Any] else {
        throw BadRequest(reason: "not an object")
      }
      values["id"] = id
      let checked = values
      return try await store.write { realm in
        if realm.object(ofType: Flight.self, forPrimaryKey: id) == nil { return nil }
        return FlightAnswer(try realm.create(Flight.self, checking: checked, update: .modified))
      }
    }

    func put(_ body: Data) async throws -> FlightAnswer {
      var limits = CreationLimits()
      limits.unknownKeys = .refuse
      limits.missingKeys = .refuse
      let checked = limits
      return try await store.write(deadline: .now + .seconds(2)) { realm in
        FlightAnswer(try realm.create(Flight.self, json: body, update: .modified, limits: checked))
      }
    }
  }

  func statusCode(of error: any Error) -> Int {
    if error is BadRequest || error is DecodingError { return 400 }
    guard let error = error as? Realm.Error else { return 500 }
    return switch error.code {
    case .invalidInput: 400
    case .duplicatePrimaryKey, .duplicateValue, .deletionDenied: 409
    case .deadlineExceeded, .storeClosed: 503
    case .outOfDiskSpace: 507
    default: 500
    }
  }

  struct BoardUpdate: Codable, Sendable, Equatable {
    var isWhole: Bool
    var changed: [FlightAnswer]
    var removed: [String]

    init(_ change: ResumableChange<Flight>) {
      isWhole = change.delta == nil
      changed = (change.delta?.upserted ?? Array(change.content)).map { $0.withValue { FlightAnswer($0) } }
      removed = (change.delta?.removedKeys ?? []).compactMap { if case .string(let id) = $0 { id } else { nil } }
    }
  }

  func events(of store: RealmStore, after lastEventID: String?) -> some AsyncSequence<String, any Error> {
    let token = lastEventID.flatMap { ResumeToken($0) }
    let changes = store.resumableChanges(after: token) { $0.objects(Flight.self).where { $0.delay > 30 } }
    return changes.map { change in
      let json = try JSONEncoder().encode(BoardUpdate(change))
      return "id: \(change.token)\ndata: \(String(decoding: json, as: UTF8.self))\n\n"
    }
  }

  struct GateAnswer: Codable, Sendable, Equatable {
    var gate: String?
    var count: Int
    var delay: Double?
  }

  actor GateBoard {
    private var changes: ChangeStream<[LiveGroup<String?, Double?>], CollectionDelta>!

    init(_ store: RealmStore) async throws {
      let realm = try await Realm(configuration: store.configuration, actor: self)
      changes = realm.objects(Flight.self).grouped(by: \.gate) { $0.average(of: \.delay) }.changes
    }

    func answers() -> some AsyncSequence<[GateAnswer], Never> & Sendable {
      changes.map { change in
        (change.content ?? []).map { GateAnswer(gate: $0.key, count: $0.count, delay: $0.values) }
      }
    }
  }

  @Test func liveGroups() async throws {
    let store = try await makeStore()
    try await store.write { realm in realm.create(Flight.self, value: ["id": "B6 1", "gate": "A1", "delay": 40]) }
    let board = try await GateBoard(store)
    var answers = await board.answers().makeAsyncIterator()
    #expect(try await answers.next() == [GateAnswer(gate: "A1", count: 1, delay: 40)])
    try await store.write { realm in
      realm.create(Flight.self, value: ["id": "B6 2", "gate": "A1", "delay": 20])
      realm.create(Flight.self, value: ["id": "B6 3", "gate": "B7"])
    }
    let expected = [GateAnswer(gate: "A1", count: 2, delay: 30), GateAnswer(gate: "B7", count: 1, delay: 0)]
    #expect(try await answers.next() == expected)
    // The board keeps no old version.
    while store.statistics.versions.count > 1 { await Task.yield() }
  }

  private func makeStore() async throws -> RealmStore {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self])
    configuration.history = .init(byteCount: 1 << 20)
    return try await RealmStore.open(configuration)
  }

  private static func body(_ id: String, _ delay: Int) -> Data {
    Data(#"{"id": "\#(id)", "destination": "BOS", "delay": \#(delay), "tags": ["x"]}"#.utf8)
  }

  @Test func routes() async throws {
    let store = try await makeStore()
    let routes = FlightRoutes(store: store)
    let answer = try await routes.put(Self.body("B6 1", 40))
    #expect(answer.id == "B6 1" && answer.delay == 40 && answer.tags == ["x"])
    _ = try await routes.put(Self.body("B6 2", 3))
    #expect(try JSONDecoder().decode([FlightAnswer].self, from: routes.late()) == [answer])
    #expect(
      try JSONDecoder().decode([FlightAnswer].self, from: routes.list(sortedBy: "delay")).map(\.delay) == [3, 40])
    #expect(throws: BadRequest.self) { try routes.list(sortedBy: "dealy") }
    #expect(try await routes.patch("B6 2", Data(#"{"delay": 4}"#.utf8))?.delay == 4)
    #expect(try await routes.patch("none", Data(#"{"delay": 4}"#.utf8)) == nil)
    #expect(store.freeze().objects(Flight.self).count == 2)
    let frozen = try #require(store.freeze().objects(Flight.self).first.map { try Frozen($0) })
    #expect(frozen.delay == 40 && frozen.tags.elements == ["x"])
  }

  @Test func errors() async throws {
    let store = try await makeStore()
    let routes = FlightRoutes(store: store)
    func code(_ body: () async throws -> Void) async -> Int {
      do {
        try await body()
        return 200
      } catch { return statusCode(of: error) }
    }
    #expect(await code { _ = try await routes.put(Self.body("B6 1", 40)) } == 200)
    #expect(await code { _ = try await routes.put(Data(#"{"id": "B6 1", "delay": "x"}"#.utf8)) } == 400)
    #expect(await code { _ = try await routes.put(Data(#"{"id": "B6 1"#.utf8)) } == 400)
    #expect(await code { try await store.write { _ = try $0.create(Flight.self, json: Self.body("B6 1", 0)) } } == 409)
    #expect(await code { _ = try JSONDecoder().decode(FlightAnswer.self, from: Data("{}".utf8)) } == 400)
    #expect(await code { throw CocoaError(.fileNoSuchFile) } == 500)
    try await store.close()
    #expect(await code { _ = try await routes.put(Self.body("B6 1", 40)) } == 503)
  }

  /// The id and the content of an event.
  private static func parse(_ event: String) throws -> (id: String, update: BoardUpdate) {
    let lines = event.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 4 && lines[0].hasPrefix("id: ") && lines[1].hasPrefix("data: "))
    return (
      String(lines[0].dropFirst(4)), try JSONDecoder().decode(BoardUpdate.self, from: Data(lines[1].dropFirst(6).utf8))
    )
  }

  @Test func liveUpdates() async throws {
    let store = try await makeStore()
    let routes = FlightRoutes(store: store)
    _ = try await routes.put(Self.body("B6 1", 40))
    var updates = events(of: store, after: nil).makeAsyncIterator()
    let (id, first) = try Self.parse(try #require(await updates.next()))
    #expect(first.isWhole && first.changed.map(\.id) == ["B6 1"] && first.removed.isEmpty)
    _ = try await routes.put(Self.body("B6 2", 50))
    let second = try Self.parse(try #require(await updates.next())).update
    #expect(!second.isWhole && second.changed.map(\.id) == ["B6 2"])
    _ = try await routes.put(Self.body("B6 1", 0))
    let third = try Self.parse(try #require(await updates.next())).update
    #expect(third.changed.isEmpty && third.removed == ["B6 1"])
    var resumed = events(of: store, after: id).makeAsyncIterator()
    let missed = try Self.parse(try #require(await resumed.next())).update
    #expect(!missed.isWhole && missed.changed.map(\.id) == ["B6 2"] && missed.removed == ["B6 1"])
    try await store.close()
    #expect(try await updates.next() == nil)
  }
}
