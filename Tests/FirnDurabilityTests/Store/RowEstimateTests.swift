import FirnEngine
import Testing

@testable import FirnDurability

/// Memory is claimed before it is taken: what is claimed for rows must not be much less than what they take.
@Suite struct RowEstimateTests {
  /// There are many columns of little, so that the heads of clusters take a good part.
  private static let schema = [
    TableDescription(
      name: "Item", columns: (0..<200).map { ColumnDescription(name: "column \($0)", type: .bool) })
  ]

  private static func graph(_ keys: [UInt64]) throws -> Graph {
    let loader = GraphLoader(schema: schema, seed: HashSeed(1, 2))
    if !keys.isEmpty {
      let zeros = [UInt64](repeating: 0, count: (keys.count + 63) / 64)
      let column = ColumnChunk(rowCount: keys.count, values: .bits(zeros))
      try loader.addGroup(TableID(0), keys: keys, columns: schema[0].columns.map { _ in column })
    }
    try loader.finish(version: 1)
    return Graph(loaded: loader)
  }

  private static func byteCount(_ graph: Graph) -> Int {
    graph.enterGateBlocking()
    defer {
      graph.cancel()
      graph.gate.leave()
    }
    return graph.begin().allocatedByteCount
  }

  /// Rows lie side by side, in clusters of their own, and under nodes of their own.
  @Test(arguments: [0, 4, 7, 8, 9, 12, 14, 17, 20] as [UInt64])
  func rowsTakeNoMoreThanIsClaimedForThem(shift: UInt64) throws {
    let empty = Self.byteCount(try Self.graph([]))
    for count in [1, 7, 100, 900] as [UInt64] {
      let keys = (0..<count).map { $0 << shift }
      let graph = try Self.graph(keys)
      let taken = Self.byteCount(graph) - empty
      let estimate = RowEstimate(graph.layout.tables[0])
      let claimed = keys.count * estimate.row + estimate.directory(of: keys)
      // Few rows take little, whatever is claimed.
      #expect(claimed > taken - taken / 4 - 16_000, "\(count) rows")
    }
  }

  /// Stores that are right would be refused by an estimate that is much too high.
  @Test(arguments: [1, 255, 256, 257, 600, 5_000] as [UInt64])
  func neighboursShareAClusterThatIsClaimedOnce(count: UInt64) throws {
    let estimate = RowEstimate(try Self.graph([]).layout.tables[0])
    for start in [0, 256, 1 << 20] as [UInt64] {
      let keys = (0..<count).map { start + $0 }
      let room = LeafCapacity.slots(for: min(keys.count, LeafCapacity.most)) * estimate.row
      // Beside the clusters there are a few nodes, which take less than a cluster.
      #expect((estimate.directory(of: keys) - room) / estimate.cluster == (keys.count + 255) / 256)
    }
  }
}
