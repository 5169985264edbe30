import Firn
import Foundation
import Testing

@MainActor @Suite("Groups of objects by their properties")
struct LiveGroupsTests {
  private func describe(_ groups: LiveGroups<FlightStatus, Double?>) -> [String] {
    groups.map { "\($0.key) \($0.count) \($0.values.map { "\($0)" } ?? "-")" }
  }

  @Test func groupsFollowTheRealm() throws {
    let realm = try liveRealm()
    let groups = realm.objects(LiveFlight.self).grouped(by: \.status) { $0.average(of: \.delay) }
    #expect(groups.isEmpty)
    try realm.write {
      realm.addFlight(1, .departed, delay: 4)
      realm.addFlight(2, .boarding)
      #expect(describe(groups) == ["boarding 1 -", "departed 1 4.0"])
      realm.addFlight(3, .departed, delay: 5)
    }
    #expect(describe(groups) == ["boarding 1 -", "departed 2 4.5"])
    #expect(groups.group(for: .departed)?.values == 4.5)
    #expect(groups.group(for: .cancelled)?.count == nil)
    #expect(groups.index(for: .departed) == 1)
    #expect(groups[0].count == 1 && groups.count == 2 && groups.last?.key == .departed)
    #expect(groups.realm == realm)
    #expect(realm.objects(LiveFlight.self).liveValue { $0.count }.realm == realm)
  }

  @Test func severalKeys() throws {
    let realm = try liveRealm()
    try realm.write {
      for id in 0..<12 { realm.addFlight(id, gate: id % 2 == 0 ? "B" : "A", delay: id % 3 == 0 ? nil : id % 3) }
    }
    let groups = realm.objects(LiveFlight.self).grouped(by: \.gate, \.delay) { ($0.count, $0.min(of: \.id)) }
    #expect(
      groups.map { "\($0.key.0)\($0.key.1 ?? 0) \($0.values.0) \($0.values.1!)" }
        == ["A0 2 3", "A1 2 1", "A2 2 5", "B0 2 0", "B1 2 4", "B2 2 2"])
    #expect(groups.group(for: ("B", nil))?.count == 2)
    #expect(groups.group(for: ("C", nil))?.count == nil)
  }

  @Test func collectionsAsKeysAreOneGroup() throws {
    let realm = try liveRealm()
    let groups = realm.objects(LiveFlight.self).grouped(by: \.note)
    try realm.write {
      for id in 0..<7 {
        realm.addFlight(id).note =
          [
            .fromArray([.int(1)]), .fromArray([.int(2)]), .fromDictionary(["a": .int(1)]), .fromDictionary([:]),
            .fromArray([]), .int(1),
            .none,
          ][id]
      }
    }
    #expect(groups.map(\.count) == [1, 1, 3, 2])
    var told: [[Int]] = []
    let token = groups.observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change {
        told += [deletions, insertions, modifications]
      }
    }
    realm.refresh()
    try realm.write {
      realm.objects(LiveFlight.self)[0].note = .fromDictionary(["b": .int(2)])
      realm.objects(LiveFlight.self)[5].note = .fromArray([.int(9)])
    }
    realm.refresh()
    #expect(told == [[1], [], [3]])
    #expect(groups.map(\.count) == [1, 3, 3])
    withExtendedLifetime(token) {}
  }

  @Test func keysOfAllKinds() throws {
    let realm = try liveRealm()
    let carrier = LiveCarrier(value: ["code": "LH", "alliance": "Star"])
    try realm.write {
      realm.add(carrier)
      for id in 0..<6 {
        let flight = realm.addFlight(id, carrier: id == 5 ? carrier : nil)
        flight.isFull = id > 3
        flight.fare = [0, -0.0, .nan, -.nan, .infinity, -1][id]
        flight.departs = Date(timeIntervalSinceReferenceDate: Double(id / 3))
        flight.price = try Decimal128(string: ["1", "1.0", "1.00", "2", "NaN", "NaN"][id])
        flight.note = [.none, .int(1), .double(1), .string("a"), .string("a"), .none][id]
      }
    }
    let flights = realm.objects(LiveFlight.self)
    for _ in 0..<2 {
      #expect(flights.grouped(by: \.isFull).map { "\($0.key) \($0.count)" } == ["false 4", "true 2"])
      #expect(flights.grouped(by: \.fare).map(\.count) == [2, 1, 2, 1])
      #expect(flights.grouped(by: \.fare).dropFirst().map(\.key) == [-1, 0, .infinity])
      #expect(flights.grouped(by: \.departs).map(\.count) == [3, 3])
      #expect(flights.grouped(by: \.price).map(\.count) == [2, 3, 1])
      #expect(flights.grouped(by: \.note).map(\.count) == [2, 2, 2])
      #expect(flights.grouped(by: \.carrier?.alliance).map { "\($0.key ?? "-") \($0.count)" } == ["- 5", "Star 1"])
      // Once more, as transactions see it.
      if realm.isInWriteTransaction { break }
      realm.beginWrite()
      realm.addFlight(99).fare = 7
      realm.delete(flights.where { $0.id == 99 })
    }
    realm.cancelWrite()
  }

  @Test func changesAreExact() throws {
    let realm = try liveRealm()
    try realm.write { for id in 0..<4 { realm.addFlight(id, gate: ["A", "A", "C", "E"][id], delay: id) } }
    let groups = realm.objects(LiveFlight.self).grouped(by: \.gate) { $0.sum(of: \.delay) }
    var told: [String] = []
    let token = groups.observe { change in
      switch change {
      case .initial(let groups): told.append("\(groups.map(\.key))")
      case .update(let groups, let gone, let new, let modified):
        told.append("\(groups.map(\.key)) \(gone) \(new) \(modified)")
      case .error: break
      }
    }
    realm.refresh()
    let flights = realm.objects(LiveFlight.self).sorted(by: \.id)
    try realm.write {
      flights[2].gate = "B"
      flights[3].gate = "A"
    }
    realm.refresh()
    // The same again, and what is not asked for.
    try realm.write {
      (flights[0].gate, flights[2].gate) = ("A", "B")
      flights[0].fare = 5
    }
    realm.refresh()
    // One place is taken by another flight with the same number, and delays that come to the same.
    try realm.write {
      realm.delete(flights[2])
      realm.addFlight(2, gate: "B", delay: 2)
      (flights[0].delay, flights[1].delay) = (1, 0)
    }
    realm.refresh()
    // A gate comes and goes before anything is delivered; another changes and comes back.
    try realm.write { realm.addFlight(7, gate: "D") }
    #expect(told.count == 2)
    token.invalidate()
    #expect(told == ["[\"A\", \"C\", \"E\"]", "[\"A\", \"B\"] [1, 2] [1] [0]"])
  }

  @Test func commitsThatWereNotDeliveredAreMerged() async throws {
    let store = try await RealmStore.open(
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [LiveCarrier.self, LiveFlight.self]))
    let realm = try store.realm()
    realm.autorefresh = false
    try realm.write { for id in 0..<3 { realm.addFlight(id, gate: ["A", "B", "C"][id]) } }
    var told: [String] = []
    let token = realm.objects(LiveFlight.self).grouped(by: \.gate).observe { change in
      if case .update(let groups, let gone, let new, let modified) = change {
        told.append("\(groups.map(\.key)) \(gone) \(new) \(modified)")
      }
    }
    realm.refresh()
    for gate in ["D", "E", "B"] {
      try await store.write { realm in realm.objects(LiveFlight.self).where { $0.id == 1 }.first?.gate = gate }
    }
    realm.refresh()
    #expect(told == [])
    for gate in ["D", "E", "C"] {
      try await store.write { realm in realm.objects(LiveFlight.self).where { $0.id == 1 }.first?.gate = gate }
    }
    realm.refresh()
    #expect(told == ["[\"A\", \"C\"] [1] [] [2]"])
    token.invalidate()
  }

  @Test func frozenGroupsStayAndMayBeReadAnywhere() async throws {
    let realm = try liveRealm()
    try realm.write { for id in 0..<3 { realm.addFlight(id, gate: "\(id)") } }
    let groups = realm.objects(LiveFlight.self).grouped(by: \.gate)
    let frozen = groups.freeze()
    try realm.write { realm.deleteAll() }
    #expect(groups.isEmpty && frozen.count == 3 && frozen.isFrozen && frozen.thaw()?.count == 0)
    nonisolated(unsafe) let other = frozen
    #expect(await Task.detached { other.map(\.key) }.value == ["0", "1", "2"])
  }

  @Test func equalGroupsShareTheirWork() throws {
    let realm = try liveRealm()
    try realm.write { for id in 0..<100 { realm.addFlight(id, gate: "\(id % 7)") } }
    var count = 0
    let tokens = (0..<50).map { _ in
      realm.objects(LiveFlight.self).sorted(by: \.id).grouped(by: \.gate) { $0.max(of: \.fare) }.observe { _ in
        count += 1
      }
    }
    realm.refresh()
    try realm.write { realm.addFlight(200, gate: "3", fare: 4) }
    realm.refresh()
    #expect(count == 100)
    for token in tokens { token.invalidate() }
  }

  @Test func wrongKeysTrap() async {
    await #expect(processExitsWith: .failure) {
      let realm = try liveRealm()
      _ = realm.objects(LiveFlight.self).grouped(by: \.carrier)
    }
    await #expect(processExitsWith: .failure) {
      let realm = try liveRealm()
      _ = realm.objects(LiveFlight.self).grouped(by: \.gate)[0]
    }
  }
}
