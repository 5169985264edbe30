import Dispatch
import FirnEngine
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Firn

/// Subscribers come and go on many tasks while others write.
@Suite struct StreamConcurrencyTests {
  @Test("subscribers that come, go and are cancelled leave nothing behind", arguments: 1...3 as ClosedRange<UInt64>)
  func comeAndGo(seed: UInt64) async throws {
    print("Streams seed \(seed)")
    let store = try await RealmStore.open(Faced.configuration())
    try await store.write { Faced.fill($0) }
    let heard = Counter()
    let rest = Guarded<[Task<Void, Never>]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask { try await Faced.write(to: store, commits: 60, seed: seed &* 100 &+ UInt64(writer)) }
      }
      for number in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed &* 100 &+ 10 &+ UInt64(number))
          for _ in 0..<30 {
            let delivery = [.everyCommit, .merged, .latest][random.below(3)] as ChangeDelivery
            let count = random.below(4)
            let isOfItems = random.chance(50)
            let task = Task {
              var left = count
              if isOfItems {
                for await change in store.changes(delivery, of: { $0.objects(FacedItem.self).sorted(by: \.number) }) {
                  heard.add()
                  _ = change.content?.reduce(0) { $0 &+ $1.number }
                  left -= 1
                  if left < 0 { break }
                }
              } else {
                for await change in store.changes(delivery) {
                  heard.add()
                  _ = change.content?.objects(FacedOwner.self).count
                  left -= 1
                  if left < 0 { break }
                }
              }
            }
            for _ in 0..<random.below(50) { await Task.yield() }
            if random.chance(60) { task.cancel() } else { rest.withLock { $0.append(task) } }
          }
        }
      }
      try await group.waitForAll()
    }
    // Those that still wait end with the store.
    try await store.close()
    for task in rest.withLock({ $0 }) { await task.value }
    #expect(heard.count > 0)
    try await eventually("streams and versions are let go") {
      store.statistics.streams.isEmpty && store.statistics.versions.count == 1
        && store.statistics.versions.allSatisfy { $0.holderCount == 0 }
    }
  }

  /// Holds a block on the queue of the streams.
  private final class Gate: Sendable {
    private let isClosed = Atomic(false)
    private let heldCount = Atomic(0)
    private let release = DispatchSemaphore(value: 0)

    var isHolding: Bool { heldCount.load(ordering: .acquiring) > 0 }

    func close() { isClosed.store(true, ordering: .releasing) }

    func open() {
      isClosed.store(false, ordering: .releasing)
      release.signal()
    }

    func pass() {
      if !isClosed.exchange(false, ordering: .acquiringAndReleasing) { return }
      heldCount.add(1, ordering: .acquiringAndReleasing)
      release.wait()
    }
  }

  @Test(
    "what is committed while the streams move is told without another commit", .timeLimit(.minutes(5)),
    arguments: [ChangeDelivery.merged, .everyCommit, .latest])
  func committedMeanwhile(delivery: ChangeDelivery) async throws {
    let store = try await Faced.open(items: 10)
    let gate = Gate()
    var changes = store.freeze().objects(FacedItem.self).sectioned(
      by: { item in
        gate.pass()
        return item.number % 3
      }, sortDescriptors: [SortDescriptor(keyPath: "id")]
    ).changes(delivery).makeAsyncIterator()
    _ = await changes.next()
    gate.close()
    try await store.write { $0.objects(FacedItem.self)[0].number = 100 }
    try await eventually { gate.isHolding }
    // The streams have taken the first commit, and know nothing of the second.
    try await store.write { $0.objects(FacedItem.self)[1].number = 200 }
    gate.open()
    var numbers: [Int] = []
    while !numbers.contains(200), let content = await changes.next()?.content {
      numbers = content.withValue { sections in sections.flatMap { $0.map(\.number) } }
    }
    #expect(numbers.contains(100) && numbers.contains(200))
  }

  @Test("who begins to take each commit while another commits misses nothing", .timeLimit(.minutes(5)))
  func begunMeanwhile() async throws {
    let store = try await Faced.open(items: 10)
    let gate = Gate()
    let source = store.changes(.everyCommit) { realm in
      gate.pass()
      return realm.objects(FacedItem.self)
    }
    gate.close()
    let task = Task {
      for await change in source where change.content?[0].number == 100 { return true }
      return false
    }
    try await eventually { gate.isHolding }
    try await store.write { $0.objects(FacedItem.self)[0].number = 100 }
    gate.open()
    #expect(await task.value)
  }

  @Test("one of many subscribers is cancelled at each moment of its wait")
  func cancelling() async throws {
    let store = try await RealmStore.open(Faced.configuration())
    try await store.write { Faced.fill($0) }
    for round in 0..<200 {
      let task = Task {
        var count = 0
        for await _ in store.changes(round % 2 == 0 ? .merged : .everyCommit, of: { $0.objects(FacedItem.self) }) {
          count += 1
        }
        return count
      }
      for _ in 0..<round % 20 { await Task.yield() }
      if round % 3 == 0 { try await store.write { $0.objects(FacedItem.self).first?.number = round } }
      task.cancel()
      _ = await task.value
    }
    try await eventually("nothing is held") {
      store.statistics.streams.isEmpty && store.statistics.versions.allSatisfy { $0.holderCount == 0 }
    }
  }
}
