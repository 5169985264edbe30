import FirnDurability
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Files of the history that are cut, zeroed, flipped, exchanged or gone: who resumes gets what there is, by a delta or anew.
@Suite struct ResumeDamageTests {
  /// Each takes as long as ten others.
  static let count =
    environmentNumber("FIRN_LIVE_HISTORIES").map { max(1, $0 / 10) } ?? 20

  @Test func damagedHistoryIsNotBelieved() async throws {
    var seeds = SeededRandom.printed("damaged history")
    var starts: [ResumedStart: Int] = [:]
    for _ in 0..<Self.count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      do { try await Self.run(seed, &starts) } catch { Issue.record("seed \(seed): \(error)") }
    }
    print("damaged histories: \(starts)")
    #expect(starts[.reset, default: 0] > Self.count && starts[.resumed, default: 0] > Self.count)
  }

  private static func run(_ seed: UInt64, _ starts: inout [ResumedStart: Int]) async throws {
    var random = SeededRandom(seed)
    let disk = SimulatedDisk(seed: seed)
    var configuration = Resumed.configuration(disk)
    configuration.checkpoints.interval = nil
    var store = try await RealmStore.open(configuration)
    let subscribers = ResumedFace.all.filter { $0.telling == .always }.shuffled(using: &random).prefix(4)
      .map { $0.makeSubscriber() }
    for _ in 0..<6 {
      for subscriber in subscribers { _ = try await subscriber.follow(store, upTo: 1) }
      for _ in 0..<4 + random.below(8) {
        let next = random.next()
        try await store.write { realm in
          var random = SeededRandom(next)
          for _ in 0...random.below(4) { Resumed.write(realm, &random) }
        }
        if random.chance(25) { try await store.checkpoint() }
      }
      let isReopened = random.chance(30)
      if isReopened { try await store.close() }
      let damaged = damage(disk, &random)
      if isReopened {
        do { store = try await RealmStore.open(configuration) } catch is Realm.Error {
          // What the state itself needs is damaged.
          if let damaged { disk.setContent(damaged.path, damaged.bytes) }
          store = try await RealmStore.open(configuration)
        }
      }
      for subscriber in subscribers where random.chance(70) {
        if let start = try await subscriber.follow(store, upTo: 1) { starts[start, default: 0] += 1 }
      }
      // What was opened may have changed it since.
      if !isReopened, let damaged { disk.setContent(damaged.path, damaged.bytes) }
      for subscriber in subscribers {
        if let start = try await subscriber.follow(store, upTo: 1) { starts[start, default: 0] += 1 }
      }
    }
    try await store.close()
  }

  /// Damages one segment of the journal, and returns what it was; nil when there is none.
  private static func damage(_ disk: SimulatedDisk, _ random: inout SeededRandom) -> (path: String, bytes: [UInt8])? {
    let paths = disk.paths.filter { $0.hasSuffix(".segment") }
    // Nothing may have been committed yet.
    guard let path = paths.randomElement(using: &random) else { return nil }
    let bytes = disk.content(path) ?? []
    var damaged = bytes
    switch random.below(6) {
    case 0: damaged = Array(bytes.prefix(random.below(bytes.count + 1)))
    case 1: for place in random.below(bytes.count + 1)..<bytes.count { damaged[place] = 0 }
    case 2: damaged = disk.content(paths[random.below(paths.count)]) ?? []
    case 3: disk.setContent(path, nil)
    default: if !bytes.isEmpty { damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
    }
    if disk.content(path) != nil { disk.setContent(path, damaged) }
    return (path, bytes)
  }
}
