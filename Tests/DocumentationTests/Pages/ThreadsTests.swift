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
    let printed = try await Printout.of {
      let frozen = try Frozen(flight)
      let text = await Task.detached { "\(frozen.id) \(frozen.delay)" }.value
      print(text)
    }
    #expect(printed == "B6 1 5\n")
  }

  @Test func takingElsewhere() async throws {
    let realm = try makeRealm(Flight.self)
    let configuration = realm.configuration
    let flight = try realm.write { realm.create(Flight.self, value: ["id": "B6 1", "delay": 5]) }
    let queue = DispatchQueue(label: "elsewhere")
    let reference = ThreadSafeReference(to: flight)
    queue.async {
      let realm = try! Realm(configuration: configuration, queue: queue)
      guard let flight = realm.resolve(reference) else { return }  // it was deleted
      try! realm.write { flight.delay = 45 }
    }
    queue.sync {}
    final class Board: @unchecked Sendable {
      @ThreadSafe private var flight: Flight?

      init(_ flight: Flight) { self.flight = flight }

      func delay(by minutes: Int) throws {  // on any thread
        guard let flight = self.flight, let realm = flight.realm else { return }
        try realm.write { flight.delay += minutes }
      }
    }
    let board = Board(flight)
    try await Task.detached { try board.delay(by: 5) }.value
    realm.refresh()
    #expect(flight.delay == 50)
  }

  @Test func writingWithCallbacks() async throws {
    let realm = try makeRealm(Flight.self)
    let flight = try realm.write { realm.create(Flight.self, value: ["id": "B6 1", "delay": 5]) }
    realm.writeAsync {
      flight.delay += 5
    } onComplete: { error in
      print(flight.delay, error == nil)
    }
    while realm.isPerformingAsynchronousWriteOperations { await Task.yield() }
    #expect(flight.delay == 10)
  }

  /// In a process of its own: there is one shared logger.
  @Test func logging() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      Logger.shared = Logger(level: .warn) { level, message in
        print("\(level): \(message)")
      }
      try await Self.warn()
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("warn: A realm was invalidated"))
  }

  private static func warn() throws {
    let realm = try makeRealm(Flight.self)
    realm.beginWrite()
    realm.invalidate()
  }
}
