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
    var changed: [FlightAnswer]
    var removed: [String]
  }

  actor LiveBoard {
    private var realm: Realm!
    private var token: NotificationToken?
    private var shown: [String] = []
    private var listeners: [UUID: AsyncStream<BoardUpdate>.Continuation] = [:]

    init(_ store: RealmStore) async throws {
      realm = try await Realm(configuration: store.configuration, actor: self)
      let late = realm.objects(Flight.self).where { $0.delay > 30 }
      token = await late.observe(on: self) { board, change in board.follow(change) }
    }

    func updates() -> AsyncStream<BoardUpdate> {
      let (stream, continuation) = AsyncStream.makeStream(of: BoardUpdate.self, bufferingPolicy: .bufferingOldest(64))
      let listener = UUID()
      listeners[listener] = continuation
      continuation.onTermination = { _ in Task { await self.forget(listener) } }
      let flights = shown.compactMap { realm.object(ofType: Flight.self, forPrimaryKey: $0) }
      continuation.yield(BoardUpdate(changed: flights.map { FlightAnswer($0) }, removed: []))
      return stream
    }

    func stop() {
      token?.invalidate()
      for continuation in listeners.values { continuation.finish() }
    }

    private func forget(_ listener: UUID) { listeners[listener] = nil }

    private func follow(_ change: RealmCollectionChange<Results<Flight>>) {
      switch change {
      case .initial(let flights):
        shown = flights.map { $0.id }
        send(BoardUpdate(changed: flights.map { FlightAnswer($0) }, removed: []))
      case .update(let flights, let deletions, let insertions, let modifications):
        let removed = deletions.map { shown[$0] }
        for place in deletions.reversed() { shown.remove(at: place) }
        for place in insertions { shown.insert(flights[place].id, at: place) }
        let changed = (insertions + modifications).map { FlightAnswer(flights[$0]) }
        send(BoardUpdate(changed: changed, removed: removed))
      case .error(let error):
        print("The board is not followed any more: \(error)")
      }
    }

    private func send(_ update: BoardUpdate) {
      for continuation in listeners.values {
        // A listener that does not keep up begins again.
        if case .dropped = continuation.yield(update) { continuation.finish() }
      }
    }
  }

  func events(of board: LiveBoard) async -> some AsyncSequence<String, any Error> {
    await board.updates().map { "data: \(String(decoding: try JSONEncoder().encode($0), as: UTF8.self))\n\n" }
  }

  private func makeStore() async throws -> RealmStore {
    try await RealmStore.open(.init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
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
    let frozen = try #require(store.freeze().objects(Flight.self).first.map { Frozen($0) })
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

  @Test func liveUpdates() async throws {
    let store = try await makeStore()
    let routes = FlightRoutes(store: store)
    _ = try await routes.put(Self.body("B6 1", 40))
    let board = try await LiveBoard(store)
    var updates = await board.updates().makeAsyncIterator()
    // The observer may not have been called for the first time.
    var first = try #require(await updates.next())
    if first.changed.isEmpty { first = try #require(await updates.next()) }
    #expect(first.changed.map(\.id) == ["B6 1"] && first.removed.isEmpty)
    _ = try await routes.put(Self.body("B6 2", 50))
    #expect(await updates.next()?.changed.map(\.id) == ["B6 2"])
    _ = try await routes.put(Self.body("B6 1", 0))
    #expect(await updates.next() == BoardUpdate(changed: [], removed: ["B6 1"]))
    var events = await events(of: board).makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(event.hasPrefix("data: ") && event.hasSuffix("\n\n"))
    let update = try JSONDecoder().decode(BoardUpdate.self, from: Data(event.dropFirst(6).utf8))
    #expect(update.changed.map(\.id) == ["B6 2"])
  }

  @Test func end() async throws {
    let store = try await makeStore()
    let board = try await LiveBoard(store)
    let updates = await board.updates()
    await board.stop()
    try await store.close()
    #expect(!store.isOpen)
    // The stream ends.
    for await _ in updates {}
  }
}
