import Testing

/// The crash tests would notice each of these bugs.
@Suite struct PlantedBugTests {
  @Test(arguments: PlantedBug.allCases)
  func plantedBugsAreNoticed(_ bug: PlantedBug) {
    for seed in UInt64(0)..<400 {
      do {
        _ = try StoreCrashRun.run(seed, bug: bug)
      } catch {
        print("\(bug): noticed with seed \(seed): \(error)")
        return
      }
    }
    Issue.record("\(bug) was not noticed.")
  }
}
