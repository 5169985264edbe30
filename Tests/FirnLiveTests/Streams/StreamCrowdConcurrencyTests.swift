import FirnEngine
import FirnReactive
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Very many subscribers at once, and what is left of them.
@Suite struct StreamCrowdConcurrencyTests {
  /// What the realm of the streams maintains.
  private struct Upkeep: Equatable {
    var observerCount = 0
    var viewCount = 0
    var streamCount = 0
    var versionCount = 0

    init(_ store: RealmStore) throws {
      let hub = try #require(store.store.streams.current)
      hub.queue.sync {
        observerCount = hub.realm.notifications?.observerCount ?? 0
        viewCount = hub.realm.notifications?.stage.viewCount ?? 0
      }
      (streamCount, versionCount) = (store.statistics.streams.count, store.statistics.versions.count)
    }
  }

  @Test(
    "ten thousand subscribers are cancelled at once beside writers, and nothing is left of them",
    .timeLimit(.minutes(10)))
  func crowd() async throws {
    var random = SeededRandom.printed("a crowd of subscribers")
    let store = try await RealmStore.open(Faced.configuration())
    try await store.write { Faced.fill($0) }
    // One stays, so that what the others had would be seen.
    var staying = store.changes { $0.objects(FacedOwner.self) }.makeAsyncIterator()
    _ = await staying.next()
    let before = try Upkeep(store)
    let heard = Counter()
    let tasks = (0..<10_000).map { _ in
      let delivery = [.everyCommit, .merged, .latest][random.below(3)] as ChangeDelivery
      let group = random.below(5)
      return Task {
        for await _ in store.changes(
          delivery, of: { realm in realm.objects(FacedItem.self).where { $0.group == group } })
        { heard.add() }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        let seed = random.next() &+ UInt64(writer)
        group.addTask { try await Faced.write(to: store, commits: 20, seed: seed) }
      }
      group.addTask { while heard.count < 10_000 { await Task.yield() } }
      try await group.waitForAll()
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    while try Upkeep(store) != before { await Task.yield() }
    withExtendedLifetime(staying) {}
    try await store.close()
  }

  @Test("iterators that are dropped, waiting or not, leave nothing behind", .timeLimit(.minutes(5)))
  func dropped() async throws {
    let store = try await RealmStore.open(Faced.configuration())
    try await store.write { Faced.fill($0) }
    var staying = store.changes { $0.objects(FacedOwner.self) }.makeAsyncIterator()
    _ = await staying.next()
    let before = try Upkeep(store)
    for round in 0..<30 {
      let delivery = [.everyCommit, .merged, .latest][round % 3] as ChangeDelivery
      let source = store.changes(delivery) { $0.objects(FacedItem.self).sorted(by: \.number) }
      var iterators = (0..<10).map { _ in source.makeAsyncIterator() }
      // Some were asked, some had changes waiting, and some were never asked.
      for index in 0..<6 { _ = await iterators[index].next() }
      try await store.write { realm in realm.objects(FacedItem.self).first?.number += 1 }
      for index in 0..<3 { _ = await iterators[index].next() }
      iterators.shuffle()
    }
    while try Upkeep(store) != before { await Task.yield() }
    withExtendedLifetime(staying) {}
    try await store.close()
  }
}
