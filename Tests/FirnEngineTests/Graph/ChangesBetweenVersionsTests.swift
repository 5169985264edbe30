import FirnEngine
import TestSupport
import Testing

/// What the graph says changed, where it no longer knows and has to compare, and where a log failed in between.
@Suite struct ChangesBetweenVersionsTests {
  private static let bare = TableID(0)
  private static let zeros = TableID(1)

  private static let schema = [
    TableDescription(name: "Bare", columns: []),
    TableDescription(
      name: "Zeros",
      columns: [
        ColumnDescription(name: "doubles", type: .double, collection: .set),
        ColumnDescription(name: "floats", type: .float, collection: .set),
        ColumnDescription(name: "dates", type: .date, collection: .set),
      ]),
  ]

  private func graph(_ log: FakeCommitLog? = nil) -> Graph {
    Graph(schema: Self.schema, seed: HashSeed(1, 2), log: log)
  }

  @discardableResult
  private func write(_ graph: Graph, _ body: (Writer) -> Void) throws -> Version {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    body(graph.begin())
    return try graph.commit().version
  }

  private func insert(_ count: Int, _ writer: Writer) -> [RowKey] {
    (0..<count).map { _ in writer.insert(into: Self.bare) { _ in } }
  }

  /// More rows than the history keeps: who lags behind learns of all of them, who does not of the last.
  @Test func changesBeyondTheKeptOnes() throws {
    let graph = graph()
    let start = graph.holdHead()
    let follower = graph.followChanges(from: start.number)
    var keys: [RowKey] = []
    try write(graph) { keys += insert(60_000, $0) }
    let middle = graph.holdHead()
    try write(graph) { keys += insert(60_000, $0) }
    let end = graph.holdHead()
    #expect(graph.changes(from: middle, to: end).tables[0].inserted == Array(keys[60_000...]))
    #expect(graph.changes(from: start, to: middle).tables[0].inserted == Array(keys[..<60_000]))
    #expect(follower.takeChanges(from: start, to: end).changes.tables[0].inserted == keys)
  }

  /// From versions before, at and behind the last durable one to the version that takes their place.
  @Test func changesAcrossALoss() throws {
    let log = FakeCommitLog()
    let graph = graph(log)
    log.answer(.durable)
    let start = graph.holdHead()
    let follower = graph.followChanges(from: start.number)
    var keys: [RowKey] = []
    try write(graph) { keys += insert(3, $0) }
    let durable = graph.holdHead()
    log.answer(.pending)
    var lost: [RowKey] = []
    let pending = try write(graph) { lost = insert(2, $0) }
    graph.didLoseDurability(FakeCommitLog.Failure())
    let end = graph.holdHead()
    #expect(graph.changes(from: durable, to: end).isEmpty)
    #expect(graph.changes(from: pending, to: end).tables[0].deleted == lost)
    #expect(follower.takeChanges(from: start, to: end).changes.tables[0].inserted == keys)
  }

  /// The memory of changes that were given back serves for the next ones, which name nothing of the former; copies stay.
  @Test func changesInRecycledMemory() throws {
    var random = SeededRandom.printed("Recycled changes")
    let graph = graph()
    var version = graph.holdHead()
    let follower = graph.followChanges(from: version.number)
    var rows: [[RowKey]] = [[], []]
    var written = 0.0
    var kept: [(changes: ChangeSet, inserted: [[RowKey]], deleted: [[RowKey]], modified: [RowKey])] = []
    for _ in 0..<300 {
      var (inserted, deleted, modified): ([[RowKey]], [[RowKey]], [RowKey]) = ([[], []], [[], []], [])
      let next = try write(graph) { writer in
        for table in 0..<2 where random.chance(60) {
          for _ in 0..<random.below(random.chance(10) ? 100 : 4) {
            inserted[table].append(writer.insert(into: TableID(table)) { _ in })
          }
          for _ in 0..<random.below(4) where !rows[table].isEmpty {
            let row = rows[table].remove(at: random.below(rows[table].count))
            writer.delete([row], from: TableID(table))
            deleted[table].append(row)
          }
        }
        for row in rows[1] where random.chance(20) {
          written += 1
          _ = writer.insert(.double(written), intoSet: ColumnID(0), of: row, in: Self.zeros)
          modified.append(row)
        }
      }
      rows[0] += inserted[0]
      rows[1] += inserted[1]
      let changes = follower.takeChanges(from: version, to: next).changes
      version = next
      if random.chance(20) { kept.append((changes, inserted, deleted.map { $0.sorted() }, modified)) }
      #expect(changes.tables.touched.allSatisfy { !changes.tables[$0].isEmpty })
      for table in 0..<2 {
        #expect(changes.tables[table].inserted == inserted[table])
        #expect(changes.tables[table].deleted == deleted[table].sorted())
        #expect(changes.tables[table].modified.map(\.key) == (table == 1 ? modified : []))
        #expect(changes.tables[table].lists.count == (table == 1 ? modified.count : 0))
      }
      var spent: ChangeSet? = changes
      graph.enterGateBlocking()
      graph.recycle(&spent)
      graph.gate.leave()
      #expect(spent == nil)
    }
    for (changes, inserted, deleted, modified) in kept {
      #expect(changes.tables.map(\.inserted) == inserted && changes.tables.map(\.deleted) == deleted)
      #expect(changes.tables[1].modified.map(\.key) == modified)
    }
  }

  /// The tree of rows grows by a level or more between two versions, or loses them again.
  @Test func comparesTreesOfDifferentHeight() throws {
    // Rows in the first and last places of nodes of each level.
    let places: [UInt64] = [
      1, 255, 256, 63 << 8, 1 << 14, 63 << 14, (1 << 20) - 1, 1 << 20, 63 << 20, 1 << 26, 63 << 26,
    ]
    for (number, low) in ([0] + places).enumerated() {
      for high in places[number...] {
        let graph = graph()
        var keys: [RowKey] = []
        func add(_ place: UInt64, _ writer: Writer) {
          writer.skipKeys(of: Self.bare, to: RowKey(place))
          keys += insert(1, writer)
        }
        let before = try write(graph) { add(low, $0) }
        let after = try write(graph) { add(high, $0) }
        #expect(keys == [RowKey(low), RowKey(high)])
        let forth = ChangeSet(from: before.contents, to: after.contents).tables[0]
        #expect(forth.inserted == [RowKey(high)] && forth.deleted == [], "from \(low) to \(high)")
        let back = ChangeSet(from: after.contents, to: before.contents).tables[0]
        #expect(back.deleted == [RowKey(high)] && back.inserted == [], "back from \(high) to \(low)")
      }
    }
  }

  /// The keys that are left out only go forward, and not beyond the last one that there is.
  @Test func skippedKeysNeverComeBack() throws {
    let graph = graph()
    try write(graph) { writer in
      _ = insert(5, writer)
      for place in [0, 3, 5] as [UInt64] {
        writer.skipKeys(of: Self.bare, to: RowKey(place))
        #expect(writer.nextKey(of: Self.bare) == RowKey(5))
      }
      writer.skipKeys(of: Self.bare, to: RowKey(7))
      #expect(insert(1, writer) == [RowKey(7)])
      writer.skipKeys(of: Self.bare, to: RowKey(.max))
      #expect(writer.nextKey(of: Self.bare) == RowKey(1 << 40))
    }
  }

  /// The zeros are equal, but an element that was the one and is the other has changed.
  @Test func aSetWithTheOtherZeroDiffers() throws {
    let graph = graph()
    let zeros: [(Value, Value)] = [
      (.double(0), .double(-0.0)), (.float(0), .float(-0.0)), (.date(0), .date(-0.0)),
    ]
    var row = RowKey(0)
    let before = try write(graph) { writer in
      row = writer.insert(into: Self.zeros) { _ in }
      for (column, zero) in zeros.enumerated() {
        _ = writer.insert(zero.0, intoSet: ColumnID(column), of: row, in: Self.zeros)
      }
    }
    let after = try write(graph) { writer in
      for (column, zero) in zeros.enumerated() {
        _ = writer.remove(zero.0, fromSet: ColumnID(column), of: row, in: Self.zeros)
        _ = writer.insert(zero.1, intoSet: ColumnID(column), of: row, in: Self.zeros)
      }
    }
    let changes = ChangeSet(from: before.contents, to: after.contents).tables[1]
    for column in zeros.indices {
      let delta = try #require(changes.lists[ListID(row: row, column: ColumnID(column))])
      #expect(delta.positions().deletions == [0] && delta.positions().insertions == [0], "\(zeros[column])")
    }
  }
}
