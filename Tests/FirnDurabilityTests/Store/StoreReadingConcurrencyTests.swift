import FirnDurability
import FirnEngine
import Testing

/// Read-only openings, beside a process that writes and without one.
@Suite struct StoreReadingConcurrencyTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]

  private static func open(
    _ disk: SimulatedDisk, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 4_096) { options in
      options.threadCount = 1
      change(&options)
    }
  }

  private static func insert(_ number: Int64, into store: DurableStore) throws -> UInt64 {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    store.graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), number) }
    return try store.graph.commit().version.number
  }

  /// What a process that died has left in the system counts, also where nothing can be written.
  @Test(arguments: [false, true]) func aReadOnlyDiskShowsWhatOpeningForWritingWouldKeep(_ hasLock: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = .onCheckpoint }
    for number in Int64(0)..<5 { _ = try Self.insert(number, into: store) }
    // The hint is that of the opening.
    #expect(store.statistics.durableVersion == 1)
    store.journal?.settle()
    disk.releaseLocks()
    if !hasLock { disk.setContent(Self.path + ".lock", nil) }
    disk.becomeReadOnly()
    #expect(try Self.open(disk) { $0.isReadOnly = true }.opening.rowCount == 5)
  }

  @Test func besideAWriterNothingIsShownThatIsNotOnDisk() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = .onCheckpoint }
    for number in Int64(0)..<5 {
      let version = try Self.insert(number, into: store)
      if number == 2 { store.flush(through: version) }
    }
    #expect(try Self.open(disk) { $0.isReadOnly = true }.opening.rowCount == 3)
  }

  /// Every opening shows what was acknowledged before it began, and nothing that was not on disk when it ended.
  @Test(arguments: [Durability.everyCommit, .onCheckpoint])
  func openingsGoOnUnderConstantCheckpoints(_ durability: Durability) throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.durability = durability }
    let acknowledged = Lock(UInt64(0))
    let isOver = Lock(false)
    let writer = JoinedThread {
      var number = Int64(0)
      while !isOver.withLock({ $0 }) {
        do {
          for _ in 0..<3 {
            let version = try Self.insert(number, into: store)
            number += 1
            if durability == .everyCommit {
              store.flush(through: version)
              acknowledged.withLock { $0 = version }
            }
          }
          // The rows stay few, so that bases are written as well as deltas.
          if number % 60 == 0 { try Self.clear(store) }
          let version = try store.checkpoint().version
          acknowledged.withLock { $0 = max($0, version) }
        } catch {
          Issue.record(error)
          return
        }
      }
    }
    for _ in 0..<200 {
      let before = acknowledged.withLock { $0 }
      do {
        let reading = try Self.open(disk) { $0.isReadOnly = true }
        #expect(reading.opening.version >= before)
        #expect(reading.opening.version <= store.statistics.durableVersion)
      } catch {
        Issue.record(error)
      }
    }
    isOver.withLock { $0 = true }
    writer.join()
  }

  /// Nobody knows of the writer then, but what it is writing is not taken for damage.
  @Test func openingsGoOnBesideAWriterWhoseLockFileWasRemoved() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.segmentByteCount = 1 << 20 }
    try disk.remove(Self.path + ".lock")
    let isOver = Lock(false)
    let writer = JoinedThread {
      var number = Int64(0)
      while !isOver.withLock({ $0 }), number < 5_000 {
        do { store.flush(through: try Self.insert(number, into: store)) } catch { Issue.record(error) }
        number += 1
      }
    }
    for _ in 0..<100 {
      do { _ = try Self.open(disk) { $0.isReadOnly = true } } catch { Issue.record(error) }
    }
    isOver.withLock { $0 = true }
    writer.join()
  }

  /// However fast it writes.
  @Test func anOpeningEndsThoughEachReadMeetsNewCommits() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.segmentByteCount = 1 << 20 }
    for number in Int64(0)..<5 { store.flush(through: try Self.insert(number, into: store)) }
    try disk.remove(Self.path + ".lock")
    disk.beforeRead { path in
      if !path.contains("journal") { return }
      do {
        for _ in 0..<2 { store.flush(through: try Self.insert(7, into: store)) }
      } catch {
        Issue.record(error)
      }
    }
    let reading = try Self.open(disk) { $0.isReadOnly = true }
    disk.beforeRead(nil)
    #expect(reading.opening.rowCount >= 5)
    #expect(reading.opening.version <= store.statistics.durableVersion)
  }

  /// A place that stays bad is damage, whether somebody writes or not.
  @Test func damageStaysDamageWithoutALockFile() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk) { $0.segmentByteCount = 1 << 20 }
    for number in Int64(0)..<5 { store.flush(through: try Self.insert(number, into: store)) }
    try disk.remove(Self.path + ".lock")
    let segment = try #require(disk.paths.first { $0.contains("journal") })
    var bytes = try #require(disk.content(segment))
    // In the first commits: the rest of the segment is zeros.
    bytes[200] ^= 1
    disk.setContent(segment, bytes)
    let error = #expect(throws: StoreError.self) { try Self.open(disk) { $0.isReadOnly = true } }
    #expect(error?.code == .corrupted)
  }

  private static func clear(_ store: DurableStore) throws {
    store.graph.enterGateBlocking()
    defer { store.graph.gate.leave() }
    store.graph.begin().deleteAll(from: TableID(0))
    _ = try store.graph.commit()
  }
}
