import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// The statistic tells what the next opening needs, whatever was committed since the last checkpoint.
@Suite struct StoreExpansionTests {
  private static let path = "/store.firn"

  private static let schema = [
    TableDescription(
      name: "A",
      columns: [
        ColumnDescription(name: "n", type: .int), ColumnDescription(name: "text", type: .string, isIndexed: true),
        ColumnDescription(name: "id", type: .uuid, isNullable: true),
        ColumnDescription(name: "list", type: .int, collection: .list),
      ])
  ]

  private static func open(_ disk: SimulatedDisk, most: Int?) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 20) {
      $0.expandedByteCountMax = most
      $0.preparesSegments = false
    }
  }

  private func commit(_ store: DurableStore, _ body: (Writer) -> Void) throws {
    store.graph.enterGateBlocking()
    body(store.graph.begin())
    let version = try store.graph.commit().version.number
    store.graph.gate.leave()
    store.flush(through: version)
  }

  private func insert(_ count: Int, _ writer: Writer, _ random: inout SeededRandom) {
    for _ in 0..<count {
      let text = Array("value \(random.below(40))".utf8)
      let key = writer.insert(into: TableID(0)) { row in
        row.set(ColumnID(0), .int(1))
        row.set(ColumnID(1), .string(text))
      }
      let elements = (0..<random.below(6)).map { Value.int(Int64($0)) }
      writer.append(contentsOf: elements, to: ColumnID(3), of: key, in: TableID(0))
    }
  }

  /// Histories of commits, checkpoints and crashes, each followed by an opening with what the statistic told as its limit.
  @Test func openingTakesWhatTheStatisticTells() throws {
    let first = environmentNumber("FIRN_EXPANSION_SEED") ?? UInt64.random(in: 0..<1 << 40)
    print("expansion: seeds from \(first)")
    for seed in first..<first + 12 {
      var random = SeededRandom(seed)
      let disk = SimulatedDisk(seed: seed)
      var store = try Self.open(disk, most: nil)
      for step in 0..<30 {
        switch random.below(10) {
        case 0: _ = try store.checkpoint()
        case 1:
          try commit(store) { writer in
            var keys: [RowKey] = []
            writer.settledContents.forEachKey(in: TableID(0)) { if random.below(3) > 0 { keys.append($0) } }
            writer.delete(keys, from: TableID(0))
          }
        default: try commit(store) { insert([1, 7, 400][random.below(3)], $0, &random) }
        }
        if random.below(3) > 0 { continue }
        let told = store.statistics.expandedByteCount
        let rowCount = store.graph.holdHead().withContents { $0.rowCount(TableID(0)) }
        _ = store.release()
        do {
          store = try Self.open(disk, most: told)
          #expect(store.opening.rowCount == rowCount)
        } catch {
          Issue.record("seed \(seed), step \(step): \(told) bytes are not enough: \(error)")
          return
        }
      }
      _ = store.release()
    }
  }

  @Test func theJournalCounts() throws {
    var random = SeededRandom(7)
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, most: nil)
    let empty = store.statistics.expandedByteCount
    for _ in 0..<1_000 { try commit(store) { insert(1, $0, &random) } }
    let told = store.statistics.expandedByteCount
    #expect(told > empty + 1_000 * 40)
    _ = store.release()
    let error = #expect(throws: StoreError.self) { _ = try Self.open(disk, most: told / 2) }
    #expect(error?.message.contains("expandedByteCountMax") == true)
    #expect(try Self.open(disk, most: told).opening.rowCount == 1_000)
  }

  /// The new base would be refused by the next opening, which is too late: what was before is gone then.
  @Test func aMigrationBeyondTheLimitLeavesTheStore() throws {
    var random = SeededRandom(7)
    let disk = SimulatedDisk(seed: 1)
    var store = try Self.open(disk, most: nil)
    try commit(store) { insert(2_000, $0, &random) }
    try store.close()
    let before = disk.content(Self.path)
    let told = store.statistics.expandedByteCount
    func migrate(_ most: Int?) throws -> DurableStore {
      try openStore(Self.path, Self.schema, on: disk, segmentByteCount: 1 << 20) {
        $0.expandedByteCountMax = most
        $0.schemaVersion = 1
        $0.migration.block = { store in
          let table = TableID(0)
          store.graph.enterGateBlocking()
          defer { store.graph.gate.leave() }
          let writer = store.graph.begin()
          store.before.withContents { contents in
            contents.forEachKey(in: table) {
              writer.set(ColumnID(1), of: $0, in: table, to: .string([UInt8](repeating: 97, count: 1_000)))
            }
          }
          _ = try store.graph.commit()
        }
      }
    }
    let error = #expect(throws: StoreError.self) { _ = try migrate(2 * told) }
    #expect(error?.code == .fail)
    #expect(error?.message.contains("expandedByteCountMax. The store was not changed") == true)
    #expect(disk.content(Self.path) == before)
    store = try Self.open(disk, most: told)
    #expect(store.opening.rowCount == 2_000)
    try store.close()
    store = try migrate(nil)
    let migrated = store.statistics.expandedByteCount
    #expect(migrated > 2_000 * 1_000)
    try store.close()
    store = try migrate(migrated)
    #expect(store.opening.rowCount == 2_000)
  }
}
