import Dispatch
import TestSupport
import Testing

@testable import Firn

/// What waits in a log, and what is kept for it.
@Suite struct StreamKeepingTests {
  private typealias Changes = ChangeStream<Frozen<Results<FacedItem>>, CollectionDelta>

  private func items(_ store: RealmStore, _ delivery: ChangeDelivery = .merged) -> Changes {
    store.changes(delivery) { $0.objects(FacedItem.self) }
  }

  /// Writes the first items, and waits until the streams know.
  private func touch(_ count: Int, _ store: RealmStore, metadata: [String: String] = [:]) async throws {
    try await store.write(metadata: metadata) { realm in
      for item in realm.objects(FacedItem.self).prefix(count) { item.number += 1 }
    }
    _ = store.statistics.streams
  }

  @Test("several changes that were taken as one weigh nothing")
  func weight() async throws {
    // Takes one round's changes easily, but not those of two.
    let store = try await Faced.open(16_000, items: 1_000)
    var changes = items(store).makeAsyncIterator()
    _ = await changes.next()
    for round in 0..<10 {
      for count in [500, 1] { try await touch(count, store) }
      #expect(await changes.next()?.delta?.modifications == Array(0..<500), "round \(round)")
      #expect(store.statistics.streams.first?.byteCount == 0, "round \(round)")
    }
  }

  @Test("what only one waited for is forgotten when it leaves, and with it the versions", .timeLimit(.minutes(1)))
  func leaving() async throws {
    let store = try await Faced.open(items: 1_000)
    let source = items(store, .everyCommit)
    var slow: Changes.Iterator? = source.makeAsyncIterator()
    var fast = source.makeAsyncIterator()
    _ = await slow?.next()
    _ = await fast.next()
    for _ in 0..<20 {
      try await touch(1, store)
      _ = await fast.next()
    }
    #expect(store.statistics.versions.count > 10)
    slow = nil
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.subscriberCount == 1 && stream.behindCount == 0)
    #expect(stream.changeCount == 0 && stream.byteCount == 0)
    // The one that the realm of the streams shows, too.
    try await eventually { store.statistics.versions.count == 1 }
  }

  @Test("versions that waiting changes keep are given up when they take too much, however small the changes")
  func versions() async throws {
    let store = try await Faced.open(1 << 20, items: 1_000)
    var changes = items(store, .everyCommit).makeAsyncIterator()
    _ = await changes.next()
    for round in 0..<60 {
      let name = String(repeating: "\(round % 10)", count: 100_000)
      try await store.write { $0.objects(FacedItem.self)[0].name = name }
      _ = store.statistics.streams
    }
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.byteCount < 2 << 20 && store.statistics.versions.count < 30, "\(stream)")
    guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
  }

  @Test("between one that is behind and one that keeps up changes become one")
  func fastAndSlow() async throws {
    let store = try await Faced.open(items: 1_000)
    let source = items(store)
    var slow = source.makeAsyncIterator()
    var fast = source.makeAsyncIterator()
    _ = await slow.next()
    _ = await fast.next()
    for round in 0..<2_000 {
      try await store.write { $0.objects(FacedItem.self)[round * 7 % 1_000].number += 1 }
      #expect(await fast.next()?.delta?.modifications == [round * 7 % 1_000])
    }
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.behindCount == 1 && stream.changeCount < 16 && stream.byteCount < 64_000, "\(stream)")
    #expect(await slow.next()?.delta?.modifications == Array(0..<1_000))
  }

  @Test("one between those that are behind and ahead leaves, and the changes around it become one")
  func leavingTheMiddle() async throws {
    let store = try await Faced.open(items: 1_000)
    let source = items(store)
    var iterators = [Changes.Iterator]()
    for _ in 0..<100 {
      var iterator = source.makeAsyncIterator()
      _ = await iterator.next()
      iterators.append(iterator)
      try await touch(1, store)
    }
    #expect(store.statistics.streams.first?.changeCount == 100)
    iterators.removeSubrange(1..<99)
    #expect(try #require(store.statistics.streams.first).changeCount < 8)
    #expect(await iterators[0].next()?.delta?.modifications == [0])
    #expect(await iterators[1].next()?.delta?.modifications == [0])
    #expect(store.statistics.streams.first?.changeCount == 0)
  }

  @Test("causes weigh as much as they take", arguments: [ChangeDelivery.merged, .everyCommit])
  func causes(delivery: ChangeDelivery) async throws {
    let store = try await Faced.open(1 << 20, items: 1_000)
    var changes = items(store, delivery).makeAsyncIterator()
    _ = await changes.next()
    let metadata = ["text": String(repeating: "x", count: 50_000)]
    for _ in 0..<100 { try await touch(1, store, metadata: metadata) }
    #expect(try #require(store.statistics.streams.first).byteCount < 2 << 20)
    guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
  }

  @Test("causes of one change take about a megabyte, the newest stay")
  func causesOfOne() async throws {
    let store = try await Faced.open(items: 1_000)
    var changes = items(store).makeAsyncIterator()
    _ = await changes.next()
    let metadata = ["text": String(repeating: "x", count: 50_000)]
    for _ in 0..<100 { try await touch(1, store, metadata: metadata) }
    let causes = try #require(await changes.next()).causes
    #expect((15...21).contains(causes.count) && causes.last?.version == store.freeze().version, "\(causes.count)")
  }

  @Test("who was too far behind learns it even when what happened came to nothing", .timeLimit(.minutes(1)))
  func gap() async throws {
    let store = try await Faced.open(1 << 16, items: 1_000)
    var changes = items(store, .everyCommit).makeAsyncIterator()
    _ = await changes.next()
    // Nothing moves on the queue of the streams.
    let (held, release) = (Counter(), DispatchSemaphore(value: 0))
    let holding = Task {
      var other = store.changes { realm in
        held.add()
        release.wait()
        return realm.objects(FacedOwner.self)
      }.makeAsyncIterator()
      return await other.next() != nil
    }
    try await eventually { held.count > 0 }
    try await store.write { $0.create(FacedItem.self, value: ["id": 1_000]) }
    try await store.write { $0.delete($0.objects(FacedItem.self).where { $0.id == 1_000 }) }
    for id in 1..<200 { try await store.write { $0.create(FacedOwner.self, value: ["id": id]) } }
    for _ in 0..<10 { release.signal() }
    #expect(await holding.value)
    guard case .reset(let items) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(items.count == 1_000)
    try await touch(1, store)
    #expect(await changes.next()?.delta?.modifications == [0])
  }

  @Test("who only wants the newest learns why the object went, late or not")
  func deletion() async throws {
    let store = try await Faced.open(items: 1_000)
    try await store.write { Faced.fillOwner($0) }
    var changes = store.changes(.latest) { $0.object(ofType: FacedOwner.self, forPrimaryKey: 1)!.items }
      .makeAsyncIterator()
    _ = await changes.next()
    try await store.write(author: "cleaner") { $0.delete($0.objects(FacedOwner.self)) }
    _ = store.statistics.streams
    guard case .deleted(let causes) = await changes.next() else { return #expect(Bool(false), "not deleted") }
    #expect(causes.map(\.author) == ["cleaner"])
    #expect(await changes.next() == nil)
  }
}
