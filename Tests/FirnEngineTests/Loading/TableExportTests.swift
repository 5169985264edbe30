import FirnEngine
import TestSupport
import Testing

@Suite struct TableExportTests {
  private static let table = TableID(0)

  private static let schema = [
    TableDescription(
      name: "T",
      columns: [
        ColumnDescription(name: "n", type: .int),
        ColumnDescription(name: "s", type: .string, isNullable: true, isIndexed: true),
      ])
  ]

  private func transaction(_ graph: Graph, _ body: (Writer) -> Void) throws {
    graph.enterGateBlocking()
    body(graph.begin())
    _ = try graph.commit()
    graph.gate.leave()
  }

  /// Groups have at most 16,384 rows, end with a directory node, and are all rows.
  @Test func groupsAreWholeNodes() throws {
    let graph = Graph(schema: Self.schema, seed: HashSeed(1, 2))
    try transaction(graph) { writer in
      for number in 0..<60_000 { writer.insert(into: Self.table) { $0.setInt(ColumnID(0), Int64(number)) } }
    }
    // Of the second and third node little stays: they share a group with the fourth.
    try transaction(graph) { writer in
      let gone = (16_384..<49_152).filter { $0 % 10 != 0 } + [3, 59_999]
      writer.delete(gone.map { RowKey(UInt64($0)) }, from: Self.table)
    }
    let version = graph.holdHead()
    var export = TableExport(version.contents, table: Self.table)
    var keys: [UInt64] = []
    var sizes: [Int] = []
    var other = export
    while let group = export.nextGroup() {
      #expect(group.keys.count <= TableExport.groupRowCountMax && !group.keys.isEmpty)
      if let last = keys.last { #expect(last >> 14 < group.keys[0] >> 14) }
      #expect(
        group.chunk(ColumnID(0)) == ColumnChunk(rowCount: group.keys.count, values: .ints(group.keys.map { Int64($0) }))
      )
      keys += group.keys
      sizes.append(group.keys.count)
    }
    var expected: [UInt64] = []
    version.contents.forEachKey(in: Self.table) { expected.append($0.rawValue) }
    #expect(keys == expected)
    #expect(sizes.count == 2 && sizes[0] == 16_383)
    #expect(other.nextGroup()?.keys.count == 16_383)
    withExtendedLifetime(version) {}
  }

  /// Places in the dictionary follow the order of the values, wherever their rows lie in the value table.
  @Test(arguments: [0, 1000, 1 << 21])
  func dictionariesHaveNoGaps(skipped: Int) throws {
    let graph = Graph(schema: Self.schema, seed: HashSeed(1, 2))
    let valueTable = TableID(1)
    let texts = (0..<40).map { "value \($0)" }
    try transaction(graph) { writer in
      for (number, text) in texts.enumerated() {
        if number == 20, skipped > 0 { writer.skipKeys(of: valueTable, to: RowKey(UInt64(skipped))) }
        writer.insert(into: Self.table) { row in
          Array(text.utf8).withUnsafeBytes { row.setBytes(ColumnID(1), $0) }
        }
      }
      writer.insert(into: Self.table) { $0.setNull(ColumnID(1)) }
    }
    try transaction(graph) { $0.delete([RowKey(0), RowKey(5), RowKey(39)], from: Self.table) }
    let version = graph.holdHead()
    var export = TableExport(version.contents, table: Self.table)
    let left = texts.indices.filter { ![0, 5, 39].contains($0) }.map { texts[$0] }
    #expect(
      export.dictionary(ColumnID(1))
        == ByteStrings(lengths: left.map { UInt32($0.utf8.count) }, bytes: left.flatMap { Array($0.utf8) }))
    let group = export.nextGroup()
    let chunk = group?.chunk(ColumnID(1))
    #expect(chunk == ColumnChunk(rowCount: left.count + 1, values: .dictionary((1...UInt32(left.count)) + [0])))
    #expect(export.nextGroup()?.keys == nil)
    withExtendedLifetime(version) {}
  }
}
