import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Files that do not belong together, are left over or missing, and checkpoints that fail on their way.
@Suite struct StoreFilesTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(
    _ disk: SimulatedDisk, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) { options in
      options.preparesSegments = false
      options.threadCount = 1
      change(&options)
    }
  }

  private static func insert(_ numbers: Range<Int64>, into store: DurableStore) throws {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    let writer = store.graph.begin()
    for number in numbers {
      writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), number &* 0x1E37_79B9_7F4A_7C15) }
    }
    let version = try store.graph.commit().version.number
    store.flush(through: version)
  }

  private static func delete(_ keys: Range<UInt64>, from store: DurableStore) throws {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    store.graph.begin().delete(keys.map { RowKey($0) }, from: TableID(0))
    let version = try store.graph.commit().version.number
    store.flush(through: version)
  }

  private static func rowCount(_ store: DurableStore) -> Int { store.graph.holdHead().contents.rowCount(TableID(0)) }

  private static func files(_ disk: SimulatedDisk, _ suffix: String) throws -> [String] {
    try disk.list(path + ".journal").filter { $0.hasSuffix(suffix) }.map { path + ".journal/" + $0 }
  }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  /// Each delta leads on from the one before: none may be missing in between.
  @Test func aMissingDelta() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<5_000, into: store)
    #expect(try store.checkpoint().isBase)
    for number in 0..<3 as Range<Int64> {
      try Self.insert(number..<number + 1, into: store)
      #expect(try !store.checkpoint().isBase)
    }
    _ = store.release()
    let deltas = try Self.files(disk, ".delta")
    #expect(deltas.count == 3)
    // All files count but the lock.
    #expect(try DurableStore.verify(Self.path, disk).fileCount == disk.paths.count - 1)
    for missing in deltas.dropLast() {
      let damaged = disk.crash(.everything)
      damaged.setContent(missing, nil)
      #expect(code { _ = try Self.open(damaged) } == .corrupted, "without \(missing)")
    }
    #expect(Self.rowCount(try Self.open(disk.crash(.everything))) == 5_003)
  }

  /// A delta to the very version of the base: the crash came before it was removed.
  @Test func aDeltaThatTheBaseHasTakenIn() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<5_000, into: store)
    let version = try store.checkpoint().version
    _ = store.release()
    let digits = String(version, radix: 16)
    let name = String(repeating: "0", count: 16 - digits.count) + digits + ".delta"
    disk.setContent(Self.path + ".journal/" + name, [1, 2, 3])
    let again = try Self.open(disk)
    #expect(Self.rowCount(again) == 5_000)
    try Self.insert(0..<5_000, into: again)
    try Self.insert(0..<5_000, into: again)
    #expect(try again.checkpoint().isBase)
    #expect(try Self.files(disk, ".delta").isEmpty)
    _ = again.release()
  }

  /// A base that may or may not have got there: the next checkpoint is no delta to what was before.
  @Test func aCheckpointThatFailsAnywhere() throws {
    for call in 1... {
      let disk = SimulatedDisk(seed: UInt64(call))
      let store = try Self.open(disk)
      try Self.insert(0..<3_000, into: store)
      #expect(try store.checkpoint().isBase)
      try Self.insert(0..<3_000, into: store)
      disk.setFault(SimulatedDisk.Fault(call: call, kind: .error(.inputOutput)))
      let failed = code { _ = try store.checkpoint() } != nil
      let wasReached = disk.didStop
      disk.setFault(nil)
      // What is left differs little from the first base, so that a delta to it would do.
      var count = 6_000
      if code({ try Self.delete(3_000..<6_000, from: store) }) == nil {
        count = 3_000
        _ = code { _ = try store.checkpoint() }
      }
      for survival in [SimulatedDisk.Survival.nothing, .everything] {
        let again = try Self.open(disk.crash(survival))
        #expect(Self.rowCount(again) == count, "call \(call), checkpoint failed: \(failed), \(survival) survives")
        _ = again.release()
      }
      _ = store.release()
      if !wasReached { break }
    }
  }

  /// The journal goes on growing, and so one checkpoint follows the other.
  @Test func checkpointsThatStartByThemselves() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.checkpointByteCount = 4_096 }
    var versions: Set<UInt64> = []
    for number in 0..<50_000 as Range<Int64> where versions.count < 4 {
      try Self.insert(number * 10..<number * 10 + 10, into: store)
      if let record = store.statistics.lastCheckpoint { versions.insert(record.version) }
    }
    #expect(versions.count == 4)
    _ = store.release()
  }

  /// Whatever a crash leaves of a store that is being deleted has everything or is none.
  @Test func deletingStopsAnywhere() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<10, into: store)
    _ = try store.checkpoint()
    try Self.insert(10..<20, into: store)
    _ = store.release()
    for call in 1... {
      let deleting = disk.crash(.everything)
      deleting.setFault(SimulatedDisk.Fault(call: call, kind: .stop))
      _ = try? DurableStore.deleteFiles(Self.path, deleting)
      for survival in [SimulatedDisk.Survival.nothing, .everything] + Array(repeating: .random, count: 8) {
        let after = deleting.crash(survival)
        guard DurableStore.exists(Self.path, after) else { continue }
        #expect(Self.rowCount(try Self.open(after)) == 20, "call \(call), \(survival) survives")
      }
      if !deleting.didStop { break }
    }
  }

  /// Files for reading only are not migrated, neither forth nor back.
  @Test(arguments: [1, 3] as [UInt64]) func anotherSchemaVersionForReadingOnly(version: UInt64) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.schemaVersion = 2 }
    try Self.insert(0..<3, into: store)
    _ = store.release()
    #expect(
      code {
        _ = try Self.open(disk.crash(.everything)) {
          $0.schemaVersion = version
          $0.isReadOnly = true
        }
      } == .fail)
    let reader = try Self.open(disk.crash(.everything)) {
      $0.schemaVersion = 2
      $0.isReadOnly = true
    }
    #expect(Self.rowCount(reader) == 3)
  }

  /// Who opens for reading beside a writer sees what is durable, not what is merely written.
  @Test func readingBesideAWriterThatDoesNotSynchronize() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = .onCheckpoint }
    func read() throws -> Int {
      let reader = try Self.open(disk) { $0.isReadOnly = true }
      defer { _ = reader.release() }
      return Self.rowCount(reader)
    }
    func commit() throws {
      store.graph.enterGateBlocking()
      defer { store.graph.gate.leave() }
      store.graph.begin().insert(into: TableID(0)) { _ in }
      _ = try store.graph.commit()
    }
    try commit()
    #expect(try read() == 0)
    _ = try store.checkpoint()
    #expect(try read() == 1)
    try commit()
    #expect(Self.rowCount(store) == 2)
    #expect(try read() == 1)
    _ = store.release()
  }

  /// A journal without its base is no new store.
  @Test func aMissingBase() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<3, into: store)
    _ = store.release()
    disk.setContent(Self.path, nil)
    let before = disk.paths
    #expect(code { _ = try Self.open(disk) } == .corrupted)
    #expect(Set(disk.paths).isSuperset(of: before))
    #expect(!DurableStore.exists(Self.path, disk), "an empty base in place of the one that is missing")
  }

  /// All names go for good, whatever of them a crash could bring back.
  @Test(arguments: [false, true]) func whatWasDeletedIsGoneAfterACrash(hasJournal: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk)
    try Self.insert(0..<10, into: store)
    if !hasJournal { _ = try store.checkpoint() }
    #expect(store.release() == nil)
    #expect(try DurableStore.deleteFiles(Self.path, disk))
    #expect(disk.paths == [])
    #expect(disk.crash(.nothing).paths == [])
    #expect(try !DurableStore.deleteFiles(Self.path, disk.crash(.nothing)))
    // Where nothing is, nothing is written either.
    disk.refuseOpening { _, opening in if case .read = opening { nil } else { .notPermitted } }
    #expect(try !DurableStore.deleteFiles(Self.path, disk))
  }

  /// How much of the journal is kept: as much as is wanted, and as young as is wanted.
  @Test(arguments: [nil, 0, 1 << 60] as [UInt64?]) func theAgeOfTheHistory(age: UInt64?) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) {
      $0.historyByteCount = .max
      $0.historyNanoseconds = age
    }
    try Self.insert(0..<1, into: store)
    let first = try Self.files(disk, ".segment").first
    var count: Int64 = 10
    for _ in 0..<4 {
      try Self.insert(0..<count, into: store)
      _ = try store.checkpoint()
      // With an age, the look after it may have made the base.
      #expect(try Self.files(disk, ".delta").isEmpty)
      count *= 10
    }
    #expect(try Self.files(disk, ".segment").contains(first ?? "") == (age != 0))
    _ = store.release()
  }
}
