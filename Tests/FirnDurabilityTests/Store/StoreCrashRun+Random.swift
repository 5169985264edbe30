import FirnDurability
import FirnEngine

extension StoreCrashRun {
  static let faults: [SimulatedDisk.Fault.Kind] = [.error(.noSpace), .error(.inputOutput), .stop]

  /// Lives of processes until there were three crashes and three checkpoints at least.
  static func run(
    _ seed: UInt64, key: StoreKey? = nil, bug: PlantedBug? = nil, faults: Bool = true
  ) throws -> Counts {
    var run = StoreCrashRun(seed: seed, key: key, bug: bug)
    var lifeCount = 0
    while lifeCount < 6 || (lifeCount < 30 && (run.counts.crashes < 3 || run.counts.checkpoints < 3)) {
      try run.live(stepCountMax: 30, faults: faults)
      run.end()
      lifeCount += 1
    }
    run.disk.setFault(nil)
    try run.live(stepCountMax: 5, faults: false)
    return run.counts
  }

  /// Opens the store, goes on for a while, and stops where the disk does. Throws violations only.
  mutating func live(stepCountMax: Int, faults: Bool) throws {
    if faults, random.chance(30) { setRandomFault([40, 150][random.below(2)]) }
    let isOlder = isAbsent && random.chance(20)
    do { try open(olderModel: isOlder) } catch { return try judge(error, "opening") }
    if faults, random.chance(60), !disk.didStop { setRandomFault([30, 150, 600][random.below(3)]) }
    if isOlder { return }
    for _ in 0..<random.below(stepCountMax + 1) {
      let step: Step =
        switch random.below(21) {
        case 0..<13: .commit
        case 13..<16: .flush
        case 16: .prove
        case 20: .age
        default: .checkpoint
        }
      if try !perform(step) { return try save() }
    }
    if random.chance(30) {
      _ = try perform(.close)
      if store == nil, random.chance(30) { _ = try perform(.delete) }
    }
  }

  /// Tries to save what is visible of a store whose journal has failed.
  private mutating func save() throws {
    if isSavable, random.chance(50) { _ = try perform(.checkpoint) }
    if isSavable, random.chance(50) { _ = try perform(.close) }
  }

  private mutating func setRandomFault(_ callCountMax: Int) {
    if random.chance(30) {
      let call = 1 + random.below(max(1, callCountMax / 10))
      return disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.inputOutput), isSync: true))
    }
    disk.setFault(SimulatedDisk.Fault(call: 1 + random.below(callCountMax), kind: Self.faults[random.below(3)]))
  }

  private mutating func end() {
    if random.chance(30) { return die(dropsCaches: random.chance(30)) }
    let survivals: [SimulatedDisk.Survival] = [.nothing, .everything, .random, .random, .random]
    crash(survivals[random.below(5)], damagesTails: random.chance(20))
    if random.chance(10) { disk.setContent(Self.path + ".lock", nil) }
  }
}
