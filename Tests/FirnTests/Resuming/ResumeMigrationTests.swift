import FirnDurability
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import Firn

/// Programs of several generations follow each other on the same files, with checkpoints, crashes and migrations that
/// fail in between: what subscribers are told, applied to what they had, gives what there is.
@Suite struct ResumeMigrationTests {
  @Test func whatIsToldGivesWhatThereIs() async throws {
    var seeds = SeededRandom.printed("Resumed generations")
    var starts: [ResumedStart: Int] = [:]
    for _ in 0..<ResumeHistoryTests.count {
      let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &seeds)
      let folder = NSTemporaryDirectory() + "firn-generations-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      do {
        var run = try await Generations(seed, folder)
        try await run.run()
        starts.merge(run.starts) { $0 + $1 }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("Resumed generations: \(starts)")
    #expect(starts.count == 3, "each kind of start")
  }
}

private struct Generations {
  private let seed: UInt64
  private let folder: String
  private var random: SeededRandom
  private var disk: SimulatedDisk
  private var configuration: Realm.Configuration
  private var generation: ResumedGeneration
  private var version: UInt64 = 0
  private var store: RealmStore
  private(set) var starts: [ResumedStart: Int] = [:]
  /// By subscriber: whether classes have changed since it was told something, and whether history may not reach back.
  private var isMigrated = [false, false]
  private var isUnsure = [false, false]

  init(_ seed: UInt64, _ folder: String) async throws {
    (self.seed, self.folder) = (seed, folder)
    random = SeededRandom(seed)
    disk = SimulatedDisk(seed: seed)
    configuration = Resumed.configuration(disk)
    configuration.checkpoints.interval = nil
    if random.chance(30) { configuration.history = .init(byteCount: [0, 5_000][random.below(2)]) }
    generation = ResumedGeneration.all[random.below(ResumedGeneration.all.count)]
    generation.use(&configuration, version: version, writes: false)
    store = try await RealmStore.open(configuration)
  }

  mutating func run() async throws {
    for _ in 0..<20 + random.below(30) {
      switch random.below(20) {
      case 0..<8: try await commit()
      case 8..<12: try await follow()
      case 12, 13: try await checkpoint()
      case 14: try await reopen()
      case 15, 16: try await migrate()
      case 17: try await failToMigrate()
      default: try await crash()
      }
    }
    try await follow()
    try await store.close()
  }

  private var hasLongHistory: Bool { configuration.history.byteCount > 5_000 }

  private mutating func commit() async throws {
    let next = random.next()
    let generation = generation
    try await store.write { realm in
      var random = SeededRandom(next)
      for _ in 0...random.below(4) { generation.write(realm, &random) }
    }
  }

  private mutating func checkpoint() async throws {
    try await store.checkpoint()
    if !hasLongHistory { isUnsure = [true, true] }
  }

  private mutating func follow() async throws {
    for (index, subscriber) in try await generation.makeSubscribers(folder).enumerated() where random.chance(70) {
      guard let start = try await subscriber.follow(store, upTo: 1) else { continue }
      starts[start, default: 0] += 1
      if start != .initial {
        let place: Comment = "seed \(seed), generation \(generation.name), subscriber \(index)"
        if isMigrated[index] { #expect(start == .reset, place) }
        if !isMigrated[index], !isUnsure[index] { #expect(start == .resumed, place) }
      }
      (isMigrated[index], isUnsure[index]) = (false, false)
    }
  }

  // MARK: Ends

  private mutating func reopen() async throws {
    try await store.close()
    store = try await RealmStore.open(configuration)
    if !hasLongHistory { isUnsure = [true, true] }
  }

  private mutating func crash() async throws {
    store.store.leaveOpenStores()
    try await open(disk.crash())
  }

  private mutating func open(_ other: SimulatedDisk) async throws {
    disk = other
    configuration.fileSystem = other
    store = try await RealmStore.open(configuration)
    if !hasLongHistory { isUnsure = [true, true] }
  }

  /// A configuration for another generation, or for another version of the same.
  private mutating func nextConfiguration() -> (ResumedGeneration, Realm.Configuration) {
    let next = ResumedGeneration.all[random.below(ResumedGeneration.all.count)]
    var configuration = configuration
    next.use(&configuration, version: version + 1, writes: random.chance(50))
    return (next, configuration)
  }

  /// The new program has opened the files.
  private mutating func didMigrate(to next: ResumedGeneration, _ new: Realm.Configuration) {
    if next.name == generation.name { isUnsure = [true, true] } else { isMigrated = [true, true] }
    (generation, configuration, version) = (next, new, version + 1)
  }

  private mutating func migrate() async throws {
    let (next, new) = nextConfiguration()
    try await store.close()
    store = try await RealmStore.open(new)
    didMigrate(to: next, new)
  }

  /// The disk fails or the machine stops meanwhile; then the old program is there again if it can be, or the new one.
  private mutating func failToMigrate() async throws {
    var (next, new) = nextConfiguration()
    try await store.close()
    let copy = disk.crash(.everything)
    copy.setFault(
      SimulatedDisk.Fault(
        call: 1 + random.below(60), kind: [.error(.noSpace), .error(.inputOutput), .stop][random.below(3)]))
    new.fileSystem = copy
    do {
      let store = try await RealmStore.open(new)
      // It got through; what it writes may fail.
      store.store.leaveOpenStores()
    } catch is Realm.Error {}
    let left = copy.crash()
    if random.chance(50) {
      do { return try await open(left) } catch let error as Realm.Error {
        // The migration is complete.
        try #require("\(error)".contains("version"), "seed \(seed): \(error)")
      }
    }
    new.fileSystem = left
    store = try await RealmStore.open(new)
    disk = left
    didMigrate(to: next, new)
  }
}
