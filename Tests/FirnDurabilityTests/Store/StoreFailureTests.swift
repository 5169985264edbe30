import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Stores whose disk fails for a while.
@Suite struct StoreFailureTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(_ disk: SimulatedDisk, _ durability: Durability = .everyCommit) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) {
      $0.durability = durability
      $0.preparesSegments = false
      $0.idleNanoseconds = nil
    }
  }

  private static func insert(_ count: Int, into store: DurableStore) throws -> UInt64 {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    let writer = store.graph.begin()
    for number in 0..<count {
      // Numbers that do not pack well.
      writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), Int64(number) &* 0x1E37_79B9_7F4A_7C15) }
    }
    return try store.graph.commit().version.number
  }

  private static func rowCount(_ store: DurableStore) -> Int {
    store.graph.holdHead().contents.rowCount(TableID(0))
  }

  private static func failSyncs(_ disk: SimulatedDisk) {
    disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput), isSync: true))
  }

  @Test(arguments: [Durability.interval(.seconds(3_600)), .onCheckpoint])
  func aCheckpointSavesWhatIsVisibleAfterTheJournalFailed(_ durability: Durability) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, durability)
    let version = try Self.insert(100, into: store)
    Self.failSyncs(disk)
    store.flush(through: version)
    #expect(disk.didStop)
    #expect(Self.rowCount(store) == 100)
    #expect(throws: StoreError.self) { try Self.insert(1, into: store) }
    #expect(try store.checkpoint().isBase)
    #expect(store.statistics.durableVersion == version)
    // It takes no more commits all the same, and has nothing more to save.
    #expect(throws: StoreError.self) { try Self.insert(1, into: store) }
    #expect(try store.checkpoint().byteCount == 0)
    #expect(Self.rowCount(try Self.open(disk.crash(.nothing))) == 100)
    try store.close()
    #expect(Self.rowCount(try Self.open(disk.crash(.nothing))) == 100)
  }

  @Test func closingSavesWhatItsOwnSyncLost() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, .onCheckpoint)
    _ = try Self.insert(2_000, into: store)
    _ = try store.checkpoint()
    _ = try Self.insert(100, into: store)
    Self.failSyncs(disk)
    try store.close()
    #expect(disk.didStop)
    #expect(Self.rowCount(try Self.open(disk.crash(.nothing))) == 2_100)
  }

  /// The write of a commit may fail when all of it has got to the disk. Then the commit can follow a base that is saved
  /// afterwards, until saving removes the segment as its last step.
  @Test func aRefusedCommitCanFollowTheBaseThatWasSaved() throws {
    var rowCounts: Set<Int> = []
    for seed in UInt64(0)..<1_000 {
      let disk = SimulatedDisk(seed: seed)
      let store = try Self.open(disk, .onCheckpoint)
      _ = try Self.insert(3, into: store)
      disk.setFault(SimulatedDisk.Fault(call: 1, kind: .error(.inputOutput)))
      #expect(throws: StoreError.self) { try Self.insert(2, into: store) }
      #expect(throws: StoreError.self) { try Self.insert(1, into: store) }
      disk.setFault(SimulatedDisk.Fault(call: 1 + Int(seed % 40), kind: .stop))
      let isClosed = (try? store.close()) != nil
      let rowCount = Self.rowCount(try Self.open(disk.crash(.everything)))
      if isClosed, !disk.isStopped { #expect(rowCount == 3) }
      rowCounts.insert(rowCount)
    }
    #expect(rowCounts == [3, 5])
  }

  /// A refusal that leaves the journal as it is has nothing to do with later ones.
  @Test func keysOfAnEarlierRefusalAreNotSaved() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, .onCheckpoint)
    _ = try Self.insert(3, into: store)
    disk.setCapacity(disk.byteCount)
    #expect(throws: StoreError.self) { try Self.insert(10_000, into: store) }
    disk.setCapacity(nil)
    _ = try Self.insert(20, into: store)
    Self.failSyncs(disk)
    store.flush(through: store.graph.head)
    try store.close()
    #expect(Self.rowCount(try Self.open(disk.crash(.nothing))) == 23)
  }

  @Test func whatWasTakenBackIsNotSaved() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    store.flush(through: try Self.insert(10, into: store))
    let lost = try Self.insert(100, into: store)
    Self.failSyncs(disk)
    store.flush(through: lost)
    #expect(Self.rowCount(store) == 10)
    #expect(try store.checkpoint().isBase)
    // Now it is known what became of the commit that failed.
    for survival in SimulatedDisk.Survival.allCases {
      let again = try Self.open(disk.crash(survival))
      #expect(Self.rowCount(again) == 10)
      #expect(again.opening.version > lost)
    }
  }

  @Test func aFailedCheckpointShowsInTheStatistics() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    store.flush(through: try Self.insert(10, into: store))
    disk.setCapacity(disk.byteCount)
    #expect(throws: StoreError.self) { try store.checkpoint() }
    disk.setCapacity(nil)
    #expect(store.statistics.failedCheckpointCount == 1)
    #expect(store.statistics.lastCheckpointFailure?.code == .outOfDiskSpace)
    #expect(store.statistics.lastCheckpoint == nil)
    _ = try store.checkpoint()
    #expect(store.statistics.failedCheckpointCount == 1)
    #expect(store.statistics.lastCheckpointFailure == nil)
    #expect(store.statistics.lastCheckpoint != nil)
  }

  /// Files that a checkpoint has replaced go at the next one, or at the next opening.
  @Test func aFailedRemovalIsTriedAgain() throws {
    for isReopened in [false, true] {
      let disk = SimulatedDisk(seed: 1)
      let stubborn = StubbornFileSystem(disk)
      var options = DurableStore.Options()
      options.checkpointByteCount = .max
      options.checkpointNanoseconds = nil
      options.preparesSegments = false
      options.idleNanoseconds = nil
      func open() throws -> DurableStore {
        try DurableStore.open(
          Self.path, schema: Self.schema, options: options, seed: HashSeed(1, 2), fileSystem: stubborn)
      }
      var store = try open()
      store.flush(through: try Self.insert(2_000, into: store))
      _ = try store.checkpoint()
      store.flush(through: try Self.insert(1, into: store))
      #expect(try !store.checkpoint().isBase)
      let delta = try #require(disk.paths.first { $0.hasSuffix(".delta") })
      store.flush(through: try Self.insert(4_000, into: store))
      let segments = disk.paths.filter { $0.hasSuffix(".segment") }
      stubborn.refusesRemoval.withLock { $0 = true }
      // It counts all the same.
      #expect(try store.checkpoint().isBase)
      #expect(disk.paths.contains(delta))
      if isReopened {
        _ = store.release()
        store = try open()
        #expect(disk.paths.contains(delta))
      }
      stubborn.refusesRemoval.withLock { $0 = false }
      if isReopened {
        _ = store.release()
        store = try open()
        #expect(!disk.paths.contains(delta))
      }
      #expect(try store.checkpoint().byteCount == 0)
      #expect(!disk.paths.contains(delta))
      #expect(disk.paths.allSatisfy { !segments.contains($0) })
      #expect(Self.rowCount(store) == 6_001)
    }
  }

  /// A process died when it began a segment: the one before it is needed as before.
  @Test func aSegmentWithHalfAHeaderLeavesTheOneBeforeIt() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    store.flush(through: try Self.insert(10, into: store))
    _ = store.release()
    let segment = try #require(disk.paths.first { $0.hasSuffix("1.segment") })
    let half = try #require(disk.content(segment)).prefix(24) + [UInt8](repeating: 0, count: 1_000)
    disk.setContent(String(segment.dropLast("1.segment".count)) + "2.segment", Array(half))
    for _ in 0..<3 {
      let again = try Self.open(disk)
      #expect(Self.rowCount(again) == 10)
      #expect(disk.paths.contains(segment))
      _ = again.release()
    }
  }

  /// Opening after openings: each builds on what the one before has secured.
  @Test func severalOpeningsInARowLoseNothing() throws {
    for seed in UInt64(0)..<30 {
      let disk = SimulatedDisk(seed: seed)
      var store: DurableStore? = try Self.open(disk)
      var acknowledged = 0
      for round in 0..<4 {
        if let open = store {
          open.flush(through: try Self.insert(1, into: open))
          acknowledged = Self.rowCount(open)
          let version = try Self.insert(1, into: open)
          Self.failSyncs(disk)
          open.flush(through: version)
        }
        disk.setFault(nil)
        store = nil
        disk.releaseLocks()
        store = try Self.open(disk)
        let count = Self.rowCount(try #require(store))
        #expect(count == acknowledged || count == acknowledged + 1, "seed \(seed), round \(round)")
        acknowledged = count
        #expect(Self.rowCount(try Self.open(disk.crash(.nothing))) == count, "seed \(seed), round \(round)")
      }
    }
  }
}

/// A disk that removes nothing for a while.
private final class StubbornFileSystem: FileSystem {
  let disk: any FileSystem
  let refusesRemoval: Lock<Bool>

  init(_ disk: any FileSystem, refusesRemoval: Lock<Bool> = Lock(false)) {
    self.disk = disk
    self.refusesRemoval = refusesRemoval
  }

  func remove(_ path: String) throws(DiskError) {
    if refusesRemoval.withLock({ $0 }), !path.hasSuffix(".tmp") {
      throw DiskError(.notPermitted, call: "unlink", path: path)
    }
    try disk.remove(path)
  }

  func open(_ path: String, _ opening: FileOpening) throws(DiskError) -> any StoreFile { try disk.open(path, opening) }
  func rename(_ path: String, to newPath: String) throws(DiskError) { try disk.rename(path, to: newPath) }
  func renameNew(_ path: String, to newPath: String) throws(DiskError) { try disk.renameNew(path, to: newPath) }
  func synchronizeFolder(_ path: String) throws(DiskError) { try disk.synchronizeFolder(path) }
  func createFolder(_ path: String) throws(DiskError) { try disk.createFolder(path) }
  func removeFolder(_ path: String) throws(DiskError) { try disk.removeFolder(path) }
  func list(_ folder: String) throws(DiskError) -> [String] { try disk.list(folder) }
  func exists(_ path: String) throws(DiskError) -> Bool { try disk.exists(path) }
  func isFile(_ path: String) throws(DiskError) -> Bool { try disk.isFile(path) }
  func lockFolder(_ path: String) throws(DiskError) -> FolderLocking { try disk.lockFolder(path) }
  func isInPlace() throws(DiskError) -> Bool { try disk.isInPlace() }
  func destination(of path: String) throws(DiskError) -> String { try disk.destination(of: path) }
  func identity(of path: String) throws(DiskError) -> String { try disk.identity(of: path) }

  func holding(_ folders: [String]) throws(DiskError) -> any FileSystem {
    StubbornFileSystem(try disk.holding(folders), refusesRemoval: refusesRemoval)
  }
}
