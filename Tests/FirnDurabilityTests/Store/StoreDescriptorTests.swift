import FirnEngine
import Glibc
import Testing

@testable import FirnDurability

/// How many files a store has open at once.
@Suite struct StoreDescriptorTests {
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "number", type: .int)])
  ]
  private static let segmentByteCount = 1 << 14
  /// Beside base, lock file, the segment that is written and the next one: one to read, and one to write.
  private static let openFileCountMax = 6

  private static func open(
    _ path: String, on disk: any FileSystem, _ change: (inout DurableStore.Options) -> Void = { _ in }
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: segmentByteCount) { options in
      options.threadCount = 1
      options.idleNanoseconds = nil
      change(&options)
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

  /// A store with that many deltas, as programs leave it that do not limit their number, and a commit behind them.
  private static func makeStore(_ path: String, deltaCount: Int, on disk: SimulatedDisk) throws {
    let store = try open(path, on: disk) { $0.deltaCountMax = .max }
    try insert(0..<Int64(80 * deltaCount), into: store)
    #expect(try store.checkpoint().isBase)
    for number in 0..<Int64(deltaCount) {
      try insert(number..<number + 1, into: store)
      #expect(try !store.checkpoint().isBase)
    }
    try insert(0..<1, into: store)
    _ = store.release()
    #expect(try disk.list(path + ".journal").count { $0.hasSuffix(".delta") } == deltaCount)
  }

  private static func rowCount(deltaCount: Int) -> Int { 81 * deltaCount + 1 }

  @Test func aThousandDeltasAreOpenedOneAtATime() async {
    await #expect(processExitsWith: .success) {
      let path = "/store.firn"
      let disk = SimulatedDisk(seed: 1)
      try Self.makeStore(path, deltaCount: 1_100, on: disk)
      try withTemporaryFolder { folder in
        let (real, realPath) = (PosixFileSystem(), folder + path)
        try real.createFolder(realPath + ".journal")
        for file in disk.paths {
          try real.open(folder + file, .createNew).write(disk.content(file) ?? [], at: 0)
        }
        var limit = rlimit(rlim_cur: 64, rlim_max: 64)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let rowCount = Self.rowCount(deltaCount: 1_100)
        #expect(try DurableStore.verify(realPath, real).rowCounts.map(\.count) == [rowCount])
        #expect(try Self.open(realPath, on: real) { $0.isReadOnly = true }.opening.rowCount == rowCount)
        let store = try Self.open(realPath, on: real)
        #expect(store.opening.rowCount == rowCount)
        let reading = try Self.open(realPath, on: real) { $0.isReadOnly = true }
        #expect(reading.opening.rowCount == rowCount)
        #expect(try store.checkpoint().isBase)
        #expect(try real.list(realPath + ".journal").allSatisfy { !$0.hasSuffix(".delta") })
        try store.close()
        for name in try real.list(realPath + ".journal") { try real.remove("\(realPath).journal/\(name)") }
        try real.removeFolder(realPath + ".journal")
      }
    }
  }

  @Test func openingNeedsFewFilesHoweverManyThereAre() throws {
    let disk = SimulatedDisk(seed: 1)
    try Self.makeStore("/store.firn", deltaCount: 50, on: disk)
    // Segments too.
    for number in 0..<Int64(50) {
      let store = try Self.open("/store.firn", on: disk) { $0.segmentCountMax = .max }
      try Self.insert(number..<number + 1, into: store)
      _ = store.release()
    }
    #expect(disk.paths.count { $0.hasSuffix(".segment") } > 50)
    _ = disk.takeOpenFileCountMax()
    let store = try Self.open("/store.firn", on: disk) { options in
      options.segmentCountMax = .max
      options.deltaCountMax = .max
    }
    #expect(disk.takeOpenFileCountMax() <= Self.openFileCountMax)
    try Self.insert(0..<100, into: store)
    #expect(try !store.checkpoint().isBase)
    try Self.insert(0..<40_000, into: store)
    #expect(try store.checkpoint().isBase)
    #expect(disk.takeOpenFileCountMax() <= Self.openFileCountMax)
    _ = store.release()
  }

  /// Files that a writing process may remove are kept open, unless they are many.
  @Test func openingForReadingOnlyKeepsAFewFilesOpen() throws {
    let disk = SimulatedDisk(seed: 1)
    try Self.makeStore("/store.firn", deltaCount: 50, on: disk)
    for number in 0..<Int64(50) {
      let store = try Self.open("/store.firn", on: disk) { $0.segmentCountMax = .max }
      try Self.insert(number..<number + 1, into: store)
      _ = store.release()
    }
    _ = disk.takeOpenFileCountMax()
    let store = try Self.open("/store.firn", on: disk) { $0.isReadOnly = true }
    #expect(store.opening.rowCount == Self.rowCount(deltaCount: 50) + 50)
    #expect(disk.takeOpenFileCountMax() <= 36)
    _ = disk.takeOpenFileCountMax()
    #expect(disk.takeOpenFileCountMax() == 0)
  }

  @Test func deltasAreLimitedInNumber() throws {
    let disk = SimulatedDisk(seed: 1)
    let path = "/store.firn"
    var store = try Self.open(path, on: disk) { $0.deltaCountMax = 8 }
    try Self.insert(0..<40_000, into: store)
    #expect(try store.checkpoint().isBase)
    var kinds: [Bool] = []
    for number in 0..<Int64(30) {
      try Self.insert(number..<number + 1, into: store)
      kinds.append(try store.checkpoint().isBase)
      #expect(try disk.list(path + ".journal").count { $0.hasSuffix(".delta") } <= 8)
      // Deltas of earlier processes count as well.
      if number % 5 == 4 {
        _ = store.release()
        store = try Self.open(path, on: disk) { $0.deltaCountMax = 8 }
      }
    }
    #expect(kinds == (1...30).map { $0 % 9 == 0 })
    _ = store.release()
    #expect(try Self.open(path, on: disk).opening.rowCount == 40_030)
  }
}
