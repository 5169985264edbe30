import Firn
import Flights
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import Testing

/// The server on a real port.
@Suite struct FlightServerTests {
  private static func configuration(_ folder: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.appendingPathComponent("flights.firn"), objectTypes: [Flight.self])
    configuration.history = .init(byteCount: 64 << 20)
    return configuration
  }

  /// Runs a server over a store while `body` runs.
  private func serving<Result: Sendable>(
    _ store: RealmStore, _ body: @Sendable (_ port: Int) async throws -> Result
  ) async throws -> Result {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let server = Application(
      router: FlightRoutes(store, heartbeat: .milliseconds(20)).router(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [server], logger: server.logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      let number = try #require(await ports.first { _ in true })
      let result = try await body(number)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      return result
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flights-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private static func content(_ store: RealmStore, delay: Int = .min) -> [String: FlightAnswer] {
    let flights = store.freeze().objects(Flight.self).where { $0.delay >= delay }
    return Dictionary(uniqueKeysWithValues: flights.map { ($0.id, FlightAnswer($0)) } as [(String, FlightAnswer)])
  }

  @Test func routesAnswer() async throws {
    try await withFolder { folder in
      let store = try await RealmStore.open(Self.configuration(folder))
      try await serving(store) { port in
        func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> (Int, String) {
          try await Answer(port, method, path, body).value
        }
        #expect(try await ask("GET", "/flights/LH400").0 == 404)
        #expect(try await ask("PUT", "/flights/LH400", #"{"destination": "JFK", "delay": 40}"#).0 == 200)
        #expect(try await ask("PUT", "/flights/LH400", #"{"gate": "A1"}"#).0 == 200)
        let (status, text) = try await ask("GET", "/flights/LH400")
        #expect(status == 200)
        let flight = try JSONDecoder().decode(FlightAnswer.self, from: Data(text.utf8))
        #expect(flight == Self.content(store)["LH400"] && flight.gate == "A1" && flight.delay == 40)
        for wrong in ["", "[]", "{", #"{"delay": "late"}"#, #"{"delay": 1e99}"#] {
          #expect(try await ask("PUT", "/flights/LH401", wrong).0 == 400, "\(wrong)")
        }
        #expect(try await ask("GET", "/flights?delay=soon").0 == 400)
        let late = try JSONDecoder().decode(
          FlightsAnswer.self, from: Data(try await ask("GET", "/flights?delay=40").1.utf8))
        #expect(late.flights.map(\.id) == ["LH400"])
        #expect(try await ask("DELETE", "/flights/LH400").0 == 204)
        #expect(try await ask("DELETE", "/flights/LH400").0 == 404)
      }
      try await store.close()
    }
  }

  @Test func aClientThatIsCutOffMissesNothing() async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("flight server: seed \(seed)")
    try await withFolder { folder in
      var random = Random(seed)
      var client = EventClient()
      for life in 0..<4 {
        // The server is restarted with the client in between.
        let store = try await RealmStore.open(Self.configuration(folder))
        let writing = Random(random.next())
        let reading = Random(random.next())
        client = try await live(life, store, client, writing, reading)
        #expect(client.flights == Self.content(store, delay: 5), "seed \(seed)")
        try await store.close()
      }
      #expect(client.resetCount == 1, "seed \(seed): only at the beginning")
      #expect(client.changeCount > 4 && client.connectionCount > 20, "\(client.connectionCount) connections")
    }
  }

  /// Writes while a client follows that is cut off again and again, until it has seen the end of this life.
  private func live(
    _ life: Int, _ store: RealmStore, _ client: EventClient, _ writing: Random, _ reading: Random
  ) async throws -> EventClient {
    try await serving(store) { port in
      async let reader = onThread {
        var (client, random) = (client, reading)
        while client.flights["end \(life)"] == nil {
          let byteCount = random.next() % 8 == 0 ? 20_000 : Int(random.next() % 600)
          try client.follow(port, query: "delay=5", cutAfter: byteCount) { $0.flights["end \(life)"] != nil }
        }
        return client
      }
      var random = writing
      for _ in 0..<400 {
        let id = "f\(random.next() % 30)"
        let (delay, isDeleted) = (Int(random.next() % 10), random.next() % 8 == 0)
        try await store.write { realm in
          if isDeleted {
            if let flight = realm.object(ofType: Flight.self, forPrimaryKey: id) { realm.delete(flight) }
          } else {
            realm.create(Flight.self, value: ["id": id, "delay": delay] as [String: Any], update: .modified)
          }
        }
        if random.next() % 2 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        if random.next() % 50 == 0 { try await store.checkpoint() }
      }
      try await store.write { realm in
        _ = realm.create(Flight.self, value: ["id": "end \(life)", "delay": 9] as [String: Any])
      }
      return try await reader
    }
  }

  @Test func aPageIsFollowedFromItsToken() async throws {
    try await withFolder { folder in
      let store = try await RealmStore.open(Self.configuration(folder))
      try await store.write { realm in _ = realm.create(Flight.self, value: ["id": "LH400"]) }
      try await serving(store) { port in
        let page = try JSONDecoder().decode(
          FlightsAnswer.self, from: Data(try await Answer(port, "GET", "/flights", nil).value.1.utf8))
        try await store.write { realm in
          realm.create(Flight.self, value: ["id": "BA7"])
          realm.delete(realm.objects(Flight.self).where { $0.id == "LH400" })
        }
        let client = try await onThread {
          var client = EventClient(page)
          try client.follow(port) { $0.changeCount > 0 }
          return client
        }
        #expect(client.flights == Self.content(store) && client.flights.count == 1 && client.resetCount == 0)
        // A text that is no token, or one of another database, begins anew.
        for token in ["nonsense", "1.none", "1.00000000000000000000000000000000.1.1"] {
          let client = try await onThread {
            var client = EventClient(FlightsAnswer(flights: [], token: token))
            try client.follow(port) { $0.lastID != nil }
            return client
          }
          #expect(client.flights == Self.content(store) && client.resetCount == 1, "\(token)")
        }
      }
      try await store.close()
    }
  }

  /// Subscriptions end with their connections, though nothing happens any more.
  @Test func nothingIsHeldForThoseWhoHaveGone() async throws {
    try await withFolder { folder in
      let store = try await RealmStore.open(Self.configuration(folder))
      try await serving(store) { port in
        try await onThread {
          for _ in 0..<20 {
            var client = EventClient()
            try client.follow(port) { $0.lastID != nil }
          }
        }
        for _ in 0..<500 where !store.statistics.streams.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store.statistics.streams.isEmpty)
      }
      try await store.close()
    }
  }
}

/// The whole answer to a request.
struct Answer: Sendable {
  let value: (Int, String)

  init(_ port: Int, _ method: String, _ path: String, _ body: String?) async throws {
    value = try await onThread {
      let connection = try Connection(port)
      let body = body ?? ""
      try connection.send(
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
      var bytes: [UInt8] = []
      while let more = connection.read(upTo: 4096) { bytes += more }
      let text = String(decoding: bytes, as: UTF8.self)
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
      let status = parts.first.map { $0.split(separator: " ") }.flatMap { $0.count > 1 ? Int($0[1]) : nil }
      return (status ?? 0, parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

/// SplitMix64.
struct Random: Sendable {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
