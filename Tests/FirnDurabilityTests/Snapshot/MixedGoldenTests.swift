import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// A base with mixed values of all kinds, as ``GoldenTests`` has them for other values.
@Suite struct MixedGoldenTests {
  private static let things = TableID(0)
  private static let others = TableID(1)
  private static let lists = TableID(2)
  private static let maps = TableID(3)
  private static let schema = [
    TableDescription(
      name: "Thing",
      columns: [
        ColumnDescription(name: "value", type: .mixed),
        ColumnDescription(name: "values", type: .mixed, collection: .list),
        ColumnDescription(name: "distinct", type: .mixed, collection: .set),
        ColumnDescription(name: "named", type: .mixed, collection: .map),
      ]),
    TableDescription(name: "Other", columns: [ColumnDescription(name: "name", type: .string)]),
    .nestedLists, .nestedMaps,
  ]
  private static let file = GoldenFile(name: "format1-mixed.base")

  private let merge: CatalogueMerge
  private let graph: Graph

  init() throws {
    merge = try Catalogue().merging(schema: Self.schema)
    graph = Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    fill(graph.begin())
    _ = try graph.commit()
  }

  private func fill(_ writer: Writer) {
    let names = ["a", "gone", "c"].map { name in
      writer.insert(into: Self.others) { inserter in
        Array(name.utf8).withUnsafeBytes { inserter.setBytes(ColumnID(0), $0) }
      }
    }
    writer.delete([names[1]], from: Self.others)
    func list(_ values: [Value]) -> Value {
      let key = writer.insert(into: Self.lists) { _ in }
      writer.append(contentsOf: values, to: TableDescription.nestedColumn, of: key, in: Self.lists)
      return .list(key)
    }
    func map(_ entries: [(String, Value)]) -> Value {
      let key = writer.insert(into: Self.maps) { _ in }
      for (name, value) in entries {
        writer.set(
          value, forKey: Array(name.utf8), ofMap: TableDescription.nestedColumn, of: key, in: Self.maps)
      }
      return .map(key)
    }
    let number = { (table: TableID) in graph.layout.tables[table.index].number }
    let first = writer.insert(into: Self.things) { _ in }
    let single: [Value] =
      [
        .null, .bool(false), .bool(true), .float(-0.0), .float(1.5), .float(.nan), .double(0), .double(-0.0),
        .double(2.25), .double(-.infinity), .double(.nan), .string([]), .data([]), .data([0, 255]), .date(12.125),
        .date(-1), .objectID(Bytes12(1, 2, .max)), .uuid(Bytes16(low: 3, high: .max)),
        .decimal128(Bytes16(low: 15, high: 6175 << 49)), .decimal128(Bytes16(low: 0, high: 31 << 58)),
        .string(Array("gr\u{fc}n\0 \u{1F600}".utf8)), .string(Array(repeating: 120, count: 5000)),
        .data(Array(repeating: 7, count: 300)), .object(number(Self.things), first),
        .object(number(Self.others), names[2]),
      ] + [0, 1, -1, 127, 128, -128, -129, 65_535, .max, .min].map { .int($0) }
    for _ in single { _ = writer.insert(into: Self.things) { $0.setMixed(ColumnID(0), .null) } }
    var rows: [RowKey] = []
    writer.contents.forEachKey(in: Self.things) { rows.append($0) }
    for (row, value) in zip(rows.dropFirst(), single) {
      writer.set(ColumnID(0), of: row, in: Self.things, to: value)
      writer.append(contentsOf: [value, .int(1)], to: ColumnID(1), of: first, in: Self.things)
      _ = writer.insert(value, intoSet: ColumnID(2), of: first, in: Self.things)
      writer.set(value, forKey: Array("k\(row.rawValue)".utf8), ofMap: ColumnID(3), of: first, in: Self.things)
    }
    // Empty ones, some within each other to a depth of 6, and many elements.
    var deep: Value = .object(number(Self.others), names[0])
    for level in 0..<6 {
      deep = level % 2 == 0 ? list([.int(Int64(level)), deep, .null]) : map([("k", deep), ("", .null)])
    }
    let nested = [
      list([]), map([]), deep, list((0..<200).map { .int($0) }),
      map((0..<40).map { ("key \($0)", .string(Array("\($0)".utf8))) }),
    ]
    for value in nested {
      let row = writer.insert(into: Self.things) { _ in }
      writer.set(ColumnID(0), of: row, in: Self.things, to: value)
      writer.append(
        contentsOf: [list([.bool(true)]), map([("a", list([]))])], to: ColumnID(1), of: row, in: Self.things)
      writer.set(map([("b", .double(1))]), forKey: [98], ofMap: ColumnID(3), of: row, in: Self.things)
    }
  }

  private func bytes() throws -> [UInt8] {
    let version = graph.holdHead()
    let nextKeys = graph.nextKeys
    let file = MemoryFile()
    let tables = merge.graphSchema.indices.map { table in
      SnapshotTable(
        version.contents, table: TableID(table),
        columns: merge.graphSchema[table].columns.indices.map { ColumnID($0) }, nextKey: nextKeys[table])
    }
    _ = try SnapshotWriter(file, header: SnapshotSample.header, catalogue: merge.catalogue).writeBase(tables: tables)
    return file.bytes
  }

  @Test func mixedValuesOfFormat1AreRead() throws {
    let reader = try SnapshotReader(MemoryFile(Self.file.bytes()), kind: .base)
    _ = try reader.verify()
    #expect(reader.header == SnapshotSample.header && reader.directory.catalogue == merge.catalogue)
    let loader = GraphLoader(schema: merge.graphSchema, seed: HashSeed(3, 4), poisonsFreedBlocks: true)
    try reader.read(threadCount: 2) { _ in
    } group: { group in
      try loader.addGroup(TableID(group.table), keys: group.keys, columns: group.columns)
    }
    for (table, state) in reader.directory.tables.enumerated() { loader.setNextKey(state.nextKey, of: TableID(table)) }
    try loader.finish(version: 9)
    let loaded = Graph(loaded: loader, log: nil)
    loaded.checkInvariants()
    #expect(loaded.nextKeys == graph.nextKeys)
    try requireEqual(graph.holdHead().contents, loaded.holdHead().contents, "golden")
  }

  /// See `GoldenTests.filesOfFormat1AreToldAsJSON`.
  @Test func mixedValuesOfFormat1AreToldAsJSON() throws {
    let header = SnapshotSample.header
    let dump = GoldenDump(
      graph.holdHead().contents, nextKeys: graph.nextKeys, merge.catalogue, storeID: header.storeID,
      version: header.version)
    try Self.file.dump.expectEqual(dump.bytes)
  }

  /// See `GoldenTests.filesOfFormat1AreWrittenAlike`.
  @Test(.enabled(if: ZstdContext.libraryVersion == 10504)) func mixedValuesOfFormat1AreWrittenAlike() throws {
    try Self.file.expectEqual(bytes())
  }
}
