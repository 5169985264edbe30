import FirnEngine
import TestSupport
import Testing

/// Tables whose keys lie far apart, around the bounds of the nodes of their directory.
@Suite struct SparseKeysTests {
  private static let table = TableID(0)

  private static func graph(_ keys: [UInt64]) throws -> Graph {
    let schema = [TableDescription(name: "Row", columns: [ColumnDescription(name: "number", type: .int)])]
    let loader = GraphLoader(schema: schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    if !keys.isEmpty {
      let numbers = ColumnChunk(rowCount: keys.count, values: .ints(keys.map { Int64($0) }))
      try loader.addGroup(table, keys: keys, columns: [numbers])
    }
    try loader.finish(version: 1)
    return Graph(loaded: loader)
  }

  /// Some keys for directories of a few levels.
  private static func keys(_ random: inout SeededGenerator) -> [UInt64] {
    let bits = [14, 20, 26][random.below(3)]
    var keys: Set<UInt64> = []
    for _ in 0..<random.below(40) {
      let bound = UInt64(random.below(65)) << UInt64(random.chance(50) ? bits - 6 : bits)
      let low = random.chance(50) ? UInt64(random.below(3)) : UInt64(random.below(20_000))
      keys.insert(random.chance(50) ? bound + low : bound > low ? bound - low : low)
    }
    return keys.filter { random.chance(70) || $0 >> UInt64(bits) == 0 }.sorted()
  }

  @Test func ranksAndMissingRowsAgreeWithTheModel() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("sparse keys: seed \(seed)")
    var random = SeededGenerator(seed)
    for _ in 0..<60 {
      let (first, second) = (Self.keys(&random), Self.keys(&random))
      let graphs = (try Self.graph(first), try Self.graph(second))
      let (one, other) = (graphs.0.holdHead().contents, graphs.1.holdHead().contents)
      for key in first + second {
        for probe in [key, key &+ 1, key == 0 ? 0 : key - 1] {
          let rank = first.count { $0 < probe }
          #expect(one.rank(of: RowKey(probe), in: Self.table) == rank, "\(probe) in \(first)")
        }
      }
      for (index, key) in first.enumerated() {
        #expect(one.key(at: index, in: Self.table) == RowKey(key), "\(index) in \(first)")
      }
      var missing: [UInt64] = []
      one.forEachRow(missingIn: other, Self.table) { missing.append($0.key.rawValue) }
      #expect(missing == first.filter { !second.contains($0) }, "\(first) and not \(second)")
      withExtendedLifetime(graphs) {}
    }
  }
}
