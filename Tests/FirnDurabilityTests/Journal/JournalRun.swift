import FirnDurability
import FirnEngine

/// A commit in a test: what was appended, or read.
struct TestCommit: Equatable, Sendable, CustomStringConvertible {
  var version: UInt64
  var payload: [UInt8]

  var description: String { "\(version) (\(payload.count) bytes)" }

  /// A payload that no other commit has.
  static func random(_ version: UInt64, byteCountMax: Int, _ random: inout SeededRandom) -> TestCommit {
    var payload = [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: random.below(byteCountMax + 1))
    for place in payload.indices.prefix(16) { payload[place] = UInt8(truncatingIfNeeded: random.next()) }
    return TestCommit(version: version, payload: payload)
  }
}

/// A store that consists of a journal only.
enum JournalRun {
  static let folder = "/store.journal"
  static let storeID = StoreID(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  static func configuration(epoch: UInt64 = 1, durability: Durability = .everyCommit) -> JournalConfiguration {
    var configuration = JournalConfiguration(
      folder: folder, storeID: storeID, epoch: epoch, salt: FileSalt(low: epoch, high: 77), durability: durability)
    configuration.segmentByteCount = 4_096
    configuration.preparesSegments = false
    return configuration
  }

  static func journal(
    on disk: any FileSystem, after position: JournalPosition = JournalPosition(version: 0),
    _ configuration: JournalConfiguration = configuration(), lock: StoreLock? = nil
  ) throws -> Journal {
    try Journal(configuration, after: position, in: disk, storeLock: lock) { _, _ in fatalError() }
  }

  static func read(
    _ disk: any FileSystem, after reached: UInt64 = 0, hint: DurableHint? = nil
  ) throws -> (commits: [TestCommit], report: JournalReport) {
    let reader = try JournalReader(folder: folder, storeID: storeID, in: disk)
    var commits: [TestCommit] = []
    let report = try reader.read(after: reached, hint: hint) {
      commits.append(TestCommit(version: $0.version, payload: Array($0.payload)))
    }
    return (commits, report)
  }
}

extension Journal {
  @discardableResult
  func append(_ commit: TestCommit) throws -> CommitLogAnswer {
    try append(commit.version) { $0.append(commit.payload) }
  }
}
