import FirnDurability
import FirnEngine
import Testing

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
}
