import FirnEngine
import TestSupport
import Testing

@Suite struct LoadConcurrencyTests {
  /// Groups may be added, and columns exported, by several threads at once.
  @Test(arguments: [1, 4])
  func groupsAreAddedByManyThreads(threadCount: Int) throws {
    let graph = Graph(schema: Self.schema, seed: HashSeed(1, 2))
    graph.enterGateBlocking()
    let writer = graph.begin()
    var random = SeededGenerator(3)
    for number in 0..<50_000 {
      let key = writer.insert(into: TableID(0)) { row in
        row.setInt(ColumnID(0), Int64(number))
        let city = Array("city \(number % 37)".utf8)
        city.withUnsafeBytes { row.setBytes(ColumnID(1), $0) }
        if number > 0 { row.setLink(ColumnID(2), RowKey(UInt64(random.below(number)))) }
        row.setInt(ColumnID(3), Int64(number % 1000))
      }
      if number % 100 == 0 { writer.insert(.link(key), at: 0, of: ColumnID(4), of: key, in: TableID(0)) }
    }
    _ = try graph.commit()
    writerDeletes(graph)
    graph.gate.leave()

    let expected = ExportedGraph(graph)
    #expect(expected.tables[0].groups.count > 2)
    let version = graph.holdHead()
    let loader = try expected.loader(schema: Self.schema, threadCount: threadCount)
    var export = TableExport(version.contents, table: TableID(0))
    var groups: [RowGroup] = []
    while let group = export.nextGroup() { groups.append(group) }
    let shared = groups
    try onThreads(threadCount) { thread in
      for (index, group) in shared.enumerated() where index % threadCount == thread {
        let columns = (0..<5).map { group.chunk(ColumnID($0)) }
        try loader.addGroup(TableID(0), keys: group.keys, columns: columns)
      }
    }
    try loader.finish(version: 9)
    let loaded = Graph(loaded: loader)
    loaded.checkInvariants()
    loaded.holdHead().contents.checkInvariants()
    #expect(ExportedGraph(loaded) == expected)
    withExtendedLifetime(version) {}
  }

  private func writerDeletes(_ graph: Graph) {
    let writer = graph.begin()
    writer.delete((0..<50_000).filter { $0 % 7 == 3 || $0 / 256 == 20 }.map { RowKey($0) }, from: TableID(0))
    _ = try? graph.commit()
  }

  private static let schema = [
    TableDescription(
      name: "Person",
      columns: [
        ColumnDescription(name: "id", type: .int, isPrimaryKey: true),
        ColumnDescription(name: "city", type: .string, isIndexed: true),
        ColumnDescription(name: "best", type: .link, target: TableID(0)),
        ColumnDescription(name: "age", type: .int, isIndexed: true),
        ColumnDescription(name: "all", type: .link, collection: .list, target: TableID(0)),
      ])
  ]
}

/// Runs `body` on some threads at once and waits; throws one of the errors.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let failure = Lock<(any Error)?>(nil)
  JoinedThread.runAll(
    (0..<count).map { index in
      { do { try body(index) } catch { failure.withLock { $0 = error } } }
    })
  if let failure = failure.withLock({ $0 }) { throw failure }
}
