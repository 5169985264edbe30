import FirnDurability
import FirnEngine
import Testing

/// Two processes have a store because somebody removed the lock file. Nothing that either acknowledged is lost.
@Suite struct StoreOwnershipTests {
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(_ path: String, _ disk: any FileSystem) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096) {
      $0.threadCount = 1
      $0.preparesSegments = false
    }
  }

  /// Commits a row; throws unless it is on disk.
  private static func insert(_ number: Int64, into store: DurableStore) throws {
    store.graph.enterGateBlocking()
    store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), number) }
    let version: UInt64
    do {
      version = try store.graph.commit().version.number
    } catch {
      store.graph.gate.leave()
      throw error
    }
    store.graph.gate.leave()
    try store.journal?.flush(through: version)
  }

  private static func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  private func theSecondIsKeptOut(_ path: String, _ disk: any FileSystem) throws {
    let first = try Self.open(path, disk)
    try Self.insert(1, into: first)
    try disk.remove(path + ".lock")
    #expect(Self.code { _ = try Self.open(path, disk) } == .ownedByOtherProcess)
    #expect(Self.code { _ = try DurableStore.deleteFiles(path, disk) } == .ownedByOtherProcess)
    try Self.insert(2, into: first)
    _ = try first.checkpoint()
    try Self.insert(3, into: first)
    try first.close()
    let second = try Self.open(path, disk)
    #expect(second.opening.rowCount == 3)
    try second.close()
    #expect(try DurableStore.deleteFiles(path, disk))
  }

  @Test func theSecondIsKeptOutByTheFolder() throws { try theSecondIsKeptOut("/store.firn", SimulatedDisk(seed: 1)) }

  @Test func theSecondIsKeptOutByTheFolderOfARealDisk() throws {
    try withTemporaryFolder { try theSecondIsKeptOut($0 + "/store.firn", PosixFileSystem()) }
  }

  private static func removeJournal(_ path: String, _ disk: any FileSystem) throws {
    for name in try disk.list(path + ".journal") { try disk.remove(path + ".journal/" + name) }
    try disk.removeFolder(path + ".journal")
  }

  /// Somebody removes, or moves away, all files of an open store, and another process makes a new one in the same place.
  private func aNewStoreIsLeftAlone(_ path: String, _ disk: any FileSystem, isMoved: Bool) throws {
    let first = try Self.open(path, disk)
    try Self.insert(1, into: first)
    if isMoved {
      for end in ["", ".journal", ".lock"] { try disk.rename(path + end, to: path + "2" + end) }
    } else {
      try Self.removeJournal(path, disk)
      try disk.remove(path)
      try disk.remove(path + ".lock")
    }
    let second = try Self.open(path, disk)
    // More than what is left of the first one's segment, which has the same name, when it is cut.
    for number in Int64(0)..<100 { try Self.insert(number, into: second) }
    #expect(Self.code { _ = try first.checkpoint() } == .ownedByOtherProcess)
    #expect(Self.code { try first.close() } == .ownedByOtherProcess)
    second.journal?.settle()
    _ = second.release()
    let third = try Self.open(path, disk)
    #expect(third.opening.rowCount == 100)
    try third.close()
    #expect(try DurableStore.deleteFiles(path, disk))
    if isMoved { #expect(try DurableStore.deleteFiles(path + "2", disk)) }
  }

  @Test(arguments: [false, true]) func aNewStoreInTheSamePlaceIsLeftAlone(isMoved: Bool) throws {
    try withTemporaryFolder { try aNewStoreIsLeftAlone($0 + "/store.firn", PosixFileSystem(), isMoved: isMoved) }
  }

  /// Where folders have no locks the first finds that its lock is gone, before it acknowledges anything.
  @Test func theFirstStopsWhereFoldersHaveNoLocks() throws {
    let path = "/store.firn"
    let disk = SimulatedDisk(seed: 1)
    disk.forgetFolderLocks()
    let first = try Self.open(path, disk)
    try Self.insert(1, into: first)
    try disk.remove(path + ".lock")
    let second = try Self.open(path, disk)
    try Self.insert(2, into: second)
    let files = disk.paths
    #expect(Self.code { try Self.insert(3, into: first) } == .ownedByOtherProcess)
    #expect(Self.code { try Self.insert(4, into: first) } == .ownedByOtherProcess)
    #expect(Self.code { _ = try first.checkpoint() } == .ownedByOtherProcess)
    #expect(Self.code { try first.close() } == .ownedByOtherProcess)
    #expect(disk.paths == files)
    try Self.insert(5, into: second)
    second.journal?.settle()
    let after = try Self.open(path, disk.crash(.nothing))
    #expect(after.opening.rowCount == 3)
  }

  @Test func nothingIsAcknowledgedOnceTheLockIsGone() throws {
    let path = "/store.firn"
    let disk = SimulatedDisk(seed: 1)
    disk.forgetFolderLocks()
    let store = try Self.open(path, disk)
    try Self.insert(1, into: store)
    disk.beforeSync { _ in try? disk.remove(path + ".lock") }
    #expect(Self.code { try Self.insert(2, into: store) } == .ownedByOtherProcess)
    disk.beforeSync(nil)
    #expect(store.statistics.durableVersion == 2)
  }

  /// A segment that somebody else has made is left alone.
  @Test func aSegmentIsNotCreatedOverAnother() throws {
    let path = "/store.firn"
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(path, disk)
    let segment = path + ".journal/0000000000000001.segment"
    disk.setContent(segment, [1, 2, 3])
    #expect(Self.code { try Self.insert(1, into: store) } == .ownedByOtherProcess)
    #expect(Self.code { try Self.insert(2, into: store) } == .ownedByOtherProcess)
    #expect(disk.content(segment) == [1, 2, 3])
  }
}
