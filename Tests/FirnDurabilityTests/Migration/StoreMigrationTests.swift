import FirnDurability
import FirnEngine
import Glibc
import TestSupport
import Testing

/// Stores whose schema changes from opening to opening, compared with a naive model.
@Suite struct StoreMigrationTests {
  private static var firstSeed: UInt64 {
    environmentNumber("FIRN_MIGRATION_SEED") ?? UInt64.random(in: 0..<1 << 40)
  }

  private static let path = "/store.firn"

  /// With a key where that is possible, see ``TestKey/best``.
  private static var keyOptions: DurableStore.Options {
    var options = DurableStore.Options()
    options.key = TestKey.best.first?.key
    return options
  }

  private func open(_ model: EvolvingStore, _ disk: SimulatedDisk) throws -> DurableStore {
    var options = Self.keyOptions
    options.schemaVersion = model.version
    options.migration = model.migration
    options.segmentByteCount = 1 << 16
    options.preparesSegments = false
    options.idleNanoseconds = nil
    options.threadCount = 1
    options.poisonsFreedBlocks = true
    return try DurableStore.open(
      Self.path, schema: model.schema, options: options, seed: HashSeed(1, 2), fileSystem: disk)
  }

  /// Writes a while, with checkpoints, and lets go of the store.
  private func live(_ model: inout EvolvingStore, _ disk: SimulatedDisk) throws {
    let store = try open(model, disk)
    try model.check(store.graph.holdHead().contents)
    for _ in 0..<model.random.below(5) {
      try model.write(store)
      if model.random.chance(25) { _ = try store.checkpoint() }
    }
    try model.check(store.graph.holdHead().contents)
    if model.random.chance(30) { try store.close() } else if let error = store.release() { throw error }
  }

  @Test func randomSchemasFollowEachOther() throws {
    let count = environmentNumber("FIRN_MIGRATIONS") ?? 150
    let first = Self.firstSeed
    print("migrations: seeds from \(first)")
    for seed in first..<first + UInt64(count) {
      var model = EvolvingStore(seed: seed)
      let disk = SimulatedDisk(seed: seed)
      do {
        for generation in 0..<6 {
          if generation > 0 { model.evolve() }
          try live(&model, disk)
        }
        // What reads only, knowing nothing, agrees.
        _ = try DurableStore.verify(Self.path, disk, options: Self.keyOptions)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  /// Whichever call of an opening that migrates fails or is the last one: the store is the old or the new one.
  @Test(arguments: 0..<3)
  func aMigrationIsDoneOrNotAtAnyCall(_ kind: Int) throws {
    let kinds = StoreCrashRun.faults
    let first = Self.firstSeed
    let seeds = getenv("FIRN_MIGRATIONS") == nil ? 4 : 200
    print("migrations, stepping: seeds from \(first)")
    var counts = (old: 0, new: 0)
    for seed in first..<first + UInt64(seeds) {
      var old = EvolvingStore(seed: seed)
      let disk = SimulatedDisk(seed: seed)
      try live(&old, disk)
      try live(&old, disk)
      var new = old
      new.evolve(isRaised: true)
      var call = 1
      while true {
        let trial = disk.crash(.everything)
        trial.setFault(SimulatedDisk.Fault(call: call, kind: kinds[kind]))
        call += 1
        let isDone = (try? open(new, trial)).map { $0.release() == nil } ?? false
        let survivals = SimulatedDisk.Survival.allCases
        let after = trial.crash(survivals[call % survivals.count])
        after.setFault(nil)
        do {
          let stored = try DurableStore.catalogue(Self.path, after, options: Self.keyOptions).schemaVersion
          if isDone, stored != new.version { throw EvolvingStore.Mismatch(description: "the migration is lost") }
          var model = stored == new.version ? new : old
          if stored == new.version { counts.new += 1 } else { counts.old += 1 }
          let store = try open(model, after)
          try model.check(store.graph.holdHead().contents)
          try model.write(store)
          if let error = store.release() { throw error }
        } catch {
          Issue.record("seed \(seed), call \(call): \(error)")
          return
        }
        if isDone, !trial.didStop { break }
        if call > 2_000 { break }
      }
    }
    #expect(counts.old > 0 && counts.new > 0, "\(counts)")
  }
}
