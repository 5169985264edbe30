import FirnEngine
import FirnReactive
import TestSupport
import Testing

@Suite("Groups of many rows are those of a dictionary")
struct GroupBuildingTests {
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "number", type: .int), ColumnDescription(name: "text", type: .string),
        ColumnDescription(name: "real", type: .double, isNullable: true), ColumnDescription(name: "other", type: .int),
      ])
  ]

  private func path(_ column: Int) -> ColumnPath { ColumnPath(ColumnID(column)) }

  /// So many rows of each group, by the text of its key.
  private func counts(_ graph: TestGraph, by columns: [Int]) -> [String: Int] {
    let table = GroupTable(
      GroupQuery(ViewQuery(table: TableID(0)), by: columns.map { path($0) }, []), .all, in: graph.contents)
    table.checkInvariants()
    var found: [String: Int] = [:]
    table.forEachGroup { key, result in found["\(key)", default: 0] += result.count }
    #expect(found.count == table.count)
    return found
  }

  /// Few and many rows take different ways, as do numbers that are small, large and negative.
  @Test(arguments: [100, 5_000]) func ofOneAndOfTwoKeys(rowCount: Int) {
    let graph = TestGraph(schema: Self.schema)
    var expected: [[Int]: [String: Int]] = [:]
    for row in 0..<rowCount {
      let numbers = [row % 300, 70_000 + row % 7, -(row % 11)]
      let real: Value = row % 5 == 0 ? .null : .double(row % 5 == 1 ? .nan : Double(row % 13) - 6)
      let values: [Value] = [
        .int(Int64(numbers[row % 3])), .string(Array("a text that is long \(row % 700)".utf8)), real,
        .int(Int64(row / 64)),
      ]
      graph.insert(0, values)
      for columns in [[0], [1], [2], [3], [1, 2], [3, 0], [2, 1, 0]] {
        expected[columns, default: [:]]["\(columns.map { values[$0] })", default: 0] += 1
      }
    }
    _ = graph.commit()
    for (columns, counts) in expected { #expect(self.counts(graph, by: columns) == counts, "\(columns)") }
  }

  /// Two keys are told apart however many values there are of the second one.
  @Test func ofManyValuesOfTheSecondKey() {
    let graph = TestGraph(schema: Self.schema)
    let count = 1 << 16
    for row in 0...count { graph.insert(0, [.int(0), .string([]), .null, .int(Int64(row))]) }
    graph.insert(0, [.int(1), .string([]), .null, .int(0)])
    _ = graph.commit()
    let table = GroupTable(
      GroupQuery(ViewQuery(table: TableID(0)), by: [path(0), path(3)], []), .all, in: graph.contents)
    #expect(table.count == count + 2)
  }

  /// Whatever the first of them is, and also when they come one by one.
  @Test func theZerosAreOneKey() {
    let graph = TestGraph(schema: Self.schema)
    func insert(_ number: Double) { graph.insert(0, [.int(0), .string([]), .double(number), .int(0)]) }
    let query = GroupQuery(ViewQuery(table: TableID(0)), by: [path(2)], [])
    for number in [-0.0, 0] { insert(number) }
    _ = graph.commit()
    let empty = TestGraph(schema: Self.schema)
    let stage = ReactiveStage(layout: empty.layout)
    let (groups, rows) = stage.addGroups(query, in: empty.contents)
    let subscription = Subscription(groups)
    stage.add(subscription, at: [.query(rows, groups.filter)])
    let old = empty.contents
    for number in [-0.0, 0] { empty.insert(0, [.int(0), .string([]), .double(number), .int(0)]) }
    _ = stage.process(empty.step(empty.commit(), from: old))
    for table in [GroupTable(query, .all, in: graph.contents), groups.table] {
      #expect(table.count == 1)
      let (key, result) = table.group(at: 0)
      guard case .double(let zero) = key[0] else {
        Issue.record("\(key)")
        continue
      }
      #expect(zero.sign == .plus && result.count == 2)
      #expect(table.position(of: [.double(-0.0)]) == 0)
    }
    stage.remove(subscription)
  }

  /// When so many rows are touched that a query runs anew, its groups are made anew and compared with what was.
  @Test(arguments: [0, 1, 2, 3] as [UInt64]) func ofQueriesThatRunAnew(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let graph = TestGraph(schema: Self.schema)
    func cells() -> [Value] {
      [
        .int(Int64(random.below(12))), .string([65]), random.chance(20) ? .null : .double(Double(random.below(9))),
        .int(Int64(random.below(90))),
      ]
    }
    for _ in 0..<150 { graph.insert(0, cells()) }
    _ = graph.commit()
    let rows = ViewQuery(
      table: TableID(0), sort: [SortKey(path(3))],
      steps: [seed % 2 == 0 ? .window(5..<60) : .distinct([path(3)])])
    let query = GroupQuery(
      rows, by: [path(0)], [.sum, .min, .max, .average].map { GroupQuery.Measure($0, of: path(2)) })
    let stage = ReactiveStage(layout: graph.layout)
    var old = graph.contents
    let (groups, view) = stage.addGroups(query, in: old)
    let subscriber = GroupSubscriber(groups, query)
    let subscription = Subscription(subscriber)
    stage.add(subscription, at: groups.places(groups.filter) + [.query(view, groups.filter)])
    for _ in 0..<40 {
      let most = random.chance(50) ? 3 : 120
      for _ in 0..<1 + random.below(most) {
        let keys = graph.keys(0)
        switch random.below(4) {
        case 0: graph.insert(0, cells())
        case 1: if keys.count > 40 { graph.delete(0, keys[random.below(keys.count)]) }
        default:
          let column = [0, 2, 3][random.below(3)]
          graph.set(0, keys[random.below(keys.count)], column, cells()[column])
        }
      }
      let step = graph.step(graph.commit(), from: old)
      stage.process(step) { _, _ in
        guard let change = groups.change(step, groups.filter) else { return }
        if subscriber.open == nil { subscriber.open = change } else { subscriber.open?.merge(change) }
      }
      old = graph.contents
      var keys: [UInt64] = []
      view.forEachRow(in: old) { keys.append($0.rawValue) }
      let fresh = GroupSubscriber.content(GroupTable(query, .keys(keys), in: old))
      let found = GroupSubscriber.content(groups.table)
      groups.table.checkInvariants()
      try #require(found.count == fresh.count, "seed \(seed)")
      for (a, b) in zip(found, fresh) {
        try #require(
          GroupOracle.compare(a.key, b.key) == 0 && GroupSubscriber.isSame(a.result, b.result), "seed \(seed)")
      }
      if random.chance(60) {
        let mistake = subscriber.mistake()
        try #require(mistake == nil, "seed \(seed)")
      }
    }
    #expect(stage.counters.rerunViews > 0)
    stage.remove(subscription)
  }
}
