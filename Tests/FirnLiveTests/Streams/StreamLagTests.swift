import Foundation
import TestSupport
import Testing

@testable import Firn

/// Subscribers that do not take what waits for them.
@Suite struct StreamLagTests {
  @Test("what waits for a subscriber of every commit is given up when it takes too much")
  func everyCommit() async throws {
    let store = try await Faced.open(1 << 20, items: 10_000)
    var changes = store.changes(.everyCommit) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    var other = store.changes(.everyCommit) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    _ = await other.next()
    var most = 0
    for round in 0..<200 {
      try await store.write { realm in
        for item in realm.objects(FacedItem.self) where item.id % 10 == round % 10 { item.number += 1 }
      }
      // One that keeps up loses nothing.
      let change = await other.next()
      #expect(change?.delta?.modifications.count == 1_000, "round \(round)")
      most = max(most, store.statistics.streams.first?.byteCount ?? 0)
    }
    #expect(most > 1 << 19 && most < 3 << 20, "\(most)")
    let newest = store.freeze().objects(FacedItem.self).sum(of: \.number) as Int
    guard case .reset(let items) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(items.withValue { $0.sum(of: \.number) as Int } == newest)
    try await store.write { realm in realm.objects(FacedItem.self)[3].number = 0 }
    #expect(await changes.next()?.delta?.modifications == [3])
  }

  @Test("a subscriber that never asks again holds no version and few changes")
  func merged() async throws {
    let store = try await Faced.open(64 << 20, items: 1_000)
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    for round in 0..<3_000 {
      try await store.write { realm in realm.objects(FacedItem.self)[round * 7 % 1_000].number += 1 }
    }
    try await eventually { store.statistics.streams.first?.behindCount == 1 }
    try await eventually { store.statistics.versions.count == 1 }
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.changeCount < 16 && stream.byteCount < 64_000, "\(stream)")
    #expect(await changes.next()?.delta?.modifications == Array(0..<1_000))
  }

  @Test("merged changes are given up when there are too many")
  func tooManyMerged() async throws {
    let store = try await Faced.open(16_000, items: 3_000)
    var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await changes.next()
    for id in stride(from: 0, to: 3_000, by: 2) {
      try await store.write { realm in realm.objects(FacedItem.self)[id].number += 1 }
    }
    try await eventually { (store.statistics.streams.first?.byteCount ?? .max) <= 16_000 }
    guard case .reset(let items) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(items.count == 3_000 && items[2].number == 3)
  }

  private static let longName = String(repeating: "long ", count: 20_000)

  /// Names an item and shelves it under that name, in several commits.
  private func writeLongNames(to store: RealmStore) async throws {
    for id in 0..<8 {
      try await store.write { realm in
        let item = realm.objects(FacedItem.self)[id]
        item.name = "\(id) \(Self.longName)"
        realm.objects(FacedOwner.self).first?.shelf["\(id) \(Self.longName)"] = item
      }
    }
    try await eventually { (store.statistics.streams.first?.byteCount ?? .max) <= 300_000 }
  }

  @Test("keys of a map that wait count for their length")
  func longKeys() async throws {
    let store = try await Faced.open(300_000, items: 10)
    try await store.write { realm in _ = realm.create(FacedOwner.self, value: ["id": 1] as [String: Any]) }
    var changes = try #require(store.freeze().objects(FacedOwner.self).first).shelf.changes.makeAsyncIterator()
    _ = await changes.next()
    try await writeLongNames(to: store)
    guard case .reset(let shelf) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(shelf.withValue { $0.count } == 8)
  }

  @Test("keys of groups that wait count for their length")
  func longGroupKeys() async throws {
    let store = try await Faced.open(300_000, items: 10)
    var changes = store.freeze().objects(FacedItem.self).grouped(by: \.name).changes.makeAsyncIterator()
    _ = await changes.next()
    try await writeLongNames(to: store)
    guard case .reset(let groups) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(groups.count == 9)
  }
}
