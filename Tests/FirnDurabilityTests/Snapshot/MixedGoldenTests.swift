import FirnDurability
import FirnEngine
import Glibc
import Testing

/// A base with mixed values that an earlier program wrote must be read as it was meant, for ever.
@Suite struct MixedGoldenTests {
  private static let base: String = {
    let disk = PosixFileSystem()
    return disk.folder(of: disk.folder(of: #filePath)) + "/Golden/mixed1.base"
  }()

  private static let schema = MixedWriting.schema

  /// A value of every kind, each in a row of its own, and all of them in a list and in a map.
  private static let values: [Value] = [
    .null, .bool(true), .int(-129), .float(1.5), .double(-0.0), .decimal128(Bytes16(low: 15, high: 6175 << 49)),
    .string(Array("grün".utf8)), .data([0, 255]), .date(12.25), .objectID(Bytes12(1, 2, 3)),
    .uuid(Bytes16(low: 4, high: 5)), .object(1, RowKey(0)), .object(2, RowKey(0)), .list(RowKey(0)), .map(RowKey(0)),
  ]

  private static func makeGraph() throws -> Graph {
    let graph = Graph(schema: schema, seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    let column = TableDescription.nestedColumn
    let lists = MixedWriting.lists
    let maps = MixedWriting.maps
    for key in 0..<2 { writer.insert(into: lists) { _ in }.expect(key) }
    writer.insert(into: maps) { _ in }.expect(0)
    writer.insert(into: MixedWriting.others) { $0.setBytes(ColumnID(0), UnsafeRawBufferPointer(start: nil, count: 0)) }
      .expect(0)
    for key in values.indices { writer.insert(into: MixedWriting.things) { _ in }.expect(key) }
    for (key, value) in values.enumerated() {
      writer.set(ColumnID(0), of: RowKey(UInt64(key)), in: MixedWriting.things, to: value)
    }
    let scalars = values.dropLast(2)
    writer.append(contentsOf: Array(scalars) + [.list(RowKey(1))], to: column, of: RowKey(0), in: lists)
    for (index, value) in scalars.enumerated() {
      writer.set(value, forKey: Array("key \(index)".utf8), ofMap: column, of: RowKey(0), in: maps)
    }
    _ = try graph.commit()
    return graph
  }

  @Test func mixedValuesOfFormat1AreRead() throws {
    let merge = try Catalogue().merging(schema: Self.schema)
    if getenv("FIRN_WRITE_GOLDEN") != nil {
      let graph = try Self.makeGraph()
      let file = MemoryFile()
      let snapshot = graph.holdHead().snapshot
      let nextKeys = graph.nextKeys
      let tables = Self.schema.indices.map { table in
        SnapshotTable(
          snapshot, table: TableID(table), columns: Self.schema[table].columns.indices.map { ColumnID($0) },
          nextKey: nextKeys[table])
      }
      _ = try SnapshotWriter(file, header: SnapshotSample.header, catalogue: merge.catalogue).writeBase(tables: tables)
      try file.bytes.withUnsafeBytes { try PosixFileSystem().open(Self.base, .createEmpty).write($0, at: 0) }
    }
    let bytes = try PosixFileSystem().open(Self.base, .read).bytes(count: 1 << 20)
    let reader = try SnapshotReader(MemoryFile(bytes), kind: .base)
    _ = try reader.verify()
    #expect(reader.directory.catalogue == merge.catalogue)
    let loader = GraphLoader(schema: merge.graphSchema, seed: HashSeed(3, 4), poisonsFreedBlocks: true)
    try reader.read(threadCount: 1) { _ in
    } group: { group in
      try loader.addGroup(TableID(group.table), keys: group.keys, columns: group.columns)
    }
    for (index, table) in reader.directory.tables.enumerated() { loader.setNextKey(table.nextKey, of: TableID(index)) }
    try loader.finish(version: reader.header.version)
    let loaded = Graph(loaded: loader, log: nil)
    loaded.checkInvariants()
    let expected = try Self.makeGraph()
    try requireEqual(expected.holdHead().snapshot, loaded.holdHead().snapshot, "golden")
    // Of every kind, whatever the writer above makes today.
    for (key, value) in Self.values.enumerated() {
      let found = loaded.holdHead().snapshot.value(ColumnID(0), of: RowKey(UInt64(key)), in: MixedWriting.things)
      #expect(found == value)
    }
  }
}

extension RowKey {
  fileprivate func expect(_ key: Int) { #expect(self == RowKey(UInt64(key))) }
}
