import FirnDurability
import FirnEngine
import Glibc
import TestSupport
import Testing

/// Whole stores on a disk that crashes and fails.
@Suite struct StoreCrashTests {
  /// How many seeds to run: FIRN_CRASH_SEEDS of the environment, from FIRN_CRASH_SEED on if that is there too.
  private static func number(_ name: String) -> UInt64? { environmentNumber(name) }

  @Test(arguments: TestKey.best) func acknowledgedCommitsSurviveCrashes(_ key: TestKey) {
    let count = Self.number("FIRN_CRASH_SEEDS") ?? 60
    let start = Self.number("FIRN_CRASH_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("store crashes: \(key), \(count) seeds from \(start)")
    var counts = StoreCrashRun.Counts()
    for seed in start..<start + count {
      do {
        let found = try StoreCrashRun.run(seed, key: key.key)
        #expect(found.crashes >= 3 && found.checkpoints >= 3, "seed \(seed): \(found)")
        counts += found
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("store crashes: \(key), \(counts)")
    #expect(count < 20 || (counts.bases > 0 && counts.deltas > 0 && counts.deletions > 0 && counts.saves > 0))
  }
}
