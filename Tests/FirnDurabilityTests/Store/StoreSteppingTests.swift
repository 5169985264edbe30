import FirnDurability
import FirnEngine
import Glibc
import Testing

/// Whichever call fails or is the last one: what was acknowledged is there afterwards, and opening works.
@Suite struct StoreSteppingTests {
  private static let script: [StoreCrashRun.Step?] = [
    // nil opens the store.
    nil, .commit, .commit, .flush, .checkpoint, .commit, .flush, .commit, .checkpoint, .commit, .flush, .prove, .commit,
    .flush, .close,
    nil, .commit, .flush, .age, .commit, .checkpoint, .close, .delete,
    nil, .commit, .flush,
  ]

  /// Goes through the script until a process could not go on any more.
  private func play(_ run: inout StoreCrashRun) throws {
    for step in Self.script {
      guard let step else {
        do { try run.open() } catch { return try run.judge(error, "opening") }
        continue
      }
      switch step {
      case .commit, .flush, .prove, .checkpoint, .age: if try !run.perform(step) { return }
      case .close, .delete:
        _ = try run.perform(step)
        if run.store != nil || run.isDeleting { return }
      }
    }
  }

  @Test(arguments: 0..<3, TestKey.best)
  func acknowledgedCommitsSurviveAFailureAtAnyCall(_ kind: Int, _ key: TestKey) throws {
    // All calls if the environment asks for thoroughness, else every fourth.
    let stride = getenv("FIRN_CRASH_SEEDS") == nil ? 4 : 1
    var call = Int.random(in: 1...stride)
    print("stepping: every \(stride). call from \(call)")
    var callCount = 0
    while true {
      defer { call += stride }
      var run = StoreCrashRun(seed: 4_711, key: key.key, rowCountMax: 3)
      run.disk.setFault(SimulatedDisk.Fault(call: call, kind: StoreCrashRun.faults[kind]))
      #expect(throws: Never.self, "call \(call)") { try play(&run) }
      if !run.disk.didStop { break }
      callCount = call
      run.forget()
      let survivals = SimulatedDisk.Survival.allCases
      var after = run
      let fate = call / stride % 4
      // The process alone dies at every fourth call.
      if fate == 3 { after.die() } else { after.crash(survivals[fate]) }
      #expect(throws: Never.self, "call \(call), \(fate)") {
        after.disk.setFault(nil)
        try after.open()
        for step in [StoreCrashRun.Step.commit, .flush, .checkpoint] { _ = try after.perform(step) }
        after.crash(.nothing)
        try after.open()
      }
    }
    print("stepping: \(callCount) calls")
    #expect(callCount > 200)
  }
}
