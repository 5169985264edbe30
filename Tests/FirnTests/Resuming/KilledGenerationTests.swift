import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Real processes of changing generations that are killed while they migrate, write and make checkpoints, and subscribers
/// in them that keep on disk what they were told.
@Suite struct KilledGenerationTests {
  /// FIRN_KILLS of the environment says how often.
  private static let killCount = environmentNumber("FIRN_KILLS") ?? 20

  private static func configuration(
    _ folder: String, _ life: Int, _ random: inout SeededRandom
  ) -> (Realm.Configuration, ResumedGeneration) {
    var configuration = Resumed.configuration()
    configuration.inMemoryIdentifier = nil
    configuration.fileURL = URL(fileURLWithPath: "\(folder)/parcels.firn")
    configuration.checkpoints.interval = nil
    // Each generation lives two lives, so that there is something to go on with.
    let generation = ResumedGeneration.all[life / 2 % ResumedGeneration.all.count]
    generation.use(&configuration, version: UInt64(life / 2), writes: random.chance(50))
    return (configuration, generation)
  }

  private static func follow(
    _ store: RealmStore, _ generation: ResumedGeneration, _ folder: String, upTo count: Int
  ) async throws -> [ResumedStart?] {
    try await withThrowingTaskGroup(of: ResumedStart?.self) { group in
      for subscriber in try await generation.makeSubscribers(folder) {
        group.addTask { try await subscriber.follow(store, upTo: count) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Writes and is followed until it is killed, perhaps while it opens the files.
  private static func live(_ folder: String, _ life: Int, _ seed: UInt64) async throws {
    var random = SeededRandom(seed)
    var (configuration, generation) = configuration(folder, life, &random)
    switch random.below(4) {
    case 0:
      let block = configuration.migrationBlock
      let count = random.below(6)
      configuration.migrationBlock = { migration, version in
        var left = count
        migration.enumerateObjects(ofType: "Parcel") { _, _ in
          left -= 1
          if left < 0 { kill(getpid(), SIGKILL) }
        }
        try block?(migration, version)
      }
    case 1:
      let count = random.below(3_000)
      Task.detached {
        for _ in 0..<count { await Task.yield() }
        kill(getpid(), SIGKILL)
      }
    default: break
    }
    let store = try await RealmStore.open(configuration)
    Task { [generation] in
      do { _ = try await follow(store, generation, folder, upTo: .max) } catch {
        print("seed \(seed): \(error)")
        exit(3)
      }
    }
    let end = 5 + random.below(60)
    for number in 0..<100_000 {
      let next = random.next()
      try await store.write { [generation] realm in
        var random = SeededRandom(next)
        for _ in 0...random.below(5) { generation.write(realm, &random) }
      }
      if random.chance(8) { try await store.checkpoint() }
      if number == end { Task.detached { kill(getpid(), SIGKILL) } }
    }
  }

  @Test("subscribers of killed processes go on or begin anew over migrations, life after life")
  func killed() async throws {
    var random = SeededRandom.printed("killed generations")
    let folder = NSTemporaryDirectory() + "firn-parcels-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var counts: [ResumedStart: Int] = [:]
    for life in 0..<Self.killCount {
      let seed = random.next()
      await #expect(processExitsWith: .signal(SIGKILL), "life \(life), seed \(seed)") {
        [folder = folder as String, life = life as Int, seed = seed as UInt64] in
        do { try await Self.live(folder, life, seed) } catch {
          print("life of seed \(seed): \(error)")
          exit(3)
        }
      }
      var random = SeededRandom(seed)
      let (configuration, generation) = Self.configuration(folder, life, &random)
      let store = try await RealmStore.open(configuration)
      // Compares what they have with what there is.
      let starts = try await Self.follow(store, generation, folder, upTo: 1)
      for start in starts { counts[try #require(start, "life \(life), seed \(seed)"), default: 0] += 1 }
      // It reaches back to what they were told just now.
      try await store.close()
      let same = try await RealmStore.open(configuration)
      #expect(
        try await Self.follow(same, generation, folder, upTo: 1) == [.resumed, .resumed], "life \(life), seed \(seed)")
      try await same.close()
    }
    print("killed generations: \(counts)")
    if Self.killCount >= 20 { #expect(counts[.resumed, default: 0] > Self.killCount / 2) }
  }
}
