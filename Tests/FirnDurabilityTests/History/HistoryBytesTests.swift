import FirnEngine
import Glibc
import Testing

@testable import FirnDurability

/// How much of the journal is kept when bytes were asked for.
@Suite("Bytes of history")
struct HistoryBytesTests {
  private static let path = "/store.firn"
  private static let schema = [
    TableDescription(name: "Item", columns: [ColumnDescription(name: "bytes", type: .data)])
  ]
  private static let segmentByteCount = 1 << 14
  private static let byteCount = 10 << 14

  private static func open(_ disk: SimulatedDisk) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: segmentByteCount) { options in
      options.historyByteCount = byteCount
      options.recordsOldValues = true
      options.preparesSegments = false
      options.idleNanoseconds = nil
      options.segmentCountMax = .max
      options.threadCount = 1
    }
  }

  /// Gives the only row a value of a kilobyte.
  private static func commit(_ store: DurableStore) throws {
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    let value = Value.data([UInt8](repeating: 7, count: 1_000))
    if let key = writer.contents.key(at: 0, in: TableID(0)) {
      writer.set(ColumnID(0), of: key, in: TableID(0), to: value)
    } else {
      writer.insert(into: TableID(0)) { $0.set(ColumnID(0), value) }
    }
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
  }

  private static func segmentByteCounts(_ disk: SimulatedDisk) -> [Int] {
    disk.paths.filter { $0.hasSuffix(".segment") }.compactMap { disk.content($0)?.count }
  }

  /// Commits that are given up are not kept in memory either.
  @Test("bound what a history in memory takes")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let shape = try MemoryHistory.shape(of: Self.schema)
      let history = MemoryHistory(map: shape.map, byteCountMax: 1 << 20, nanosecondsMax: nil)
      let graph = Graph(schema: shape.schema, seed: HashSeed(1, 2), log: history)
      var before = 0
      for number in 0..<2_000 {
        if number == 200 { before = ResidentMemory.byteCount }
        graph.enterGateBlocking()
        let writer = graph.begin()
        let value = Value.data([UInt8](repeating: UInt8(number & 255), count: 100_000))
        if let key = writer.contents.key(at: 0, in: TableID(0)) {
          writer.set(ColumnID(0), of: key, in: TableID(0), to: value)
        } else {
          writer.insert(into: TableID(0)) { $0.set(ColumnID(0), value) }
        }
        _ = try graph.commit()
        graph.gate.leave()
      }
      if try history.historyPage(after: graph.head - 2, through: graph.head).count != 2 { exit(2) }
      if ResidentMemory.byteCount - before > 50 << 20 { exit(3) }
    }
  }

  /// However long the spans between checkpoints are, and whoever wrote the segments.
  @Test("are at least those, and little more", arguments: [1, 20, 300], [false, true])
  func kept(commitsPerCheckpoint: Int, isReopened: Bool) throws {
    let disk = SimulatedDisk(seed: 1)
    var store = try Self.open(disk)
    var commitCount = 0
    while commitCount < 900 {
      for _ in 0..<commitsPerCheckpoint { try Self.commit(store) }
      commitCount += commitsPerCheckpoint
      if isReopened {
        _ = store.release()
        store = try Self.open(disk)
      }
      _ = try store.checkpoint()
      let kept = Self.segmentByteCounts(disk).reduce(0, +)
      #expect(kept <= Self.byteCount + 2 * Self.segmentByteCount, "after \(commitCount) commits")
      let start = try store.historyStart(through: store.graph.head)
      if start == 1 { continue }
      #expect(kept >= Self.byteCount, "after \(commitCount) commits")
      // Two values of a kilobyte each, in segments that have blocks of 4 KiB.
      let readable = Int(store.graph.head - start) * 2_000
      #expect(commitsPerCheckpoint == 1 || readable >= Self.byteCount * 3 / 4, "after \(commitCount) commits")
    }
    #expect(try store.historyStart(through: store.graph.head) > 1)
    _ = store.release()
  }
}
