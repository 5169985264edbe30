import FirnEngine
import Glibc
import Testing

@testable import FirnDurability

/// What checkpoints ask of the disk.
@Suite struct StoreCheckpointTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(_ disk: SimulatedDisk) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 16) {
      $0.idleNanoseconds = nil
    }
  }

  private static func insert(_ numbers: Range<Int64>, into store: DurableStore) throws {
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    for number in numbers {
      writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), number &* 0x1E37_79B9_7F4A_7C15) }
    }
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
  }

  /// A small change costs the sync of the delta and that of its name, and no new segment.
  @Test func aDeltaLeavesTheSegmentOpen() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<20_000, into: store)
    #expect(try store.checkpoint().isBase)
    let segments = try disk.list(Self.path + ".journal").filter { $0.hasSuffix(".segment") }
    for number in Int64(1)...5 {
      try Self.insert(number..<number + 1, into: store)
      let before = disk.syncCount
      let record = try store.checkpoint()
      #expect(!record.isBase && record.byteCount > 0)
      // Its beginning, and all of it.
      #expect(disk.syncCount - before == 2)
    }
    #expect(try disk.list(Self.path + ".journal").filter { $0.hasSuffix(".segment") } == segments)
    try Self.insert(0..<1, into: store)
    _ = store.release()
    // Nothing of what the deltas hold is counted again.
    let again = try Self.open(disk)
    #expect(again.opening.rowCount == 20_006)
    #expect(again.opening.recoveredCommitCount == 1)
  }

  private static func delete(_ keys: Range<UInt64>, from store: DurableStore) throws {
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    writer.delete(keys.map { RowKey($0) }, from: TableID(0))
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
  }

  /// What is gone costs nothing when little is left, and what is left costs nothing when little is gone.
  @Test func massDeletionsMakeABaseOfWhatIsLeft() throws {
    let disk = SimulatedDisk(seed: 2)
    let store = try Self.open(disk)
    try Self.insert(0..<40_000, into: store)
    let full = try store.checkpoint()
    #expect(full.isBase)
    try Self.delete(0..<100, from: store)
    #expect(try !store.checkpoint().isBase)
    try Self.delete(100..<30_000, from: store)
    let rest = try store.checkpoint()
    #expect(rest.isBase)
    #expect(rest.byteCount < full.byteCount / 3)
    // Counted from there.
    try Self.delete(30_000..<30_010, from: store)
    #expect(try !store.checkpoint().isBase)
    _ = store.release()
    let again = try Self.open(disk)
    #expect(again.opening.rowCount == 9_990)
  }

  /// Closing writes what was committed since the last checkpoint, and nothing when nothing was.
  @Test func closingWritesWhatChanged() throws {
    for count in 0..<2 {
      let disk = SimulatedDisk(seed: 3)
      let store = try Self.open(disk)
      try Self.insert(0..<20_000, into: store)
      #expect(try store.checkpoint().isBase)
      let base = disk.content(Self.path)
      for number in 0..<Int64(count) { try Self.insert(number..<number + 1, into: store) }
      try store.close()
      #expect(disk.content(Self.path) == base)
      #expect(try disk.list(Self.path + ".journal").count { $0.hasSuffix(".delta") } == count)
      let again = try Self.open(disk)
      #expect(again.opening.rowCount == 20_000 + count)
      #expect(again.opening.recoveredCommitCount == 0)
      _ = again.release()
    }
  }

  // MARK: When one is due

  private static func open(
    _ disk: SimulatedDisk, byteCount: Int, interval: UInt64? = nil
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 16) {
      $0.idleNanoseconds = nil
      $0.durability = .onCheckpoint
      $0.checkpointByteCount = byteCount
      $0.checkpointNanoseconds = interval
    }
  }

  /// A checkpoint that is due when another one ends is made, although no later commit asks for it.
  @Test func whatIsCommittedDuringACheckpointIsEnoughForAnother() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, byteCount: 100_000)
    let isFirst = Lock(true)
    disk.beforeSync { path in
      guard path.hasSuffix(".base.tmp"),
        isFirst.withLock({ (isFirst: inout Bool) in
          defer { isFirst = false }
          return isFirst
        })
      else { return }
      // The first checkpoint is being made.
      #expect(throws: Never.self) { for _ in 0..<3 { try Self.insert(0..<20_000, into: store) } }
    }
    try Self.insert(0..<20_000, into: store)
    // One commit here and three during the checkpoint, after the version of the empty store.
    let version: UInt64 = 5
    while store.graph.head < version { store.trigger.settle() }
    for _ in 0..<3 { store.trigger.settle() }
    #expect(store.statistics.lastCheckpoint?.version == version)
    #expect(store.statistics.journalByteCount == 0)
    _ = store.release()
  }

  /// The interval tries again when the first checkpoint failed, though nothing is committed meanwhile.
  @Test func theIntervalTriesAgain() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, byteCount: .max, interval: 1_000_000)
    disk.setContent(Self.path + ".base.tmp", Array("not ours".utf8))
    try Self.insert(0..<10, into: store)
    while store.statistics.failedCheckpointCount == 0 { sched_yield() }
    disk.setContent(Self.path + ".base.tmp", nil)
    while store.statistics.lastCheckpoint == nil { sched_yield() }
    #expect(store.statistics.lastCheckpoint?.version == store.graph.head)
    _ = store.release()
  }

  /// The commits of a delta stay in the segment, and are not replayed.
  @Test func theJournalCountsWhatWouldBeReplayed() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<20_000, into: store)
    #expect(try store.checkpoint().isBase)
    #expect(store.statistics.journalByteCount == 0)
    for _ in 0..<3 {
      try Self.insert(0..<100, into: store)
      let one = store.statistics.journalByteCount
      #expect(one > 800)
      #expect(try !store.checkpoint().isBase)
      #expect(store.statistics.journalByteCount == 0)
      try Self.insert(0..<100, into: store)
      // Without the header of the segment, which the first commit may have brought.
      #expect(one - store.statistics.journalByteCount <= 96)
      #expect(try !store.checkpoint().isBase)
    }
    _ = store.release()
  }

  /// The name cannot be given: the file is not left beside it.
  @Test func aCheckpointThatCannotBeNamedLeavesNothing() throws {
    for call in 1...60 {
      let disk = SimulatedDisk(seed: 1)
      let store = try Self.open(disk)
      try Self.insert(0..<20_000, into: store)
      disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.inputOutput)))
      _ = try? store.checkpoint(isLast: false, wantsBase: true)
      disk.setFault(nil)
      #expect(!disk.paths.contains { $0.hasSuffix(".tmp") }, "call \(call)")
      _ = store.release()
    }
  }
}
