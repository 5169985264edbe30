import FirnDurability
import Foundation
import StoreTestSupport
import Testing

@testable import Firn

/// What a resumed subscriber is told, and where it has to begin anew.
@Suite struct ResumeRuleTests {
  private static func fill(_ store: RealmStore) async throws {
    try await store.write { realm in
      for number in 0..<6 {
        realm.create(ResumedFlight.self, value: ["id": "f\(number)", "delay": number] as [String: Any])
      }
    }
  }

  private static func late(_ store: RealmStore, after token: ResumeToken? = nil, _ keyPaths: [String]? = nil)
    -> ResumableChangeStream<ResumedFlight>
  {
    store.resumableChanges(after: token, keyPaths: keyPaths) { $0.objects(ResumedFlight.self).where { $0.delay > 2 } }
  }

  /// What a subscriber is told that comes back.
  private static func resumption(
    _ store: RealmStore, after token: ResumeToken, _ keyPaths: [String]? = nil
  ) async -> Told? {
    for await change in late(store, after: token, keyPaths) { return Told(change) }
    return nil
  }

  private struct Told: Equatable {
    var start: ResumedStart?
    var upserted: [String] = []
    var removed: [RealmStore.HistoryValue] = []
    var authors: [String] = []

    init(resumed upserted: [String], _ removed: [String], by authors: [String] = []) {
      (start, self.upserted, self.authors) = (.resumed, upserted, authors)
      self.removed = removed.map { .string($0) }
    }

    init(_ change: ResumableChange<ResumedFlight>) {
      switch change {
      case .initial: start = .initial
      case .resumed: start = .resumed
      case .reset: start = .reset
      case .update: start = nil
      }
      upserted = change.delta?.upserted.map(\.id) ?? []
      removed = change.delta?.removedKeys ?? []
      authors = change.delta?.causes.compactMap(\.author) ?? []
    }
  }

  private func write(_ store: RealmStore, _ body: @escaping @Sendable (Realm) -> Void) async throws {
    try await store.write { body($0) }
  }

  @Test func rowsAreToldThatMayMatter() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    #expect(await Self.resumption(store, after: token) == Told(resumed: [], []))
    try await store.write(author: "tower") { realm in
      func flight(_ number: Int) -> ResumedFlight? {
        realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f\(number)")
      }
      // Neither did match nor does, and the condition does not read it.
      flight(0)?.note = "unread"
      // Did not match; what the condition reads was written.
      flight(1)?.delay = 2
      flight(2)?.delay = 9
      flight(3)?.delay = 0
      flight(4)?.note = "written"
      flight(5).map { realm.delete($0) }
      // Never matched.
      realm.create(ResumedFlight.self, value: ["id": "f6", "delay": 1] as [String: Any])
      realm.create(ResumedFlight.self, value: ["id": "f7", "delay": 7] as [String: Any])
    }
    let told = Told(resumed: ["f2", "f4", "f7"], ["f1", "f3", "f5"], by: ["tower"])
    #expect(await Self.resumption(store, after: token) == told)
    #expect(
      await Self.resumption(store, after: token, ["delay"])
        == Told(resumed: ["f2", "f7"], ["f1", "f3", "f5"], by: ["tower"]))
    try await store.close()
  }

  @Test func updatesTellWhatLeftAndNothingElse() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await Self.fill(store)
    var changes = Self.late(store).makeAsyncIterator()
    #expect(await changes.next().map { Told($0).start } == .some(.initial))
    try await write(store) { realm in
      let flights = realm.objects(ResumedFlight.self).sorted(by: \.delay)
      (flights[0].delay, flights[1].note) = (1, "x")
      let last = flights[5]
      flights[4].delay = 0
      realm.delete(last)
    }
    let change = try #require(await changes.next())
    #expect(change.delta?.removedKeys == [.string("f4"), .string("f5")] && change.delta?.upserted.isEmpty == true)
    #expect(change.content.count == 1 && change.token == store.freeze().resumeToken)
    try await store.close()
    #expect(await changes.next().map { Told($0) } == nil)
  }

  @Test func aKeyThatIsThereAgainIsNotRemoved() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    var changes = Self.late(store).makeAsyncIterator()
    _ = await changes.next()
    func recreate(_ id: String, _ delay: Int) async throws {
      try await write(store) { realm in
        if let old = realm.object(ofType: ResumedFlight.self, forPrimaryKey: id) { realm.delete(old) }
      }
      try await write(store) { realm in
        _ = realm.create(ResumedFlight.self, value: ["id": id, "delay": delay] as [String: Any])
      }
    }
    try await recreate("f3", 5)
    try await recreate("f4", 1)
    #expect(await Self.resumption(store, after: token) == Told(resumed: ["f3"], ["f4"]))
    var rows: Set<String> = ["f3", "f4", "f5"]
    // Commits may come one by one or merged.
    while rows != ["f3", "f5"], let delta = await changes.next()?.delta {
      for case .string(let key) in delta.removedKeys { rows.remove(key) }
      rows.formUnion(delta.upserted.map(\.id))
    }
    try await store.close()
  }

  @Test func keysAreOfTheirTypes() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await write(store) { realm in
      _ = realm.create(ResumedAirport.self, value: ["id": 7, "city": "A"] as [String: Any])
    }
    let token = store.freeze().resumeToken
    try await write(store) { realm in realm.delete(realm.objects(ResumedAirport.self)) }
    for await change in store.resumableChanges(after: token, of: { $0.objects(ResumedAirport.self) }) {
      #expect(change.delta?.removedKeys == [.int(7)])
      break
    }
    try await store.close()
  }

  /// More history than is read at once.
  @Test func longHistoriesAreReadToTheEnd() async throws {
    for disk in [SimulatedDisk(seed: 1), nil] {
      let store = try await RealmStore.open(Resumed.configuration(disk))
      try await Self.fill(store)
      let token = store.freeze().resumeToken
      for number in 3..<6 {
        try await write(store) { realm in
          let flight = realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f\(number)")
          flight?.note = String((0..<150_000).map { "\($0)" }.joined().prefix(700_000))
        }
      }
      #expect(await Self.resumption(store, after: token) == Told(resumed: ["f3", "f4", "f5"], []))
      try await store.close()
    }
  }

  /// So many change at once that the query is run anew.
  @Test(arguments: [1, 100, 5_000]) func whatLeavesTogetherIsToldOneByOne(count: Int) async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await write(store) { realm in
      let airport = realm.create(ResumedAirport.self, value: ["id": 1, "city": "A"] as [String: Any])
      for number in 0..<count {
        realm.create(ResumedFlight.self, value: ["id": "f\(number)", "airport": airport] as [String: Any])
      }
    }
    let token = store.freeze().resumeToken
    func inA(_ token: ResumeToken?) -> ResumableChangeStream<ResumedFlight> {
      store.resumableChanges(after: token) { $0.objects(ResumedFlight.self).where { $0.airport.city == "A" } }
    }
    for path in 0..<2 {
      var changes = inA(nil).makeAsyncIterator()
      #expect(await changes.next()?.content.count == count)
      try await write(store) { realm in
        realm.objects(ResumedAirport.self).first?.city = "B"
        if path == 1 { for flight in realm.objects(ResumedFlight.self) { flight.delay = 1 } }
      }
      var resumed = inA(token).makeAsyncIterator()
      for delta in [await changes.next()?.delta, await resumed.next()?.delta] {
        #expect(delta?.upserted.isEmpty == true && Set(delta?.removedKeys ?? []).count == count)
      }
      try await write(store) { realm in realm.objects(ResumedAirport.self).first?.city = "A" }
      for delta in [await changes.next()?.delta, await resumed.next()?.delta] {
        #expect(delta?.removedKeys.isEmpty == true && delta?.upserted.count == count)
      }
    }
    try await store.close()
  }

  // MARK: Beginning anew

  @Test func tokensOfElsewhereLeadToAReset() async throws {
    let (store, other) = (
      try await RealmStore.open(Resumed.configuration()), try await RealmStore.open(Resumed.configuration())
    )
    try await Self.fill(store)
    try await Self.fill(other)
    let token = store.freeze().resumeToken
    let position = try #require(token.position)
    #expect(position.version == other.freeze().resumeToken.position?.version)
    let wrong = [
      other.freeze().resumeToken, ResumeToken(nil),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: position.version + 1, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: .max, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: 0, mark: position.mark)),
      ResumeToken(HistoryPosition(storeID: position.storeID, version: position.version, mark: position.mark &+ 1)),
    ]
    for token in wrong {
      #expect(await Self.resumption(store, after: token)?.start == .reset, "\(token)")
    }
    #expect(await Self.resumption(store, after: token)?.start == .resumed)
    try await store.close()
    try await other.close()
  }

  @Test func newPropertiesLeadToAReset() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Resumed.configuration(disk, [ResumedAirport.self, ResumedFlight.self, ResumedCrew.self])
    let store = try await RealmStore.open(configuration)
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    try await store.close()
    // Without a change, it goes on.
    let same = try await RealmStore.open(configuration)
    #expect(await Self.resumption(same, after: token) == Told(resumed: [], []))
    try await same.close()
    configuration.objectTypes = Resumed.types
    let changed = try await RealmStore.open(configuration)
    #expect(await Self.resumption(changed, after: token)?.start == .reset)
    let next = changed.freeze().resumeToken
    #expect(await Self.resumption(changed, after: next) == Told(resumed: [], []))
    try await changed.close()
  }

  @Test func whoIsFarBehindBeginsAnew() async throws {
    var configuration = Resumed.configuration()
    configuration.maximumObserverLag = 16_000
    let store = try await RealmStore.open(configuration)
    try await Self.fill(store)
    var changes = Self.late(store).makeAsyncIterator()
    _ = await changes.next()
    for start in 0..<4 {
      try await write(store) { realm in
        for number in 0..<1_000 {
          realm.create(ResumedFlight.self, value: ["id": "n\(start) \(number)", "delay": 5] as [String: Any])
        }
      }
    }
    let change = try #require(await changes.next())
    #expect(Told(change).start == .reset && change.content.count == 4_003)
    try await store.close()
  }

  @Test func readOnlyStoresResumeAndEnd() async throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = Resumed.configuration(disk)
    let store = try await RealmStore.open(configuration)
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    try await write(store) { realm in realm.objects(ResumedFlight.self).first?.delay = 8 }
    try await store.close()
    configuration.readOnly = true
    let reading = try await RealmStore.open(configuration)
    var changes = Self.late(reading, after: token).makeAsyncIterator()
    #expect(await changes.next().map { Told($0) } == Told(resumed: ["f0"], []))
    #expect(await changes.next().map { Told($0) } == nil)
    try await reading.close()
  }

  /// A journal that cannot be read is no reason to end, nor to leave something out.
  @Test func whatCannotBeReadLeadsToAReset() async throws {
    let disk = SimulatedDisk(seed: 1)
    let configuration = Resumed.configuration(disk)
    let store = try await RealmStore.open(configuration)
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    try await write(store) { realm in realm.objects(ResumedFlight.self).first?.delay = 8 }
    let folder = configuration.fileURL!.path + ".journal"
    for name in try disk.list(folder) where name.hasSuffix(".segment") {
      disk.setContent("\(folder)/\(name)", Array(repeating: 7, count: 400))
    }
    #expect(await Self.resumption(store, after: token)?.start == .reset)
    store.store.leaveOpenStores()
  }

  @Test func cancellationEndsAtOnce() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await Self.fill(store)
    let token = store.freeze().resumeToken
    for await _ in Self.late(store, after: token).prefix(1) {}
    let task = Task {
      var count = 0
      for await _ in Self.late(store, after: token) { count += 1 }
      return count
    }
    while store.statistics.streams.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.value <= 1)
    while !store.statistics.streams.isEmpty { await Task.yield() }
    try await store.close()
  }
}
