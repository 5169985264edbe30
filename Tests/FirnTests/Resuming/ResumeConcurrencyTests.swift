import FirnDurability
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Subscribers that are cut off anywhere and go on, beside tasks that write and checkpoints.
@Suite struct ResumeConcurrencyTests {
  @Test(arguments: [false, true]) func subscribersComeAndGoBesideWriters(inMemory: Bool) async throws {
    let store = try await RealmStore.open(Resumed.configuration(inMemory ? nil : SimulatedDisk(seed: 1)))
    try await store.write { realm in
      _ = realm.create(ResumedAirport.self, value: ["id": 1, "city": "A"] as [String: Any])
    }
    var seeds = SeededRandom.printed("Resuming beside writers")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        var random = SeededRandom(seeds.next())
        group.addTask {
          for _ in 0..<60 {
            let seed = random.next()
            try await store.write(author: "writer") { realm in
              var random = SeededRandom(seed)
              for _ in 0..<3 { Resumed.write(realm, &random) }
            }
          }
        }
      }
      group.addTask { for _ in 0..<3 { try await store.checkpoint() } }
      for name in ["all", "behind a link", "foundation", "condition on backlinks", "limited", "keyless"] {
        guard let face = ResumedFace.all.first(where: { $0.name == name }) else { continue }
        let subscriber = face.makeSubscriber()
        var random = SeededRandom(seeds.next())
        group.addTask {
          for _ in 0..<12 {
            let task = Task { try await subscriber.follow(store, upTo: .max) }
            for _ in 0..<random.below(200) { await Task.yield() }
            task.cancel()
            _ = try await task.value
          }
          let start = try await subscriber.follow(store, upTo: 1)
          if face.telling == .always { #expect(start != .reset, "\(name)") }
        }
      }
      try await group.waitForAll()
    }
    while !store.statistics.streams.isEmpty || store.statistics.versions.count > 1 { await Task.yield() }
    try await store.close()
  }
}
