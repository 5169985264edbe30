import FirnEngine
import TestSupport
import Testing

@testable import FirnDurability

/// What a store takes on disk, and what happens when there is no room.
@Suite struct StoreRoomTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [ColumnDescription(name: "number", type: .int), ColumnDescription(name: "text", type: .string)])
  ]
  private static let segmentByteCount = 1 << 16

  private static func open(
    _ disk: SimulatedDisk, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: segmentByteCount) { options in
      options.threadCount = 1
      change(&options)
    }
  }

  /// Commits, and says whether that is durable.
  private static func commit(
    _ store: DurableStore, isFlushed: Bool = true, metadata: [String: String] = [:], _ body: (Writer) -> Void
  ) throws {
    store.graph.enterGateBlocking()
    body(store.graph.begin())
    let version: UInt64
    do {
      version = try store.graph.commit(note: CommitNote(metadata: metadata)).version.number
    } catch {
      store.graph.cancel()
      store.graph.gate.leave()
      throw error
    }
    store.graph.gate.leave()
    if isFlushed { try store.journal?.flush(through: version) }
  }

  private static func insert(
    _ number: Int64, byteCount: Int = 20, metadata: [String: String] = [:], into store: DurableStore,
    isFlushed: Bool = true
  ) throws {
    // Bytes that nothing makes fewer.
    var random = SeededRandom(UInt64(number))
    let text = (0..<byteCount).map { _ in UInt8(33 + random.below(90)) }
    try commit(store, isFlushed: isFlushed, metadata: metadata) { writer in
      writer.insert(into: TableID(0)) {
        $0.setInt(ColumnID(0), number)
        $0.set(ColumnID(1), .string(text))
      }
    }
  }

  /// What a process left that died on a full disk: commits without a sync, and a segment allotted ahead.
  @Test func aSegmentAllottedAheadGivesItsRoomToTheOpening() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = .onCheckpoint }
    for number in Int64(0)..<5 { try Self.insert(number, byteCount: 9_000, into: store, isFlushed: false) }
    store.journal?.settle()
    #expect(disk.paths.filter { $0.hasSuffix(".segment") }.count == 2)
    disk.releaseLocks()
    disk.setCapacity(disk.byteCount)
    let opened = try Self.open(disk)
    #expect(opened.opening.rowCount == 5)
    disk.setCapacity(nil)
    try opened.close()
  }

  private static func keys(_ store: DurableStore) -> [RowKey] {
    var keys: [RowKey] = []
    store.graph.holdHead().contents.forEachKey(in: TableID(0)) { keys.append($0) }
    return keys
  }

  private static func segmentByteCounts(_ disk: SimulatedDisk) -> [Int] {
    disk.paths.filter { $0.hasSuffix(".segment") }.compactMap { disk.content($0)?.count }
  }

  // MARK: Many openings

  @Test(arguments: [false, true]) func openingsWithoutCommitsLeaveNothing(_ isClosed: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    _ = try Self.open(disk).release()
    let before = disk.byteCount
    for _ in 0..<50 {
      let store = try Self.open(disk)
      if isClosed { try store.close() } else { _ = store.release() }
    }
    #expect(disk.byteCount == before)
    #expect(Self.segmentByteCounts(disk).isEmpty)
  }

  @Test func openingsWithACommitEachLeaveLittle() throws {
    let disk = SimulatedDisk(seed: 1)
    for round in 0..<Int64(100) {
      let store = try Self.open(disk) { $0.segmentCountMax = 8 }
      try Self.insert(round, into: store)
      let statistics = store.statistics
      #expect(statistics.segmentCount <= 9)
      #expect(statistics.journalAllottedByteCount <= Self.segmentByteCount + 8 * 4_096)
      #expect(statistics.journalByteCount < 8 * 400)
      #expect(store.release() == nil)
    }
    #expect(Self.segmentByteCounts(disk).count <= 8)
    #expect(disk.byteCount <= 8 * 4_096 + 16_384)
    #expect(try Self.open(disk).opening.rowCount == 100)
  }

  /// The process dies: what it had allotted is given back by the next one, and segments are made fewer all the same.
  @Test func processesThatDieLeaveLittle() throws {
    let disk = SimulatedDisk(seed: 1)
    for round in 0..<Int64(60) {
      let store = try Self.open(disk) { $0.segmentCountMax = 8 }
      // The next segment is allotted ahead.
      try Self.insert(round, byteCount: 40_000, into: store)
      store.journal?.settle()
      disk.releaseLocks()
      #expect(Self.segmentByteCounts(disk).count <= 8 + 2)
    }
    let store = try Self.open(disk)
    #expect(store.opening.rowCount == 60)
    #expect(store.release() == nil)
    // Bytes in use, not allotted ones.
    for byteCount in Self.segmentByteCounts(disk) { #expect(byteCount <= 40_960 + 4_096) }
  }

  @Test func closingLeavesNoSegment() throws {
    let disk = SimulatedDisk(seed: 1)
    for round in 0..<Int64(20) {
      let store = try Self.open(disk)
      try Self.insert(round, byteCount: 1_000, into: store)
      try store.close()
      #expect(Self.segmentByteCounts(disk).isEmpty)
    }
    #expect(try Self.open(disk).opening.rowCount == 20)
  }

  /// Each checkpoint ends a segment, which is kept as history with what it holds.
  @Test func historyKeepsNoMoreThanItHolds() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) {
      $0.historyByteCount = 1 << 20
      $0.preparesSegments = false
    }
    for round in 0..<Int64(20) {
      try Self.insert(round, byteCount: 2_000, into: store)
      #expect(try store.checkpoint().byteCount > 0)
    }
    let byteCounts = Self.segmentByteCounts(disk)
    #expect(byteCounts.count > 4)
    #expect(byteCounts.count { $0 == Self.segmentByteCount } <= 1)
    #expect(store.statistics.journalAllottedByteCount == byteCounts.reduce(0, +))
    #expect(store.statistics.segmentCount == byteCounts.count)
  }

  @Test func bytesLeftByEarlierProcessesLeadToACheckpoint() throws {
    let disk = SimulatedDisk(seed: 1)
    for round in 0..<Int64(4) {
      let store = try Self.open(disk)
      try Self.insert(round, byteCount: 3_000, into: store)
      #expect(store.release() == nil)
    }
    #expect(Self.segmentByteCounts(disk) == Array(repeating: 4_096, count: 4))
    // They hold about 12,400 bytes.
    let isWriting = Semaphore()
    disk.beforeSync { if $0.hasSuffix(".tmp") { isWriting.signal() } }
    let store = try Self.open(disk) { $0.checkpointByteCount = 16_000 }
    isWriting.wait()
    // Waits for the one in the background, which has left nothing to do.
    #expect(try store.checkpoint().byteCount == 0)
    #expect(store.statistics.segmentCount == 0)
  }

  /// Author and metadata take room as well, and so does the rest of a segment that the next commit does not fit into.
  @Test(arguments: [false, true]) func allBytesOnDiskLeadToACheckpoint(_ isMetadata: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.checkpointByteCount = 1 << 20 }
    let metadata = isMetadata ? ["trace": String(repeating: "x", count: 40_000)] : [:]
    for number in Int64(0)..<15 {
      try Self.insert(number, byteCount: isMetadata ? 20 : 40_000, metadata: metadata, into: store)
    }
    store.trigger.settle()
    #expect(store.statistics.lastCheckpoint == nil)
    for number in Int64(15)..<17 {
      try Self.insert(number, byteCount: isMetadata ? 20 : 40_000, metadata: metadata, into: store)
    }
    store.trigger.settle()
    #expect(store.statistics.lastCheckpoint != nil)
    #expect(Self.segmentByteCounts(disk).reduce(0, +) <= 3 * Self.segmentByteCount)
    _ = store.release()
  }

  // MARK: A full disk

  /// A segment that is refused is there for a moment only.
  @Test func aCheckpointDoesNotLookForASegmentThatIsGoneAgain() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.preparesSegments = false }
    for number in Int64(0)..<100 { try Self.insert(number, byteCount: 900, into: store) }
    #expect(try store.checkpoint().isBase)
    try Self.insert(100, into: store)
    let refused = Self.path + ".journal/" + JournalFormat.segmentName(99)
    disk.setContent(refused, [UInt8](repeating: 0, count: 4_096))
    disk.beforeRead { _ in if disk.paths.contains(refused) { try? disk.remove(refused) } }
    let record = try store.checkpoint()
    #expect(record.byteCount > 0 && !record.isBase)
    disk.beforeRead(nil)
    _ = store.release()
    #expect(try Self.open(disk).opening.rowCount == 101)
  }

  /// The graph has all that a base needs, whatever keeps the journal from being read.
  @Test(arguments: [DiskError.Code.notFound, .notPermitted, .inputOutput, DiskError.Code(rawValue: 24)])
  func aJournalThatCannotBeReadMakesTheCheckpointABase(_ code: DiskError.Code) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    for number in Int64(0)..<100 { try Self.insert(number, byteCount: 900, into: store) }
    #expect(try store.checkpoint().isBase)
    try Self.insert(100, into: store)
    disk.refuseOpening { path, opening in
      if case .read = opening, path.hasSuffix(".segment") { code } else { nil }
    }
    #expect(try store.checkpoint().isBase)
    disk.refuseOpening(nil)
    _ = store.release()
    #expect(try Self.open(disk).opening.rowCount == 101)
  }

  @Test func aSegmentThatFindsNoRoomLeavesNone() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.preparesSegments = false }
    try Self.insert(0, byteCount: 40_000, into: store)
    let before = disk.byteCount
    disk.setCapacity(before + Self.segmentByteCount)
    for _ in 0..<3 {
      let error = #expect(throws: StoreError.self) { try Self.insert(1, byteCount: 40_000, into: store) }
      #expect(error?.code == .outOfDiskSpace)
      #expect(disk.byteCount == before)
    }
    // There is still room for less.
    try Self.insert(2, byteCount: 1_000, into: store)
    #expect(Self.keys(store).count == 2)
    disk.setCapacity(nil)
    try Self.insert(3, byteCount: 40_000, into: store)
    #expect(Self.keys(store).count == 3)
  }

  /// Also one that is longer than a segment, and needs more than what was allotted.
  @Test func aLongCommitThatFindsNoRoomIsRefused() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.preparesSegments = false }
    try Self.insert(0, into: store)
    disk.setCapacity(disk.byteCount + 3 * Self.segmentByteCount)
    let error = #expect(throws: StoreError.self) {
      try Self.insert(1, byteCount: 6 * Self.segmentByteCount, into: store)
    }
    #expect(error?.code == .outOfDiskSpace)
    try Self.insert(2, into: store)
    #expect(Self.keys(store).count == 2)
    disk.setCapacity(nil)
    try Self.insert(3, byteCount: 6 * Self.segmentByteCount, into: store)
    _ = store.release()
    #expect(Self.keys(try Self.open(disk.crash(.nothing))).count == 3)
  }

  /// The room that a segment was allotted ahead in is given to the base.
  @Test func aCheckpointNeedsRoomForTheBaseOnly() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0, byteCount: 20_000, into: store)
    disk.setCapacity(disk.byteCount + 30_000)
    let record = try store.checkpoint()
    #expect(record.isBase)
    #expect(Self.segmentByteCounts(disk).reduce(0, +) <= Self.segmentByteCount)
    disk.setCapacity(nil)
    try Self.insert(1, byteCount: 20_000, into: store)
    store.journal?.prepareRoll()
    disk.setCapacity(disk.byteCount)
    #expect(store.journal?.statistics.segmentCount == 2)
    // Without the segment ahead there is room.
    #expect(try store.checkpoint().byteCount > 0)
    #expect(Self.keys(store).count == 2)
  }

  /// Fills a store to the last byte, opens it again, deletes everything, and goes on.
  @Test(arguments: [0, 1, 2, 3]) func aFullStoreCanBeEmptied(_ ending: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    disk.setCapacity(1 << 20)
    var number = Int64(0)
    do {
      let store = try Self.open(disk)
      while true {
        do {
          try Self.insert(number, byteCount: 900, into: store)
          number += 1
          if number % 200 == 0 { _ = try? store.checkpoint() }
        } catch let error as StoreError {
          #expect(error.code == .outOfDiskSpace, "\(error.message)")
          break
        }
      }
      #expect(number > 300)
      switch ending {
      case 0: try? store.close()
      case 1: #expect(store.release() == nil)
      case 2:
        store.journal?.settle()
        disk.releaseLocks()
      default: break
      }
      // Reading goes on, and what was acknowledged is there.
      #expect(Self.keys(store).count == number)
      if ending == 3 { return try empty(store, disk) }
    }
    let store = try Self.open(disk)
    #expect(store.opening.rowCount == number)
    try empty(store, disk)
  }

  private func empty(_ store: DurableStore, _ disk: SimulatedDisk) throws {
    if store.opening.isNew {
      // The one that filled the disk; a checkpoint may make room, if there is any for it.
      _ = try? store.checkpoint()
    }
    // A few at a time, which takes little room.
    let keys = Self.keys(store)
    for start in stride(from: 0, to: keys.count, by: 100) {
      try Self.commit(store) { writer in
        writer.delete(Array(keys[start..<min(start + 100, keys.count)]), from: TableID(0))
      }
    }
    let record = try store.checkpoint()
    #expect(record.isBase)
    #expect(disk.byteCount < 3 * Self.segmentByteCount)
    for number in Int64(0)..<100 { try Self.insert(number, byteCount: 900, into: store) }
    try store.close()
    #expect(try Self.open(disk).opening.rowCount == 100)
  }
}
