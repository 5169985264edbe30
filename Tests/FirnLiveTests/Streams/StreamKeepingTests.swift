import FirnEngine
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

  @Test("what only one waited for is forgotten when it leaves, and with it the versions", .timeLimit(.minutes(5)))
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
    var most = 0
    for round in 0..<60 {
      let name = String(repeating: "\(round % 10)", count: 100_000)
      try await store.write { $0.objects(FacedItem.self)[0].name = name }
      // Changes of one row each, so that most of it is what the versions keep.
      most = max(most, store.statistics.streams.first?.byteCount ?? 0)
    }
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.byteCount < 2 << 20 && store.statistics.versions.count < 30, "\(stream)")
    #expect(most > 1 << 18 && most < 2 << 20, "\(most)")
    guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
  }

  @Test("versions are bounded for each who begins to want every commit, whatever others were given before")
  func versionsAgain() async throws {
    let store = try await Faced.open(1 << 20, items: 1_000)
    var staying = items(store).makeAsyncIterator()
    _ = await staying.next()
    for turn in 0..<3 {
      var changes = items(store, .everyCommit).makeAsyncIterator()
      _ = await changes.next()
      for round in 0..<60 {
        let name = String(repeating: "\(round % 10)", count: 100_000)
        try await store.write { $0.objects(FacedItem.self)[0].name = name }
        _ = store.statistics.streams
        // The first two keep up.
        if turn < 2 { #expect(await changes.next()?.delta?.modifications == [0]) }
      }
      if turn < 2 { continue }
      #expect(store.statistics.versions.count < 30)
      guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
    }
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

  @Test("causes of one change are the newest thousand")
  func manyCauses() async throws {
    let store = try await Faced.open(items: 10)
    var changes = items(store).makeAsyncIterator()
    _ = await changes.next()
    for number in 0..<1_200 {
      try await store.write(author: "\(number)") { $0.objects(FacedItem.self)[number % 10].number += 1 }
      // Each is a step of its own.
      _ = store.statistics.streams
    }
    let authors = try #require(await changes.next()).causes.map(\.author)
    #expect(authors == (200..<1_200).map { "\($0)" })
  }

  @Test("who was too far behind learns it even when what happened came to nothing", .timeLimit(.minutes(5)))
  func gap() async throws {
    let store = try await Faced.open(1 << 16, items: 1_000)
    var changes = items(store, .everyCommit).makeAsyncIterator()
    _ = await changes.next()
    try await store.holdingStreams {
      try await store.write { $0.create(FacedItem.self, value: ["id": 1_000]) }
      try await store.write { $0.delete($0.objects(FacedItem.self).where { $0.id == 1_000 }) }
      for id in 1..<200 { try await store.write { $0.create(FacedOwner.self, value: ["id": id]) } }
    }
    guard case .reset(let items) = await changes.next() else { return #expect(Bool(false), "no reset") }
    #expect(items.count == 1_000)
    try await touch(1, store)
    #expect(await changes.next()?.delta?.modifications == [0])
  }

  @Test(
    "who waits through a gap is told to begin anew at once, not of several commits in one", .timeLimit(.minutes(5)),
    arguments: [false, true])
  func waitingThroughAGap(isMoreHeld: Bool) async throws {
    let store = try await Faced.open(1 << 16, items: 1_000)
    var changes = items(store, .everyCommit).makeAsyncIterator()
    _ = await changes.next()
    let told = Guarded<[String]>([])
    let task = Task { [changes] in
      var changes = changes
      for _ in 0..<2 {
        guard let change = await changes.next() else { return }
        let text = change.delta.map { "\($0.insertions) \($0.modifications)" }
        told.withLock { $0.append(text ?? "reset to \(change.content?.count ?? 0)") }
      }
    }
    // It waits when the queue of the streams comes to the next.
    _ = store.statistics.streams
    try await store.holdingStreams {
      try await store.write { $0.create(FacedItem.self, value: ["id": 1_000]) }
      for id in 1..<200 { try await store.write { $0.create(FacedOwner.self, value: ["id": id]) } }
      if !isMoreHeld { return }
      // A commit that is held beside another one, behind the gap.
      var heldCount: Int
      repeat {
        heldCount = store.store.graph.heldVersions.count
        try await store.write { $0.objects(FacedItem.self)[5].number += 77 }
      } while store.store.graph.heldVersions.count <= heldCount
    }
    // Nothing more is written before it has its reset.
    if !isMoreHeld {
      try await eventually { told.withLock { $0 } == ["reset to 1001"] }
      try await store.write { $0.objects(FacedItem.self)[5].number += 77 }
    }
    await task.value
    #expect(told.withLock { $0 } == ["reset to 1001", "[] [5]"])
  }

  @Test("nothing is kept for those who only want the newest")
  func latest() async throws {
    let store = try await Faced.open(items: 1_000)
    var changes = items(store, .latest).makeAsyncIterator()
    _ = await changes.next()
    for count in 1..<50 { try await touch(count, store, metadata: ["text": "because"]) }
    let stream = try #require(store.statistics.streams.first)
    #expect(stream.changeCount == 0 && stream.byteCount == 0 && stream.behindCount == 0, "\(stream)")
    guard case .reset = await changes.next() else { return #expect(Bool(false), "no reset") }
    // One that wants changes is behind, and leaves nothing when it goes.
    var merged: Changes.Iterator? = items(store).makeAsyncIterator()
    _ = await merged?.next()
    try await touch(10, store)
    _ = await changes.next()
    #expect(store.statistics.streams.first.map { [$0.changeCount, $0.behindCount] } == [1, 1])
    merged = nil
    #expect(store.statistics.streams.first.map { [$0.changeCount, $0.behindCount, $0.byteCount] } == [0, 0, 0])
  }

  @Test(
    "what one that keeps up has taken is forgotten, commit after commit",
    arguments: [ChangeDelivery.merged, .everyCommit])
  func keepingUp(delivery: ChangeDelivery) async throws {
    let store = try await Faced.open(items: 1_000)
    var changes = items(store, delivery).makeAsyncIterator()
    _ = await changes.next()
    for round in 0..<120 {
      try await touch(1 + round % 50, store)
      #expect(store.statistics.streams.first.map { [$0.changeCount, $0.behindCount] } == [1, 1], "round \(round)")
      #expect(await changes.next()?.delta?.modifications.count == 1 + round % 50)
      let stream = try #require(store.statistics.streams.first)
      #expect(stream.changeCount == 0 && stream.byteCount == 0 && stream.behindCount == 0, "round \(round): \(stream)")
    }
  }

  @Test(
    "one that was cancelled while it waited is not served any more", arguments: [ChangeDelivery.merged, .everyCommit])
  func cancelledWaiting(delivery: ChangeDelivery) async throws {
    let store = try await Faced.open(items: 10)
    let source = items(store, delivery)
    var staying = source.makeAsyncIterator()
    _ = await staying.next()
    let isTaken = Counter()
    let task = Task { for await _ in source { isTaken.add() } }
    try await eventually { isTaken.count == 1 }
    // It waits for the second one.
    _ = store.statistics.streams
    task.cancel()
    await task.value
    try await eventually { store.statistics.streams.first?.subscriberCount == 1 }
    for _ in 0..<3 {
      try await touch(1, store)
      #expect(await staying.next()?.delta?.modifications == [0])
      let stream = try #require(store.statistics.streams.first)
      #expect(stream.behindCount == 0 && stream.changeCount == 0 && stream.byteCount == 0, "\(stream)")
    }
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
