import FirnEngine
import TestSupport
import Testing

/// Sets and maps that do not make a graph are refused with the names of table and column.
@Suite struct LoadedCollectionTests {
  private static let schema = [
    TableDescription(
      name: "Dog",
      columns: [
        ColumnDescription(name: "tags", type: .string, isNullable: true, collection: .set),
        ColumnDescription(name: "sizes", type: .double, collection: .set),
        ColumnDescription(name: "friends", type: .link, collection: .set, target: TableID(0)),
        ColumnDescription(name: "ranks", type: .int, isNullable: true, collection: .map),
        ColumnDescription(name: "kin", type: .link, collection: .map, target: TableID(0)),
      ])
  ]

  private static func strings(_ strings: [String]) -> ByteStrings {
    ByteStrings(lengths: strings.map { UInt32($0.utf8.count) }, bytes: strings.flatMap { Array($0.utf8) })
  }

  private static func doubles(_ values: [Double]) -> ColumnChunk {
    let bytes = values.flatMap { value in withUnsafeBytes(of: value) { [UInt8]($0) } }
    return ColumnChunk(rowCount: values.count, values: .fixed(width: 8, bytes))
  }

  private static func ints(_ values: [Int64], nulls: [UInt64]? = nil) -> ColumnChunk {
    ColumnChunk(rowCount: values.count, nulls: nulls, values: .ints(values))
  }

  /// Two good dogs.
  private struct Rows {
    var tags = ColumnChunk(rowCount: 4, nulls: [2], values: .bytes(strings(["b", "", "a", "ab"])))
    var sizes = doubles([.nan, -1, -0.0])
    var friends = ints([1, 2])
    var names = strings(["a", "a", "b"])
    var ranks = ints([7, 0, 9], nulls: [2])
    var kin = ints([2, 0, 2])
    var counts: [UInt32] = [1, 2]
  }

  private func load(_ rows: Rows) throws -> Graph {
    let loader = GraphLoader(schema: Self.schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    try loader.addGroup(
      TableID(0), keys: [0, 1],
      columns: [
        ColumnChunk(rowCount: 2, values: .lists(counts: [1, 3], elements: rows.tags)),
        ColumnChunk(rowCount: 2, values: .lists(counts: [3, 0], elements: rows.sizes)),
        ColumnChunk(rowCount: 2, values: .lists(counts: [0, 2], elements: rows.friends)),
        ColumnChunk(rowCount: 2, values: .maps(counts: rows.counts, keys: rows.names, values: rows.ranks)),
        ColumnChunk(rowCount: 2, values: .maps(counts: rows.counts, keys: rows.names, values: rows.kin)),
      ])
    loader.setNextKey(2, of: TableID(0))
    try loader.finish(version: 1)
    return Graph(loaded: loader)
  }

  private func expectRefused(_ part: String, _ change: (inout Rows) -> Void) {
    var rows = Rows()
    change(&rows)
    #expect {
      _ = try load(rows)
    } throws: { error in
      if !"\(error)".contains(part) { print("\(error) instead of \(part)") }
      return "\(error)".contains(part)
    }
  }

  @Test func goodRowsAreLoaded() throws {
    let graph = try load(Rows())
    let contents = graph.holdHead().contents
    contents.checkInvariants()
    let table = TableID(0)
    #expect(contents.setContains(.null, ColumnID(0), of: RowKey(1), in: table))
    #expect(contents.setContains(.double(0), ColumnID(1), of: RowKey(0), in: table))
    #expect(contents.mapValue(forKey: [97], ColumnID(3), of: RowKey(1), in: table) == .null)
    #expect(contents.mapValue(forKey: [97], ColumnID(4), of: RowKey(1), in: table) == .null)
    #expect(contents.mapValue(forKey: [98], ColumnID(4), of: RowKey(1), in: table) == .link(RowKey(1)))
    let again = try ExportedGraph(graph).load(schema: Self.schema)
    #expect(ExportedGraph(again) == ExportedGraph(graph))
  }

  @Test func whatDoesNotAscendIsRefused() {
    expectRefused("Dog.tags' has a set whose elements do not ascend") { rows in
      rows.tags.values = .bytes(Self.strings(["b", "", "a", "a"]))
    }
    expectRefused("Dog.tags' has a set whose elements do not ascend") { $0.tags.nulls = [4] }
    expectRefused("Dog.tags' has a set whose elements do not ascend") { $0.tags.nulls = [6] }
    expectRefused("Dog.sizes' has a set whose elements do not ascend") { $0.sizes = Self.doubles([-1, .nan, 0]) }
    expectRefused("Dog.sizes' has a set whose elements do not ascend") { $0.sizes = Self.doubles([-1, -0.0, 0]) }
    expectRefused("Dog.friends' has a set whose elements do not ascend") { $0.friends = Self.ints([2, 2]) }
    expectRefused("Dog.ranks' has a map whose keys do not ascend") { $0.names = Self.strings(["a", "a", "a"]) }
    expectRefused("Dog.ranks' has a map whose keys do not ascend") { $0.names = Self.strings(["a", "b", "B"]) }
  }

  @Test func whatDoesNotFitIsRefused() {
    expectRefused("Dog.friends' has null among links") { $0.friends = Self.ints([0, 1]) }
    expectRefused("Dog.friends' links from row 1 to row 8") { $0.friends = Self.ints([1, 9]) }
    expectRefused("Dog.kin' links from row 1 to row 8") { $0.kin = Self.ints([0, 1, 9]) }
    expectRefused("Dog.kin' is not nullable") { $0.kin = Self.ints([1, 1, 1], nulls: [1]) }
    expectRefused("Dog.ranks' has 3 elements, its collections 4") { $0.counts = [1, 3] }
    expectRefused("Dog.ranks' has 3 values, its maps 2") { $0.names = Self.strings(["a", "b"]) }
    expectRefused("Dog.ranks' has a string that is not UTF-8") { $0.names.bytes[1] = 0xff }
    expectRefused("Dog.ranks' has 3 bytes where lengths") { $0.names.lengths[0] = 2 }
    expectRefused("Dog.ranks' has elements of another type") { $0.ranks = Self.doubles([1, 2, 3]) }
  }
}
