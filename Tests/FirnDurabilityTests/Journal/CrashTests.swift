import FirnDurability
import FirnEngine
import Testing

@Suite struct CrashTests {
  private func run(_ seed: UInt64, lies: Set<SimulatedDisk.Lie> = [], faults: Bool = true) throws {
    var run = CrashRun(seed: seed, lies: lies)
    for _ in 0..<6 {
      if faults, run.random.chance(50) {
        let kinds: [SimulatedDisk.Fault.Kind] = [.error(.noSpace), .error(.inputOutput), .stop]
        run.disk.setFault(SimulatedDisk.Fault(call: 1 + run.random.below(80), kind: kinds[run.random.below(3)]))
      }
      try run.live(commitCountMax: 40)
      run.crash()
    }
    run.disk.setFault(nil)
    try run.live(commitCountMax: 0)
  }

  @Test func acknowledgedCommitsSurviveCrashes() {
    let start = UInt64.random(in: 0...UInt64(UInt32.max))
    print("crashes: seeds from \(start)")
    for seed in start..<start + 600 {
      #expect(throws: Never.self, "seed \(seed)") { try run(seed) }
    }
  }

  /// The tests would notice a disk that does not do what a sync is for, and so a missing sync.
  @Test(arguments: [SimulatedDisk.Lie.ignoresFileSync, .ignoresFolderSync])
  func missingSyncsAreNoticed(_ lie: SimulatedDisk.Lie) {
    var failureCount = 0
    for seed in UInt64(0)..<100 {
      do { try run(seed, lies: [lie], faults: false) } catch { failureCount += 1 }
    }
    #expect(failureCount > 10)
  }

  /// Whichever call fails or is the last one: what was acknowledged is there afterwards, and opening works.
  @Test(arguments: 0..<3)
  func acknowledgedCommitsSurviveAFailureAtAnyCall(_ kind: Int) throws {
    var callCount = 0
    for call in 1... {
      let kinds: [SimulatedDisk.Fault.Kind] = [.error(.noSpace), .error(.inputOutput), .stop]
      var run = CrashRun(seed: 4_711)
      run.disk.setFault(SimulatedDisk.Fault(call: call, kind: kinds[kind]))
      for _ in 0..<2 { try run.live(commitCountMax: 40) }
      let didStop = run.disk.didStop
      for survival in SimulatedDisk.Survival.allCases {
        var after = run
        after.disk = run.disk.crash(survival)
        #expect(throws: Never.self, "call \(call), \(survival)") { try after.live(commitCountMax: 5) }
      }
      if !didStop { break }
      callCount = call
    }
    #expect(callCount > 50)
  }
}
