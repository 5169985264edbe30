import FirnEngine
import TestSupport
import Testing

/// A writer that skips writes of what is there already: only of the very same value.
@Suite struct EqualWritesTests {
  private static let table = TableID(0)
  private static let columns = [
    ColumnDescription(name: "double", type: .double), ColumnDescription(name: "date", type: .date, isNullable: true),
    ColumnDescription(name: "float", type: .float, isNullable: true),
    ColumnDescription(name: "indexed", type: .double, isIndexed: true),
    ColumnDescription(name: "decimal", type: .decimal128),
  ]

  /// Pairs of values that are equal, or both not a number, and stored in different bytes.
  private static let pairs: [[(Value, Value)]] = {
    let doubles: [(Double, Double)] = [(0, -0.0), (.nan, Double(bitPattern: Double.nan.bitPattern | 1))]
    let one = Value.decimal128(Bytes16(low: 1, high: 6176 << 49))
    let tenTenths = Value.decimal128(Bytes16(low: 10, high: 6175 << 49))
    return [
      doubles.map { (.double($0), .double($1)) }, doubles.map { (.date($0), .date($1)) },
      [(.float(0), .float(-0.0)), (.float(.nan), .float(Float(bitPattern: Float.nan.bitPattern | 1)))],
      [(.double(0), .double(-0.0))], [(one, tenTenths)],
    ]
  }()

  @Test(arguments: 0..<5) func equalValuesThatAreNotTheSameAreWritten(column: Int) throws {
    let graph = Graph(schema: [TableDescription(name: "Row", columns: Self.columns)], seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let column = ColumnID(column)
    for (left, right) in Self.pairs[column.index] {
      for (first, second) in [(left, right), (right, left)] {
        var writer = graph.begin()
        let row = writer.insert(into: Self.table) { $0.set(column, first) }
        _ = try graph.commit()
        writer = graph.begin()
        writer.client.skipsEqualWrites = true
        writer.set(column, of: row, in: Self.table, to: first)
        #expect(graph.endUnchanged(), "\(first) over itself")
        writer = graph.begin()
        writer.client.skipsEqualWrites = true
        writer.set(column, of: row, in: Self.table, to: second)
        let version = try graph.commit().version
        #expect(version.contents.value(column, of: row, in: Self.table).isSame(as: second), "\(second) over \(first)")
      }
    }
  }
}
