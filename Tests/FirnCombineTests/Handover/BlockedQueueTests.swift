import FirnCombine
import Foundation
import TestSupport
import Testing

@testable import Firn

/// What stands behind a queue that is blocked.
@Suite struct BlockedQueueTests {
  private final class Arrived: @unchecked Sendable {
    // Touched on the queue only, or while it waits.
    var all: [String] = []
  }

  /// One change after the other is asked for: what happens behind the block is one change and one version, however many
  /// commits there are.
  @Test(arguments: [1, 10_000]) func changesAskedForOneByOneAreMerged(commitCount: Int) throws {
    try onOwnThread {
      let people = try People(1)
      let (queue, arrived) = (DispatchQueue(label: "target"), Arrived())
      let sink = people.all.changesetPublisher.receive(on: queue)
        .flatMap(maxPublishers: .max(1)) { Just($0) }
        .sink { arrived.all.append("\($0.text) of \($0.collection?.count ?? -1)") }
      people.realm.refresh()
      queue.sync {}
      let block = DispatchSemaphore(value: 0)
      queue.async { block.wait() }
      for number in 1...commitCount { try people.write { _ in people[0].age = number } }
      // That of this realm, and that of the change on its way.
      #expect(people.heldVersionCount <= 3)
      block.signal()
      // The demand of the queue reaches the realm of this thread in its run loop.
      let end = Date(timeIntervalSinceNow: 30)
      while queue.sync(execute: { arrived.all.count }) < min(commitCount + 1, 3), Date() < end {
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
      }
      #expect(arrived.all.prefix(2) == ["initial of 1", "-[] +[] ~[0] of 1"])
      #expect(arrived.all.count == (commitCount == 1 ? 2 : 3))
      sink.cancel()
      queue.sync {}
      #expect(people.heldVersionCount == 1 && people.observerCount == 0 && people.store.openRealms.count == 1)
    }
  }

  /// Whoever demands everything gets every change, and each keeps its version until it arrives.
  @Test func everythingIsOnItsWayToWhoDemandsEverything() throws {
    try onOwnThread {
      let people = try People(1)
      let (queue, arrived) = (DispatchQueue(label: "target"), Arrived())
      let sink = people.all.changesetPublisher.receive(on: queue).sink { arrived.all.append($0.text) }
      people.realm.refresh()
      let block = DispatchSemaphore(value: 0)
      queue.async { block.wait() }
      for number in 1...100 { try people.write { _ in people[0].age = number } }
      #expect(people.heldVersionCount >= 100)
      block.signal()
      queue.sync {}
      #expect(arrived.all == ["initial"] + Array(repeating: "-[] +[] ~[0]", count: 100))
      sink.cancel()
      queue.sync {}
      #expect(people.heldVersionCount == 1)
    }
  }
}
