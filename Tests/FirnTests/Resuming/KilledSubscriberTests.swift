import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Real processes that are killed while they write, and subscribers in them that keep on disk what they were told.
@Suite struct KilledSubscriberTests {
  /// FIRN_KILLS of the environment says how often.
  private static let killCount = environmentNumber("FIRN_KILLS") ?? 20

  private static let faces = [
    ResumedFace.all.first { $0.name == "all" }!, ResumedFace.all.first { $0.name == "behind a link" }!,
    ResumedFace.all.first { $0.name == "limited" }!, ResumedFace.all.first { $0.name == "condition on backlinks" }!,
  ]

  static func configuration(_ folder: String, _ random: inout SeededRandom) -> Realm.Configuration {
    var configuration = Resumed.configuration()
    configuration.inMemoryIdentifier = nil
    configuration.fileURL = URL(fileURLWithPath: "\(folder)/late.firn")
    // Half of the lives lose nothing, and so resume.
    let losesNothing = random.chance(50)
    configuration.durability =
      losesNothing ? .everyCommit : [.everyCommit, .interval(.milliseconds(2)), .onCheckpoint][random.below(3)]
    configuration.history = .init(byteCount: losesNothing ? 1 << 30 : [0, 20_000, 1 << 30][random.below(3)])
    configuration.checkpoints.interval = nil
    return configuration
  }

  /// Follows with all subscribers, which begin where their files say.
  private static func follow(_ store: RealmStore, _ folder: String, upTo count: Int) async throws -> [ResumedStart?] {
    try await withThrowingTaskGroup(of: (Int, ResumedStart?).self) { group in
      for (index, face) in faces.enumerated() {
        group.addTask {
          let subscriber = face.makeSubscriber()
          try await subscriber.keep(in: "\(folder)/\(index).json")
          return (index, try await subscriber.follow(store, upTo: count))
        }
      }
      var starts = [ResumedStart?](repeating: nil, count: faces.count)
      for try await (index, start) in group { starts[index] = start }
      return starts
    }
  }

  /// Writes and is followed until it is killed.
  private static func live(_ folder: String, _ seed: UInt64) async throws {
    var random = SeededRandom(seed)
    let store = try await RealmStore.open(configuration(folder, &random))
    Task {
      do { _ = try await follow(store, folder, upTo: .max) } catch {
        print("seed \(seed): \(error)")
        exit(3)
      }
    }
    let end = 20 + random.below(120)
    for number in 0..<100_000 {
      let next = random.next()
      try await store.write { realm in
        var random = SeededRandom(next)
        for _ in 0...random.below(5) { Resumed.write(realm, &random) }
      }
      if random.chance(4) { try await store.checkpoint() }
      if number == end { Task.detached { kill(getpid(), SIGKILL) } }
    }
  }

  @Test("subscribers of a killed process go on where they stopped, life after life")
  func killed() async throws {
    var random = SeededRandom.printed("killed subscribers")
    let folder = NSTemporaryDirectory() + "firn-late-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var resumedCount = 0
    for life in 0..<Self.killCount {
      let seed = random.next()
      await #expect(processExitsWith: .signal(SIGKILL), "life \(life), seed \(seed)") {
        [folder = folder as String, seed = seed as UInt64] in
        do { try await Self.live(folder, seed) } catch {
          print("life of seed \(seed): \(error)")
          exit(3)
        }
      }
      var random = SeededRandom(seed)
      let store = try await RealmStore.open(Self.configuration(folder, &random))
      // Compares what they have with what there is.
      let starts = try await Self.follow(store, folder, upTo: 1)
      resumedCount += starts.count { $0 == .resumed }
      #expect(!starts.contains { $0 == nil }, "life \(life)")
      try await store.close()
    }
    if Self.killCount >= 20 { #expect(resumedCount > Self.killCount) }
  }
}
