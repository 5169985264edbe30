import TestSupport
import Testing

@testable import FirnEngine

/// Tables whose keys lie far apart, around the bounds of the nodes of their directory.
@Suite struct SparseKeysTests {
  private static let table = TableID(0)
  private static let number = ColumnPath(ColumnID(0))

  private static func graph(_ keys: [UInt64]) throws -> Graph {
    let schema = [
      TableDescription(
        name: "Row", columns: [ColumnDescription(name: "number", type: .int)],
        indexes: [IndexDescription(name: "number", paths: [number])])
    ]
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
      // One directory may be higher than the other, and have nothing where the other stands.
      let changes = ChangeSet(from: one, to: other).tables[0]
      #expect(changes.inserted.map(\.rawValue) == second.filter { !first.contains($0) }, "\(first) to \(second)")
      #expect(changes.deleted.map(\.rawValue) == missing, "\(first) to \(second)")
      #expect(changes.modified.isEmpty, "\(first) to \(second)")
      withExtendedLifetime(graphs) {}
    }
  }

  /// The rows that an index finds, in whatever order and how often: the keys come out ascending, each once, and take
  /// memory for the rows and not for what lies between them.
  @Test func rowsThatAnIndexFindsAreInOrder() throws {
    var random = SeededGenerator(1)
    for (count, distance) in [(2, 1), (40, 1), (40, 1 << 20), (64, 30), (64, 65), (300, 1), (300, 63), (300, 1 << 30)] {
      let keys = (0..<count).map { UInt64($0 * distance + random.below(distance)) }
      let graph = try Self.graph(keys)
      let contents = graph.holdHead().contents
      for _ in 0..<20 {
        let (a, b) = (Int64(keys[random.below(count)]), Int64(keys[random.below(count)]))
        let (c, d) = (Int64(keys[random.below(count)]), Int64(keys[random.below(count)]))
        func compare(_ comparison: Comparison, _ value: Int64) -> Predicate {
          .compare(Self.number, comparison, .int(value))
        }
        let predicate = Predicate.or([
          .and([compare(.greaterOrEqual, a), compare(.less, b)]),
          .and([compare(.greater, c), compare(.lessOrEqual, d)]), compare(.equal, a),
        ])
        let expected = keys.filter {
          let value = Int64($0)
          return a <= value && value < b || c < value && value <= d || value == a
        }
        let compiled = CompiledPredicate(predicate, table: Self.table, layout: graph.layout)
        #expect(compiled.keys(in: contents) == expected, "\(predicate) of \(count) rows, \(distance) apart")
        #expect(!compiled.accesses.isEmpty)
        for access in compiled.accesses {
          let found = try #require(IndexCandidates(access, contents, Self.table, rowCount: .max))
          let matches = { (key: UInt64) in expected.contains(key) }
          #expect(found.keys(in: contents, Self.table, where: matches) == expected, "\(predicate) by \(access)")
        }
      }
      withExtendedLifetime(graph) {}
    }
  }
}
