import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Firn

/// Sections on queues and actors that come and go, while others write.
@Suite struct ConcurrencySectionTests {
  private actor Follower {
    private(set) var sections: [[Int]]?
    private(set) var mistakes = 0

    func take(_ change: SectionedResultsChange<SectionedResults<Int, SectionPlayer>>) {
      switch change {
      case .initial(let results): sections = results.map { $0.map(\.id) }
      case .update(let results, let deletions, let insertions, _, let inserted, let deleted):
        guard var sections else {
          mistakes += 1
          return
        }
        for path in deletions.reversed() { sections[path.section].remove(at: path.item) }
        for index in deleted.reversed() { sections.remove(at: index) }
        for index in inserted { sections.insert([], at: index) }
        for path in insertions { sections[path.section].insert(results[path].id, at: path.item) }
        if sections != results.map({ $0.map(\.id) }) { mistakes += 1 }
        self.sections = sections
      }
    }
  }

  private static func write(_ realm: Realm, _ random: inout SeededRandom) throws {
    try realm.write {
      for _ in 0..<1 + random.below(3) {
        let id = random.below(40)
        if let player = realm.object(ofType: SectionPlayer.self, forPrimaryKey: id) {
          if random.chance(30) { realm.delete(player) } else { player.number = random.below(30) }
        } else {
          realm.add(SectionPlayer(id, "n\(id)", number: random.below(30)))
        }
      }
    }
  }

  @Test func observersOnActorsAndQueuesComeAndGo() async throws {
    let configuration = Sectioned.configuration()
    let keeper = try await RealmStore.open(configuration)
    let seed = UInt64.random(in: 0...9999)
    print("Concurrent sections: seed \(seed)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 as Range<UInt64> {
        group.addTask {
          try onOwnThread {
            var random = SeededRandom(seed &+ writer)
            let realm = try Realm(configuration: configuration)
            for _ in 0..<60 { try Self.write(realm, &random) }
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<4 {
            let follower = Follower()
            let realm = try await Realm.open(configuration: configuration)
            let sections = realm.objects(SectionPlayer.self).sectioned(
              by: { $0.number % 4 }, sortDescriptors: ["number", "id"])
            let token = await sections.observe(on: follower) { follower, change in follower.take(change) }
            for _ in 0..<20 { await Task.yield() }
            #expect(await follower.mistakes == 0, "seed \(seed)")
            token.invalidate()
          }
        }
        group.addTask {
          try onOwnThread {
            for _ in 0..<4 {
              let queue = DispatchQueue(label: "sections")
              let realm = try Realm(configuration: configuration)
              let results = realm.objects(SectionPlayer.self)
              let sections = results.sectioned(by: \.number)
              let called = DispatchSemaphore(value: 0)
              let token = sections.observe(on: queue) { change in
                if case .initial(let sections) = change {
                  for section in sections { _ = section.map(\.id) }
                  called.signal()
                }
              }
              called.wait()
              let frozen = Unchecked(sections.freeze())
              DispatchQueue.concurrentPerform(iterations: 4) { _ in
                #expect(frozen.value.map(\.count).reduce(0, +) == frozen.value.flatMap { $0.map(\.id) }.count)
              }
              token.invalidate()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    withExtendedLifetime(keeper) {}
  }
}
