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

  private static func makeStore() async throws -> RealmStore {
    try await RealmStore.open(.init(inMemoryIdentifier: UUID().uuidString, objectTypes: [Flight.self]))
  }

  @Test func thawing() async throws {
    let store = try await Self.makeStore()
    let printed = try await Printout.of {
      let frozen = try await store.write { realm in realm.create(Flight.self, value: ["id": "LH 400", "delay": 5]) }
      try await store.write { realm in
        guard let flight = frozen.thaw() else { return }  // it was deleted meanwhile
        flight.delay += 40
      }
      print(frozen.delay, frozen.thaw()?.delay ?? 0)
    }
    #expect(printed == "5 45\n")
  }

  /// The table of the page: to which realm that belongs which is thawed.
  @Test func placesOfThawing() async throws {
    let store = try await Self.makeStore()
    let frozen = try await store.write { realm in realm.create(Flight.self, value: ["id": "LH 400"]) }
    let isOfWriter = try await store.write { realm in frozen.thaw()?.realm == realm }
    #expect(isOfWriter)
    let main = try await Realm(configuration: store.configuration)
    #expect(frozen.thaw()?.realm == main)
    await Thawing(store).check(frozen)
    await Task.detached {
      let (one, other) = (frozen.thaw(), frozen.thaw())
      #expect(one?.realm != nil && one?.realm != other?.realm)
    }.value
    try await store.write { realm in realm.deleteAll() }
    #expect(frozen.thaw() == nil && frozen.id == "LH 400")
  }

  private actor Thawing {
    let store: RealmStore

    init(_ store: RealmStore) { self.store = store }

    func check(_ frozen: Frozen<Flight>) async {
      let realm = try? await Realm(configuration: store.configuration, actor: self)
      #expect(realm != nil && frozen.thaw()?.realm == realm)
    }
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
