import FirnDurability
import FirnEngine
import Testing

/// Small files that stand for much.
@Suite struct StoreBudgetTests {
  private static let path = "/store.firn"

  private static func open(
    _ disk: SimulatedDisk, _ schema: [TableDescription], most: Int?, isReadOnly: Bool = false
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) {
      $0.isReadOnly = isReadOnly
      $0.expandedByteCountMax = most
      $0.preparesSegments = false
    }
  }

  /// A disk with a base of one table.
  private static func disk(
    _ columns: [ColumnDescription], nextKey: UInt64, _ groups: [SnapshotSample.Group],
    _ dictionaries: [Int: ByteStrings] = [:]
  ) throws -> (disk: SimulatedDisk, schema: [TableDescription], byteCount: Int) {
    let schema = [TableDescription(name: "A", columns: columns)]
    let table = SnapshotSample.Table(nextKey: nextKey, groups: groups, dictionaries: dictionaries)
    let bytes = try SnapshotSample(
      catalogue: Catalogue().merging(schema: schema).catalogue, tables: [table]
    ).bytes(threadCount: 1)
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(path, bytes)
    return (disk, schema, bytes.count)
  }

  /// Opening needs at least `least` bytes, and says so before it takes them.
  private func expectRefusal(
    _ disk: SimulatedDisk, _ schema: [TableDescription], below least: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for isReadOnly in [true, false] {
      let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        _ = try Self.open(disk, schema, most: least, isReadOnly: isReadOnly)
      }
      #expect(error?.code == .fail, sourceLocation: sourceLocation)
      #expect(error?.message.contains("expandedByteCountMax") == true, sourceLocation: sourceLocation)
    }
  }

  private func ints(_ rowCount: Int) -> ColumnChunk {
    ColumnChunk(rowCount: rowCount, values: .ints([Int64](repeating: 7, count: rowCount)))
  }

  @Test func rowsThatAreAllTheSame() throws {
    let columns = (0..<20).map { ColumnDescription(name: "\($0)", type: .int) }
    let groups = (0..<4).map { group in
      SnapshotSample.Group(
        keys: (0..<16_384).map { UInt64(group * 16_384 + $0) }, columns: columns.map { _ in ints(16_384) })
    }
    let (disk, schema, byteCount) = try Self.disk(columns, nextKey: 4 * 16_384, groups)
    #expect(byteCount < 5_000)
    expectRefusal(disk, schema, below: 4 * 16_384 * 20 * 8)
    // Nothing but the directory was read: the blocks may be as bad as they like.
    var damaged = try #require(disk.content(Self.path))
    for index in 96..<500 { damaged[index] ^= 0xff }
    disk.setContent(Self.path, damaged)
    expectRefusal(disk, schema, below: 4 * 16_384 * 20 * 8)
  }

  @Test func elementsThatAreAllTheSame() throws {
    let columns = [ColumnDescription(name: "list", type: .int, collection: .list)]
    let lists = ColumnChunk(rowCount: 1, values: .lists(counts: [1_000_000], elements: ints(1_000_000)))
    let (disk, schema, byteCount) = try Self.disk(
      columns, nextKey: 9, [SnapshotSample.Group(keys: [3], columns: [lists])])
    #expect(byteCount < 1_000)
    expectRefusal(disk, schema, below: 8_000_000)
    #expect(try Self.open(disk, schema, most: 20_000_000).opening.rowCount == 1)
  }

  @Test func stringsThatAreAllTheSame() throws {
    let columns = [ColumnDescription(name: "text", type: .string)]
    let texts = ByteStrings(lengths: [5_000_000], bytes: [UInt8](repeating: 97, count: 5_000_000))
    let (disk, schema, byteCount) = try Self.disk(
      columns, nextKey: 9, [SnapshotSample.Group(keys: [3], columns: [ColumnChunk(rowCount: 1, values: .bytes(texts))])]
    )
    #expect(byteCount < 2_000)
    expectRefusal(disk, schema, below: 5_000_000)
    #expect(try Self.open(disk, schema, most: 6_000_000).opening.rowCount == 1)
  }

  /// A column that lost its index: each row gets a copy of its value.
  @Test func placesInADictionary() throws {
    let columns = [ColumnDescription(name: "text", type: .string)]
    let texts = ByteStrings(lengths: [100_000], bytes: [UInt8](repeating: 97, count: 100_000))
    let places = ColumnChunk(rowCount: 300, values: .dictionary([UInt32](repeating: 1, count: 300)))
    let (disk, schema, byteCount) = try Self.disk(
      columns, nextKey: 300, [SnapshotSample.Group(keys: (0..<300).map { UInt64($0) }, columns: [places])], [0: texts])
    #expect(byteCount < 2_000)
    expectRefusal(disk, schema, below: 30_000_000)
    #expect(try Self.open(disk, schema, most: 31_000_000).opening.rowCount == 300)
  }

  @Test func keysFarFromEachOther() throws {
    let group = SnapshotSample.Group(keys: (0..<2_000).map { UInt64($0) << 27 }, columns: [])
    let (disk, schema, byteCount) = try Self.disk([], nextKey: 1 << 39, [group])
    #expect(byteCount < 1_000)
    expectRefusal(disk, schema, below: 2_000_000)
    #expect(try Self.open(disk, schema, most: 10_000_000).opening.rowCount == 2_000)
  }

  /// Commits and deltas of rows that are all null.
  @Test func effectsCount() throws {
    let columns = (0..<50).map { ColumnDescription(name: "\($0)", type: .uuid, isNullable: true) }
    let (disk, schema, _) = try Self.disk(columns, nextKey: 0, [])
    func insert(_ count: Int, _ store: DurableStore) throws {
      store.graph.enterGateBlocking()
      let writer = store.graph.begin()
      for _ in 0..<count { writer.insert(into: TableID(0)) { _ in } }
      let version = try store.graph.commit().version.number
      store.graph.gate.leave()
      store.flush(through: version)
    }
    var store = try Self.open(disk, schema, most: nil)
    try insert(1_000, store)
    _ = store.release()
    expectRefusal(disk, schema, below: 1_000 * 50 * 16)
    store = try Self.open(disk, schema, most: 1_500_000)
    #expect(try store.checkpoint().isBase)
    try insert(1_000, store)
    _ = store.release()
    expectRefusal(disk, schema, below: 2 * 1_000 * 50 * 16)
    #expect(try Self.open(disk, schema, most: nil).opening.rowCount == 2_000)
  }

  @Test func aCheckpointBeyondTheBudgetSucceedsAndIsTold() throws {
    let columns = [ColumnDescription(name: "n", type: .int)]
    let (disk, schema, _) = try Self.disk(columns, nextKey: 0, [])
    let store = try Self.open(disk, schema, most: 100_000)
    #expect(store.statistics.expandedByteCount < 100_000)
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    for _ in 0..<20_000 { writer.insert(into: TableID(0)) { _ in } }
    _ = try store.graph.commit()
    store.graph.gate.leave()
    let record = try store.checkpoint()
    #expect(record.isBase)
    #expect(store.statistics.expandedByteCount > 20_000 * 8)
    #expect(record.expandedByteCount == store.statistics.expandedByteCount)
    _ = store.release()
    expectRefusal(disk, schema, below: 100_000)
    #expect(try Self.open(disk, schema, most: record.expandedByteCount).opening.rowCount == 20_000)
  }

  @Test func thereIsAlwaysSomeRoom() {
    #expect(ExpansionBudget.standard(fileByteCount: 11_000) == 4 << 30)
    #expect(ExpansionBudget.standard(fileByteCount: 1 << 30) == 1_000 << 30)
    #expect(ExpansionBudget.standard(fileByteCount: .max) == .max)
  }
}
