import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// What subscriptions of equal sequences share, and what they do not.
@Suite struct StreamSharingTests {
  private typealias Changes = ChangeStream<Frozen<Results<FacedItem>>, CollectionDelta>

  private func set(_ id: Int, _ number: Int, _ store: RealmStore) async throws {
    try await store.write { $0.object(ofType: FacedItem.self, forPrimaryKey: id)?.number = number }
  }

  @Test("one that takes later than another that stood at the same place gets what came in between, too")
  func later() async throws {
    let store = try await Faced.open(items: 10)
    let source = store.changes { $0.objects(FacedItem.self) }
    var (first, second) = (source.makeAsyncIterator(), source.makeAsyncIterator())
    _ = await first.next()
    _ = await second.next()
    try await set(1, 10, store)
    #expect(await first.next()?.delta?.modifications == [1])
    try await set(2, 20, store)
    let late = await second.next()
    #expect(late?.delta?.modifications == [1, 2] && late?.content?[2].number == 20)
    #expect(await first.next()?.delta?.modifications == [2])
  }

  @Test("logs that keep something of a version are remembered until the next one only")
  func caches() async throws {
    let store = try await Faced.open(items: 10)
    var all = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    var some = store.changes { $0.objects(FacedItem.self).where { $0.number >= 0 } }.makeAsyncIterator()
    _ = await all.next()
    _ = await some.next()
    let hub = try #require(store.store.streams.current)
    for number in 0..<20 {
      try await set(number % 10, 100 + number, store)
      #expect(await all.next()?.delta?.modifications == [number % 10])
      #expect(await some.next() != nil)
      // Each of the two is remembered once for each thing that it keeps.
      let count = hub.queue.sync { hub.cached.count }
      #expect(count > 0 && count <= 4, "\(count) after \(number) commits")
    }
  }

  @Test("those that want each commit and those that want all at once do not disturb each other")
  func deliveries() async throws {
    let store = try await Faced.open(items: 10)
    func follow(_ delivery: ChangeDelivery) -> Changes { store.changes(delivery) { $0.objects(FacedItem.self) } }
    var merged = follow(.merged).makeAsyncIterator()
    var each = follow(.everyCommit).makeAsyncIterator()
    var latest = follow(.latest).makeAsyncIterator()
    _ = await merged.next()
    _ = await each.next()
    _ = await latest.next()
    for id in 0..<3 { try await set(id, 50, store) }
    for id in 0..<3 { #expect(await each.next()?.delta?.modifications == [id]) }
    #expect(await merged.next()?.delta?.modifications == [0, 1, 2])
    guard case .reset = await latest.next() else { return #expect(Bool(false), "no reset") }
  }

  @Test("key paths are part of what is equal")
  func keyPaths() async throws {
    let store = try await Faced.open(items: 10)
    func follow(_ names: [String]) -> Changes.Iterator {
      store.changes(keyPaths: names) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    }
    var (numbers, names) = (follow(["number"]), follow(["name"]))
    _ = await numbers.next()
    _ = await names.next()
    let item = store.freeze().objects(FacedItem.self)[4]
    var number = item.changes(.merged, keyPaths: ["number"]).makeAsyncIterator()
    var name = item.changes(.merged, keyPaths: ["name"]).makeAsyncIterator()
    _ = await number.next()
    _ = await name.next()
    try await set(4, 40, store)
    try await store.write { $0.object(ofType: FacedItem.self, forPrimaryKey: 5)?.name = "five" }
    try await store.write { $0.object(ofType: FacedItem.self, forPrimaryKey: 4)?.name = "four" }
    #expect(await numbers.next()?.delta?.modifications == [4])
    #expect(await names.next()?.delta?.modifications == [4, 5])
    #expect(await number.next()?.delta?.properties == ["number"])
    #expect(await name.next()?.delta?.properties == ["name"])
  }

  @Test("what nobody is subscribed to any more is not observed, though there are other subscribers")
  func leaving() async throws {
    let store = try await Faced.open(items: 10)
    var staying = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await staying.next()
    for number in 0..<20 {
      var other = store.changes([.merged, .everyCommit, .latest][number % 3]) { realm in
        realm.objects(FacedItem.self).where { $0.number > number }
      }.makeAsyncIterator()
      _ = await other.next()
    }
    #expect(store.statistics.streams.count == 1)
    try await set(1, 5, store)
    #expect(await staying.next()?.delta?.modifications == [1])
  }

  @Test("versions are held one by one only as long as somebody wants each commit", .timeLimit(.minutes(5)))
  func following() async throws {
    let store = try await Faced.open(items: 10)
    var merged = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await merged.next()
    func heldCount() async throws -> Int {
      var count = 0
      try await store.holdingStreams {
        for number in 0..<20 { try await set(0, number, store) }
        count = store.graphVersionCount
      }
      return count
    }
    #expect(try await heldCount() < 5)
    var each: Changes.Iterator? = store.changes(.everyCommit) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    _ = await each?.next()
    #expect(try await heldCount() >= 20)
    #expect(each != nil)
    each = nil
    _ = store.statistics.streams
    #expect(try await heldCount() < 5)
  }

  @Test("each commit comes with its own cause, however many were made meanwhile", .timeLimit(.minutes(5)))
  func causes() async throws {
    let store = try await Faced.open(items: 10)
    var each = store.changes(.everyCommit) { $0.objects(FacedItem.self) }.makeAsyncIterator()
    var versions = store.changes(.everyCommit).makeAsyncIterator()
    _ = await each.next()
    _ = await versions.next()
    try await store.holdingStreams {
      for id in 0..<3 {
        try await store.write(author: "author \(id)") {
          $0.object(ofType: FacedItem.self, forPrimaryKey: id)?.number = 50
        }
      }
    }
    for id in 0..<3 {
      let change = try #require(await each.next())
      #expect(
        change.delta?.modifications == [id] && change.causes.map(\.author) == ["author \(id)"], "\(change.causes)")
      #expect(await versions.next()?.causes.map(\.author) == ["author \(id)"])
    }
  }

  @Test("an iterator that is asked for two changes at a time ends the process, and says why")
  func twoAtATime() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try await Faced.open(items: 10)
      var changes = store.changes { $0.objects(FacedItem.self) }.makeAsyncIterator()
      _ = await changes.next()
      // The compiler lets nobody do it by mistake.
      nonisolated(unsafe) let copy = changes
      let ask: @Sendable () async -> Void = {
        var changes = copy
        _ = await changes.next()
      }
      async let other: Void = ask()
      await ask()
      await other
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("asked for two changes at a time"), "\(said)")
  }

  @Test("who stands in the middle when all is given up keeps no version", .timeLimit(.minutes(5)))
  func middle() async throws {
    let store = try await Faced.open(1 << 16, items: 10)
    let source = store.changes(.everyCommit) { $0.objects(FacedItem.self) }
    var (slow, middle) = (source.makeAsyncIterator(), source.makeAsyncIterator())
    _ = await slow.next()
    _ = await middle.next()
    for number in 0..<5 {
      try await set(0, 50 + number, store)
      if number < 3 { _ = await middle.next() }
    }
    try await store.holdingStreams {
      for id in 1..<200 { try await store.write { $0.create(FacedOwner.self, value: ["id": id]) } }
    }
    try await eventually { store.statistics.versions.count == 1 }
    for change in [await slow.next(), await middle.next()] {
      guard case .reset = change else { return #expect(Bool(false), "no reset") }
    }
  }
}

extension RealmStore {
  /// How many versions are held, without waiting for the queue of the streams.
  fileprivate var graphVersionCount: Int { store.graph.heldVersions.count }
}
