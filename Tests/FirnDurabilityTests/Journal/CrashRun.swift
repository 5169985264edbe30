import FirnDurability
import FirnEngine

/// A life of a journal with crashes, and what a reader may find after each.
///
/// After a crash every acknowledged commit must be there, the commits that are there must be the first ones of those that
/// were made, unchanged, and the store must go on from them.
struct CrashRun {
  var random: SeededRandom
  var disk: SimulatedDisk
  /// All commits that count, oldest first.
  var commits: [TestCommit] = []
  /// What a checkpoint has, as if it had been written elsewhere.
  var base: UInt64 = 0
  var acknowledged: UInt64 = 0
  var epoch: UInt64 = 0

  struct Violation: Error, CustomStringConvertible {
    var description: String
  }

  init(seed: UInt64, lies: Set<SimulatedDisk.Lie> = []) {
    random = SeededRandom(seed)
    disk = SimulatedDisk(seed: random.next(), lies: lies)
  }

  static let lockPath = "/store.lock"

  /// Opens the store, commits for a while and stops where the disk does. Throws violations only.
  mutating func live(commitCountMax: Int) throws {
    do {
      let lock = try StoreLock.take(
        Self.lockPath, by: LockOwner(host: "here", processID: 1, started: 1), in: disk)
      let journal = try open(lock)
      // A process that dies takes its threads along.
      defer { journal.settle() }
      var isKept = true
      let durability = journal.configuration.durability
      for _ in 0..<random.below(commitCountMax + 1) where isKept {
        isKept = try step(journal, durability)
      }
    } catch let error as StoreError {
      // A disk that fails is allowed to. A healthy one that is called corrupt is not.
      if error.code == .corrupted { throw Violation(description: error.message) }
      if !disk.didStop { throw Violation(description: "without a fault: \(error.message)") }
    }
  }

  private mutating func open(_ lock: StoreLock) throws -> Journal {
    var (found, report) = try JournalRun.read(disk, after: base, hint: lock.hint)
    var isSecured = false
    for _ in 0..<5 {
      if isSecured || report.position.isSecure { break }
      isSecured = try secure(report.position)
      (found, report) = try JournalRun.read(disk, after: base, hint: lock.hint)
    }
    // A disk that is gone reads like one whose last sectors are.
    if disk.isStopped { throw StoreError(.fileOperationFailed, "The disk is gone.") }
    try check(found, report)
    epoch = max(epoch, report.epoch) + 1
    let durabilities: [Durability] = [.everyCommit, .everyCommit, .onCheckpoint]
    let journal = try JournalRun.journal(
      on: disk, after: report.position,
      JournalRun.configuration(epoch: epoch, durability: durabilities[random.below(3)]), lock: lock)
    // What was read is on disk now.
    acknowledged = max(acknowledged, report.position.version)
    try lock.claim(JournalRun.storeID, durableThrough: report.position.version)
    return journal
  }

  private func secure(_ position: JournalPosition) throws(StoreError) -> Bool {
    do throws(DiskError) { return try position.secure(in: disk) } catch { throw StoreError(error) }
  }

  private mutating func check(_ found: [TestCommit], _ report: JournalReport) throws {
    let expected = commits.filter { $0.version > base }
    if found.count > expected.count || found != Array(expected[..<found.count]) {
      throw Violation(description: "read \(found) where \(expected) was written")
    }
    if max(base, found.last?.version ?? 0) < acknowledged {
      throw Violation(description: "commit \(acknowledged) was acknowledged, but \(found) is there after \(base)")
    }
    commits.removeAll { $0.version > max(base, found.last?.version ?? 0) }
  }

  private mutating func step(_ journal: Journal, _ durability: Durability) throws -> Bool {
    switch random.below(20) {
    case 0..<12:
      let version = max(base, commits.last?.version ?? 0) + 1 + UInt64(random.below(2))
      let byteCountMax = [20, 200, 1_000, 6_000][random.below(4)]
      let commit = TestCommit.random(version, byteCountMax: byteCountMax, &random)
      commits.append(commit)
      do {
        try journal.append(commit)
      } catch {
        // Nobody knows whether it is there, unless no segment could be allotted for it: then nothing has happened.
        if (error as? StoreError)?.code == .durabilityLost { throw error }
        commits.removeLast()
        if disk.isStopped { throw error }
        return true
      }
      return true
    case 12..<17:
      guard let last = commits.last?.version, last > base else { return true }
      try journal.flush(through: last)
      acknowledged = max(acknowledged, last)
      return true
    case 17 where random.chance(50):
      journal.proveDurable()
      return true
    case 17:
      _ = journal.roll()
      return true
    case 18:
      try checkpoint(journal)
      return true
    default:
      return random.chance(70)
    }
  }

  private mutating func checkpoint(_ journal: Journal) throws {
    let last = journal.roll()
    try journal.flush(through: last)
    acknowledged = max(acknowledged, last)
    base = last
    try journal.removeSegments(through: last)
  }

  mutating func crash() {
    // A process may die without the machine.
    if random.chance(20) {
      disk.setFault(nil)
      return
    }
    let survivals: [SimulatedDisk.Survival] = [.nothing, .everything, .random, .random, .random]
    disk = disk.crash(survivals[random.below(5)])
    if random.chance(10) { disk.setContent(Self.lockPath, nil) }
  }
}
