import FirnDurability
import FirnEngine
import Testing

/// Small files that stand for much before there is a single row.
@Suite struct StoreLayoutBudgetTests {
  private static let path = "/store.firn"
  private static let nested = [TableDescription.nestedLists, .nestedMaps]

  private static func open(
    _ disk: SimulatedDisk, _ schema: [TableDescription] = [], most: Int?, isReadOnly: Bool = false
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) {
      $0.isReadOnly = isReadOnly
      $0.expandedByteCountMax = most
      $0.preparesSegments = false
    }
  }

  private func expectRefusal(
    _ disk: SimulatedDisk, below least: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for isReadOnly in [true, false] {
      let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        _ = try Self.open(disk, most: least, isReadOnly: isReadOnly)
      }
      #expect(error?.code == .fail, sourceLocation: sourceLocation)
      #expect(error?.message.contains("expandedByteCountMax") == true, sourceLocation: sourceLocation)
    }
  }

  /// Tables without columns, and some with as many mixed columns as fit.
  private static func schema(tableCount: Int, mixedCount: Int) -> [TableDescription] {
    var schema = nested
    for first in stride(from: 0, to: mixedCount, by: 256) {
      let columns = (first..<min(first + 256, mixedCount)).map { ColumnDescription(name: "\($0)", type: .mixed) }
      schema.append(TableDescription(name: "Mixed\(first)", columns: columns))
    }
    return schema + (schema.count..<tableCount).map { TableDescription(name: "\($0)", columns: []) }
  }

  private static func disk(_ schema: [TableDescription]) throws -> (disk: SimulatedDisk, byteCount: Int) {
    let sample = SnapshotSample(
      catalogue: try Catalogue().merging(schema: schema).catalogue,
      tables: schema.map { _ in SnapshotSample.Table(nextKey: 0, groups: []) })
    let bytes = try sample.bytes(threadCount: 1)
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(path, bytes)
    return (disk, bytes.count)
  }

  @Test func tablesWithoutRows() throws {
    let (disk, byteCount) = try Self.disk(Self.schema(tableCount: 2_000, mixedCount: 500))
    #expect(byteCount < 30_000)
    expectRefusal(disk, below: 2_000_000)
    #expect(try Self.open(disk, most: 8_000_000).opening.rowCount == 0)
  }

  /// A catalogue that a commit brings is counted as well, but not those that others replaced.
  @Test func tablesThatACommitBrings() throws {
    let disk = SimulatedDisk(seed: 1)
    _ = try Self.open(disk, most: nil).release()
    let columns = (0..<200).map { ColumnDescription(name: "\($0)", type: .int) }
    for count in 1...20 {
      let schema = (0..<count).map { TableDescription(name: "\($0)", columns: columns) }
      _ = try Self.open(disk, schema, most: nil).release()
    }
    expectRefusal(disk, below: 20 * 200 * 512)
    #expect(try Self.open(disk, most: 20 * 200 * 2_048).opening.rowCount == 0)
  }

  /// The memory of tables and columns adds up, and does not multiply.
  @Test func aGraphTakesWhatWasClaimedForItsTables() async {
    await #expect(processExitsWith: .success) {
      for (tableCount, mixedCount) in [(6_000, 0), (200, 4_000), (4_000, 4_000)] {
        let (disk, _) = try Self.disk(Self.schema(tableCount: tableCount, mixedCount: mixedCount))
        let before = ResidentMemory.byteCount
        let store = try Self.open(disk, most: nil, isReadOnly: true)
        let taken = ResidentMemory.byteCount - before
        let claimed = tableCount * 2_048 + mixedCount * 1_024
        // The allocator keeps what it has once got.
        if taken > 2 * claimed + 20_000_000 {
          fatalError("\(tableCount) tables and \(mixedCount) columns take \(taken) bytes, not \(claimed).")
        }
        withExtendedLifetime(store) {}
      }
    }
  }

  /// The head of a cluster has a place for each mixed column of the graph, whatever table it is of.
  @Test func clustersOfManyMixedColumns() throws {
    let schema = Self.schema(tableCount: 20, mixedCount: 2_000)
    var tables = schema.map { _ in SnapshotSample.Table(nextKey: 0, groups: []) }
    let keys = (0..<500).map { UInt64($0) << 14 }
    tables[19] = SnapshotSample.Table(nextKey: 1 << 30, groups: [SnapshotSample.Group(keys: keys, columns: [])])
    let bytes = try SnapshotSample(catalogue: Catalogue().merging(schema: schema).catalogue, tables: tables).bytes()
    #expect(bytes.count < 50_000)
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(Self.path, bytes)
    expectRefusal(disk, below: 500 * 2_000 * 8)
    #expect(try Self.open(disk, most: 500 * 2_000 * 8 * 2).opening.rowCount == 500)
  }

  /// A dictionary has as many values as its blocks say, which need no bytes.
  @Test func emptyValuesOfADictionary() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "text", type: .string)])]
    let values = ByteStrings(lengths: [UInt32](repeating: 0, count: 1_000_000), bytes: [])
    let table = SnapshotSample.Table(nextKey: 0, groups: [], dictionaries: [0: values])
    let bytes = try SnapshotSample(catalogue: Catalogue().merging(schema: schema).catalogue, tables: [table]).bytes()
    #expect(bytes.count < 5_000)
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(Self.path, bytes)
    expectRefusal(disk, below: 4_000_000)
  }

  /// The parts of a commit are joined before anything is made of them.
  @Test func aCommitOfManyParts() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "data", type: .data)])]
    let disk = SimulatedDisk(seed: 1)
    let store = try Self.open(disk, schema, most: nil)
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    let value = [UInt8](repeating: 7, count: 5 << 20)
    writer.insert(into: TableID(0)) { row in value.withUnsafeBytes { row.setBytes(ColumnID(0), $0) } }
    store.flush(through: try store.graph.commit().version.number)
    store.graph.gate.leave()
    _ = store.release()
    expectRefusal(disk, below: 6 << 20)
    #expect(try Self.open(disk, most: 40 << 20).opening.rowCount == 1)
  }

  /// A row of the past is an array of values, where the file has a bit for each.
  @Test func historyOfNothing() throws {
    let columns = (0..<200).map { ColumnDescription(name: "\($0)", type: .int, isNullable: true) }
    let disk = SimulatedDisk(seed: 1)
    let store = try openStore(
      Self.path, [TableDescription(name: "A", columns: columns)], on: disk, segmentByteCount: 1 << 14
    ) {
      $0.expandedByteCountMax = 20_000_000
      $0.preparesSegments = false
      $0.recordsOldValues = true
    }
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    for _ in 0..<4_000 { writer.insert(into: TableID(0)) { _ in } }
    let version = try store.graph.commit().version.number
    store.flush(through: version)
    store.graph.gate.leave()
    let error = #expect(throws: StoreError.self) {
      _ = try store.historyPage(after: store.opening.version, through: version)
    }
    #expect(error?.code == .fail)
    #expect(error?.message.contains("expandedByteCountMax") == true)
    _ = store.release()
  }
}
