import FirnDurability
import FirnEngine
import Foundation
import StoreTestSupport
import Testing

@testable import Firn

/// What a resumed subscriber is told, and where it has to begin anew.
@Suite struct ResumeRuleTests {
  @Test func rowsAreToldThatMayMatter() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    #expect(await LateFlights.resumption(store, after: token) == Told(resumed: [], []))
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
    #expect(await LateFlights.resumption(store, after: token) == told)
    #expect(
      await LateFlights.resumption(store, after: token, ["delay"])
        == Told(resumed: ["f2", "f7"], ["f1", "f3", "f5"], by: ["tower"]))
    try await store.close()
  }

  @Test func updatesTellWhatLeftAndNothingElse() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    var changes = LateFlights.changes(store).makeAsyncIterator()
    #expect(await changes.next().map { Told($0).start } == .some(.initial))
    try await LateFlights.write(store) { realm in
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
    try await LateFlights.fill(store)
    let token = store.freeze().resumeToken
    var changes = LateFlights.changes(store).makeAsyncIterator()
    _ = await changes.next()
    func recreate(_ id: String, _ delay: Int) async throws {
      try await LateFlights.write(store) { realm in
        if let old = realm.object(ofType: ResumedFlight.self, forPrimaryKey: id) { realm.delete(old) }
      }
      try await LateFlights.write(store) { realm in
        _ = realm.create(ResumedFlight.self, value: ["id": id, "delay": delay] as [String: Any])
      }
    }
    try await recreate("f3", 5)
    try await recreate("f4", 1)
    #expect(await LateFlights.resumption(store, after: token) == Told(resumed: ["f3"], ["f4"]))
    var rows: Set<String> = ["f3", "f4", "f5"]
    // Commits may come one by one or merged.
    while rows != ["f3", "f5"], let delta = await changes.next()?.delta {
      for case .string(let key) in delta.removedKeys { rows.remove(key) }
      rows.formUnion(delta.upserted.map(\.id))
    }
    try await store.close()
  }

  @Test func keyPathsSayWhatAnUpdateTells() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    var changes = LateFlights.changes(store, after: nil, ["delay"]).makeAsyncIterator()
    _ = await changes.next()
    try await LateFlights.write(store) { realm in
      func flight(_ number: Int) -> ResumedFlight? {
        realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f\(number)")
      }
      flight(3)?.note = "not asked for"
      flight(4)?.delay = 9
    }
    #expect(await changes.next()?.delta?.upserted.map(\.id) == ["f4"])
    try await store.close()
  }

  /// Who links to an object is not known of the past, so an airport may have become one that does not belong.
  @Test(arguments: 0..<3) func lostBacklinksAreNotGuessed(way: Int) async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    try await LateFlights.write(store) { realm in
      let airport = realm.create(ResumedAirport.self, value: ["id": 1, "city": "A"] as [String: Any])
      for flight in realm.objects(ResumedFlight.self).where({ $0.delay < 2 }) { flight.airport = airport }
    }
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in
      guard let flight = realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f1") else { return }
      switch way {
      case 0: realm.delete(flight)
      case 1: flight.airport = nil
      default: flight.airport = realm.create(ResumedAirport.self, value: ["id": 2, "city": "B"] as [String: Any])
      }
    }
    let condition = store.resumableChanges(after: token) {
      $0.objects(ResumedAirport.self).filter("flights.@count > 1")
    }
    let keyPath = store.resumableChanges(after: token, keyPaths: ["flights.delay"]) { $0.objects(ResumedAirport.self) }
    for changes in [condition, keyPath] {
      var changes = changes.makeAsyncIterator()
      guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
    }
    try await store.close()
  }

  /// The list has a row of its own, which is what was written.
  @Test func whatIsNestedInMixedValuesCounts() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.fill(store)
    try await LateFlights.write(store) { realm in
      for flight in realm.objects(ResumedFlight.self).where({ $0.delay > 3 }) {
        flight.extra = .fromArray([.int(flight.delay), .fromArray([.int(1)])])
      }
    }
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in
      func extra(_ number: Int) -> List<AnyRealmValue>? {
        realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f\(number)")?.extra.listValue
      }
      extra(4)?[0] = .int(5)
      extra(5)?[1].listValue?.append(.int(2))
    }
    #expect(await LateFlights.resumption(store, after: token) == Told(resumed: ["f4", "f5"], []))
    var changes = store.resumableChanges(after: token) { $0.objects(ResumedFlight.self).filter("extra[0] == 4") }
      .makeAsyncIterator()
    #expect(await changes.next().map { Told($0) } == Told(resumed: [], ["f4", "f5"]))
    try await store.close()
  }

  @Test func keysAreOfTheirTypes() async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.write(store) { realm in
      _ = realm.create(ResumedAirport.self, value: ["id": 7, "city": "A"] as [String: Any])
    }
    let token = store.freeze().resumeToken
    try await LateFlights.write(store) { realm in realm.delete(realm.objects(ResumedAirport.self)) }
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
      try await LateFlights.fill(store)
      let token = store.freeze().resumeToken
      for number in 3..<6 {
        try await LateFlights.write(store) { realm in
          let flight = realm.object(ofType: ResumedFlight.self, forPrimaryKey: "f\(number)")
          flight?.note = String((0..<150_000).map { "\($0)" }.joined().prefix(700_000))
        }
      }
      #expect(await LateFlights.resumption(store, after: token) == Told(resumed: ["f3", "f4", "f5"], []))
      // One that is full ends behind the commit that filled it.
      let start = try #require(token.position?.version)
      #expect(try store.store.historyPage(after: start, through: store.store.graph.head).count == 2)
      try await store.close()
    }
  }

  @Test(arguments: [false, true]) func aTokenOfNothingIsOne(inMemory: Bool) async throws {
    let disk = SimulatedDisk(seed: 1)
    let configuration = Resumed.configuration(inMemory ? nil : disk)
    let store = try await RealmStore.open(configuration)
    let token = store.freeze().resumeToken
    try await LateFlights.fill(store)
    let told = Told(resumed: ["f3", "f4", "f5"], [])
    #expect(await LateFlights.resumption(store, after: token) == told)
    try await store.close()
    if inMemory { return }
    // Nor does it matter that nothing has been written since the opening, or since a checkpoint.
    for isCheckpointed in [false, true] {
      let again = try await RealmStore.open(configuration)
      if isCheckpointed { try await again.checkpoint() }
      let next = again.freeze().resumeToken
      try await LateFlights.write(again) { realm in realm.objects(ResumedFlight.self).first?.delay += 4 }
      #expect(await LateFlights.resumption(again, after: next) == Told(resumed: ["f0"], []))
      #expect(await LateFlights.resumption(again, after: token)?.start == .resumed)
      try await again.close()
    }
  }

  /// So many change at once that the query is run anew.
  @Test(arguments: [1, 100, 5_000]) func whatLeavesTogetherIsToldOneByOne(count: Int) async throws {
    let store = try await RealmStore.open(Resumed.configuration())
    try await LateFlights.write(store) { realm in
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
      try await LateFlights.write(store) { realm in
        realm.objects(ResumedAirport.self).first?.city = "B"
        if path == 1 { for flight in realm.objects(ResumedFlight.self) { flight.delay = 1 } }
      }
      var resumed = inA(token).makeAsyncIterator()
      for delta in [await changes.next()?.delta, await resumed.next()?.delta] {
        #expect(delta?.upserted.isEmpty == true && Set(delta?.removedKeys ?? []).count == count)
      }
      try await LateFlights.write(store) { realm in realm.objects(ResumedAirport.self).first?.city = "A" }
      for delta in [await changes.next()?.delta, await resumed.next()?.delta] {
        #expect(delta?.removedKeys.isEmpty == true && delta?.upserted.count == count)
      }
    }
    try await store.close()
  }
}
