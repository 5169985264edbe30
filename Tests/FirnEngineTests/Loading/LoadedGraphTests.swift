import FirnEngine
import Glibc
import TestSupport
import Testing

@Suite struct LoadedGraphTests {
  /// FIRN_SEED runs one seed.
  private static let seeds: [UInt64] =
    environmentNumber("FIRN_SEED").map { [$0] } ?? Array(1...3)

  /// A graph made by random transactions, exported and loaded, has the same content, and random transactions go on alike.
  @Test(arguments: seeds)
  func loadedGraphsGoOnLikeTheirOrigin(seed: UInt64) throws {
    print("Load seed \(seed)")
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(seed, ~seed), poisonsFreedBlocks: true)
    var run = GraphModelRun(graph: graph, seed: seed)
    do {
      for _ in 0..<(2 + run.random.below(25)) { try run.transact(operationCount: 1 + run.random.below(30)) }
      // Deletions leave sparse clusters and shared ones.
      let writer = run.enter()
      for table in run.model.tables.indices {
        let keys = run.model.keys(TableID(table)).filter { _ in run.random.chance(30) }
        run.delete(writer, keys, TableID(table))
        run.insert(writer, TableID(table), count: run.random.below(3))
      }
      _ = try graph.commit()
      graph.gate.leave()

      let exported = ExportedGraph(graph)
      let regrouped = exported.regrouped(&run.random)
      for (chunks, setsNextKeysFirst) in [(exported, true), (exported, false), (regrouped, true), (regrouped, false)] {
        let loaded = try chunks.load(
          schema: GraphModelSchema.tables, version: 7, setsNextKeysFirst: setsNextKeysFirst)
        try expect(loaded, toBe: run.model, exported: exported, &run.random)
        var other = run.over(loaded)
        for _ in 0..<4 { try other.transact(operationCount: 20) }
        try other.empty()
        loaded.checkInvariants()
      }
      // The same transactions on both, key by key.
      let loaded = try exported.load(schema: GraphModelSchema.tables)
      var other = run.over(loaded)
      for _ in 0..<4 {
        try run.transact(operationCount: 20)
        try other.transact(operationCount: 20)
        try agree(ExportedGraph(graph) == ExportedGraph(loaded), "the graphs differ after a transaction")
      }
    } catch let failure as GraphModelFailure {
      Issue.record("seed \(seed): \(failure.description)\n\(run.history.joined(separator: "\n"))")
    }
  }

  private func expect(
    _ loaded: Graph, toBe model: GraphModel, exported: ExportedGraph, _ random: inout SeededGenerator
  ) throws {
    try agree(loaded.head == 7 && loaded.tip == 7, "another version")
    loaded.checkInvariants()
    let version = loaded.holdHead()
    version.contents.checkInvariants()
    try model.check(version.contents, random: &random)
    try agree(ExportedGraph(loaded) == exported, "the export of the loaded graph differs")
    withExtendedLifetime(version) {}
  }

  /// Leaves of a loaded graph have no more room than those of inserted rows.
  @Test func loadedGraphsTakeNoMoreMemory() throws {
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    var run = GraphModelRun(graph: graph, seed: 1)
    for _ in 0..<20 { try run.transact(operationCount: 30) }
    let loaded = try ExportedGraph(graph).load(schema: GraphModelSchema.tables)
    #expect(loaded.allocatedByteCount <= graph.allocatedByteCount)
    #expect(loaded.lastByteCount == loaded.allocatedByteCount)
  }

  /// Rows without columns, and none at all.
  @Test func emptyGraphsAreLoaded() throws {
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    let exported = ExportedGraph(graph)
    #expect(exported.tables.allSatisfy { $0.groups.isEmpty && $0.nextKey == 0 })
    let loaded = try exported.load(schema: GraphModelSchema.tables)
    var run = GraphModelRun(graph: loaded, seed: 3)
    for _ in 0..<4 { try run.transact(operationCount: 20) }
    let loader = GraphLoader(schema: [], seed: HashSeed(1, 2))
    try loader.finish(version: 1)
    #expect(Graph(loaded: loader).head == 1)
  }

  private static let keyRuns: [[UInt64]] = [
    [0], [1], [255], [256], [16_383, 16_384], [1 << 20], [5, 1 << 30, 1 << 39], Array(300..<900),
    [(1 << 40) - (1 << 33) - 3],
    Array(stride(from: 3, to: 200_000, by: 131)),
  ]

  /// Keys may start and end anywhere, and the next row goes behind them.
  @Test(arguments: keyRuns)
  func keysMayLieAnywhere(keys: [UInt64]) throws {
    let bare = [TableDescription(name: "Bare", columns: [ColumnDescription(name: "n", type: .int)])]
    for nextKey in [nil, keys.last! + 1, keys.last! + 2] {
      let loader = GraphLoader(schema: bare, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
      let values = keys.map { Int64($0 * 3) }
      let middle = keys.count / 2
      for rows in [middle..<keys.count, 0..<middle] where !rows.isEmpty {
        let chunk = ColumnChunk(rowCount: rows.count, values: .ints(Array(values[rows])))
        try loader.addGroup(TableID(0), keys: Array(keys[rows]), columns: [chunk])
      }
      if let nextKey { loader.setNextKey(nextKey, of: TableID(0)) }
      try loader.finish(version: 3)
      let graph = Graph(loaded: loader)
      graph.enterGateBlocking()
      let key = graph.begin().insert(into: TableID(0)) { $0.setInt(ColumnID(0), 1) }
      #expect(key.rawValue == nextKey ?? keys.last! + 1)
      #expect(try graph.commit().version.number == 4)
      graph.gate.leave()
      graph.checkInvariants()
      let version = graph.holdHead()
      version.contents.checkInvariants()
      for (key, value) in zip(keys, values) {
        #expect(version.contents.value(ColumnID(0), of: RowKey(key), in: TableID(0)) == .int(value))
      }
    }
  }

  /// What a file lacks is what insertion would have set.
  @Test func missingColumnsHaveDefaults() throws {
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    let writer = graph.begin()
    let things = (1...3).map { id in
      writer.insert(into: GraphModelSchema.thing) { $0.setInt(ColumnID(0), Int64(id)) }
    }
    _ = try graph.commit()
    graph.gate.leave()
    var expected = ExportedGraph(graph)

    let loader = GraphLoader(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    var columns = [ColumnChunk?](repeating: nil, count: GraphModelSchema.tables[0].columns.count)
    columns[0] = ColumnChunk(rowCount: 3, values: .ints([1, 2, 3]))
    try loader.addGroup(GraphModelSchema.thing, keys: things.map(\.rawValue), columns: columns)
    let listings = GraphModelSchema.tables[2].columns.count
    var listing = [ColumnChunk?](repeating: nil, count: listings)
    listing[0] = ColumnChunk(rowCount: 1, values: .fixed(width: 16, Array(repeating: 7, count: 16)))
    try loader.addGroup(GraphModelSchema.listing, keys: [4], columns: listing)
    try loader.finish(version: 1)
    let loaded = Graph(loaded: loader)
    loaded.holdHead().contents.checkInvariants()
    var found = ExportedGraph(loaded)
    #expect(found.tables[2].groups[0].keys == [4])
    found.tables.remove(at: 2)
    expected.tables.remove(at: 2)
    #expect(found == expected)
  }

  /// Whether a string column is indexed may change between export and load.
  @Test(arguments: [UInt64(1), 2])
  func indexesMayComeAndGo(seed: UInt64) throws {
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    var run = GraphModelRun(graph: graph, seed: seed)
    for _ in 0..<12 { try run.transact(operationCount: 30) }
    let exported = ExportedGraph(graph)
    var schema = GraphModelSchema.tables
    for column in schema[0].columns.indices where !schema[0].columns[column].isPrimaryKey {
      let type = schema[0].columns[column].type
      if type != .link, type != .float { schema[0].columns[column].isIndexed.toggle() }
    }
    let turned = try exported.regrouped(&run.random).load(schema: schema)
    turned.holdHead().contents.checkInvariants()
    var model = GraphModel(layout: turned.layout)
    model.tables = run.model.tables
    try model.check(turned.holdHead().contents, random: &run.random)
    let back = try ExportedGraph(turned).load(schema: GraphModelSchema.tables)
    back.holdHead().contents.checkInvariants()
    try run.model.check(back.holdHead().contents, random: &run.random)
  }

  /// A commit above a loaded version may get lost like any other.
  @Test func loadedGraphsServeALog() throws {
    let graph = Graph(schema: GraphModelSchema.tables, seed: HashSeed(1, 2))
    var run = GraphModelRun(graph: graph, seed: 9)
    for _ in 0..<6 { try run.transact(operationCount: 20) }
    let exported = ExportedGraph(graph)
    let log = FakeCommitLog()
    let loaded = try exported.load(schema: GraphModelSchema.tables, version: 20, log: log)
    var other = run.over(loaded)
    let writer = other.enter()
    for _ in 0..<10 { try other.operate(writer) }
    let commit = try loaded.commit()
    loaded.gate.leave()
    #expect(commit.isPending && commit.version.number == 21 && loaded.head == 20)
    loaded.didLoseDurability(FakeCommitLog.Failure())
    #expect(loaded.head == 22)
    loaded.checkInvariants()
    loaded.holdHead().contents.checkInvariants()
    try run.model.check(loaded.holdHead().contents, random: &run.random)
  }

  /// Values of a dictionary that no row uses do not come into the index.
  @Test func unusedValuesAreLeftOut() throws {
    let schema = [
      TableDescription(name: "T", columns: [ColumnDescription(name: "s", type: .string, isIndexed: true)])
    ]
    let loader = GraphLoader(schema: schema, seed: HashSeed(1, 2))
    let values = ByteStrings(lengths: [1, 1, 0], bytes: Array("ab".utf8))
    try loader.setDictionary(values, of: ColumnID(0), in: TableID(0))
    try loader.addGroup(
      TableID(0), keys: [0, 1], columns: [ColumnChunk(rowCount: 2, values: .dictionary([2, 2]))])
    try loader.finish(version: 1)
    let graph = Graph(loaded: loader)
    graph.checkInvariants()
    let version = graph.holdHead()
    version.contents.checkInvariants()
    #expect(version.contents.value(ColumnID(0), of: RowKey(1), in: TableID(0)) == Value("b"))
    let export = TableExport(version.contents, table: TableID(0))
    #expect(export.dictionary(ColumnID(0)) == ByteStrings(lengths: [1], bytes: Array("b".utf8)))
  }
}

extension GraphModelRun {
  /// A transaction of random operations, checked.
  mutating func transact(operationCount: Int) throws {
    let writer = enter()
    for _ in 0..<operationCount { try operate(writer) }
    _ = try graph.commit()
    graph.gate.leave()
    let version = graph.holdHead()
    version.contents.checkInvariants()
    try model.check(version.contents, random: &random)
  }

  /// The same run, going on over another graph with the same content.
  func over(_ other: Graph) -> GraphModelRun {
    var run = GraphModelRun(graph: other, seed: 0)
    run.model = model
    run.random = random
    run.nextPrimaryKey = nextPrimaryKey
    run.lastKeys = lastKeys
    run.history = history
    return run
  }
}
