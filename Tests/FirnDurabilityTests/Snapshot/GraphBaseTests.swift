import FirnDurability
import FirnEngine
import TestSupport
import Testing

@Suite struct GraphBaseTests {
  /// A graph goes into a base and comes out again: its rows, dictionaries and keys.
  @Test func graphsComeBackFromBases() throws {
    let schema = [
      TableDescription(
        name: "Person",
        columns: [
          ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
          ColumnDescription(name: "name", type: .string, isNullable: true),
          ColumnDescription(name: "city", type: .string, isIndexed: true),
          ColumnDescription(name: "active", type: .bool),
          ColumnDescription(name: "score", type: .double),
          ColumnDescription(name: "best", type: .link, target: TableID(0)),
          ColumnDescription(name: "friends", type: .link, collection: .list, target: TableID(0)),
        ])
    ]
    var random = SeededRandom.printed("graphsComeBackFromBases")
    let rowCount = 20_000
    let loader = GraphLoader(schema: schema, seed: HashSeed(1, 2))
    let table = TableID(0)
    try loader.setDictionary(ByteStrings(lengths: [1, 2, 3], bytes: Array("abbccc".utf8)), of: ColumnID(2), in: table)
    for start in stride(from: 0, to: rowCount, by: 10_000) {
      func shaped(_ element: SequenceShape.Element, isNullable: Bool = false) -> ColumnChunk {
        var chunk = random.chunk(10_000, SequenceShape(element), isNullable: isNullable)
        if case .dictionary = chunk.values {
          chunk.values = .bytes(
            ByteStrings(lengths: Array(repeating: 1, count: 10_000), bytes: Array(repeating: 97, count: 10_000)))
        }
        return chunk
      }
      func ints(_ values: [Int64]) -> ColumnChunk { ColumnChunk(rowCount: 10_000, values: .ints(values)) }
      let counts = (0..<10_000).map { _ in UInt32(random.below(3)) }
      let sum = counts.reduce(0) { $0 + Int($1) }
      let friends = ColumnChunk(
        rowCount: sum, values: .ints((0..<sum).map { _ in Int64(1 + 2 * random.below(rowCount)) }))
      try loader.addGroup(
        table, keys: (0..<10_000).map { UInt64(2 * (start + $0)) },
        columns: [
          ints((0..<10_000).map { Int64(start + $0) * 3 }), shaped(.bytes, isNullable: true),
          ColumnChunk(
            rowCount: 10_000, values: .dictionary((0..<10_000).map { _ in UInt32(1 + random.below(3)) })),
          shaped(.bits), shaped(.fixed(width: 8)),
          ints((0..<10_000).map { _ in Int64(1 + 2 * random.below(rowCount)) }),
          ColumnChunk(rowCount: 10_000, values: .lists(counts: counts, elements: friends)),
        ])
    }
    loader.setNextKey(UInt64(2 * rowCount), of: table)
    try loader.finish(version: 7)
    let graph = Graph(loaded: loader, log: nil)

    let merge = try Catalogue().merging(schema: schema)
    let bytes = try write(graph, merge)
    let reader = try SnapshotReader(MemoryFile(bytes), kind: .base)
    let second = GraphLoader(schema: schema, seed: HashSeed(3, 4))
    try reader.read(threadCount: 2) { dictionary in
      try second.setDictionary(dictionary.values, of: ColumnID(dictionary.column), in: table)
    } group: { group in
      try second.addGroup(table, keys: group.keys, columns: group.columns)
    }
    second.setNextKey(reader.directory.tables[0].nextKey, of: table)
    try second.finish(version: reader.header.version)
    let again = Graph(loaded: second, log: nil)

    func content(_ bytes: [UInt8]) throws -> [SnapshotSample.Group] { try readAll(bytes).tables[0] }
    let found = try write(again, merge)
    #expect(try content(found).map(\.keys) == content(bytes).map(\.keys))
    // The places of values in the dictionary may differ, all else may not.
    for (left, right) in zip(try content(found), try content(bytes)) {
      for column in schema[0].columns.indices where column != 2 {
        try #require(left.columns[column] == right.columns[column], "\(schema[0].columns[column].name)")
      }
    }
    #expect(try cities(found) == cities(bytes))
  }

  private func write(_ graph: Graph, _ merge: CatalogueMerge) throws -> [UInt8] {
    let version = graph.holdHead()
    let file = MemoryFile()
    let columns = merge.graphSchema[0].columns.indices.map { ColumnID($0) }
    let table = SnapshotTable(version.contents, table: TableID(0), columns: columns, nextKey: 40_000)
    _ = try SnapshotWriter(file, header: SnapshotSample.header, catalogue: merge.catalogue).writeBase(tables: [table])
    withExtendedLifetime(version) {}
    return file.bytes
  }

  /// The city of every row.
  private func cities(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let content = try readAll(bytes)
    let values = try #require(content.dictionaries[0][2])
    var strings: [[UInt8]] = []
    var start = 0
    for length in values.lengths {
      strings.append(Array(values.bytes[start..<(start + Int(length))]))
      start += Int(length)
    }
    return content.tables[0].flatMap { group -> [[UInt8]] in
      guard case .dictionary(let places) = group.columns[2].values else { return [] }
      return places.map { strings[Int($0) - 1] }
    }
  }
}
