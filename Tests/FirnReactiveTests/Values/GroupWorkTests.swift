import FirnEngine
import Foundation
import TestSupport
import Testing

@testable import FirnReactive

@Suite("Work for groups is bounded by what was touched")
struct GroupWorkTests {
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "key", type: .int), ColumnDescription(name: "number", type: .double),
        ColumnDescription(name: "other", type: .int),
      ])
  ]

  private func graph(rowCount: Int) -> TestGraph {
    let graph = TestGraph(schema: Self.schema)
    for index in 0..<rowCount { graph.insert(0, [.int(Int64(index % 100)), .double(Double(index)), .int(0)]) }
    _ = graph.commit()
    return graph
  }

  private static let all = GroupQuery(
    ViewQuery(table: TableID(0)), by: [ColumnPath(ColumnID(0))],
    [.sum, .average, .min, .max].map { GroupQuery.Measure($0, of: ColumnPath(ColumnID(1))) })

  /// What a commit costs that writes one row in a table of so many.
  private func counters(rowCount: Int, column: Int, _ value: Value) -> WorkCounters {
    let graph = graph(rowCount: rowCount)
    let stage = ReactiveStage(layout: graph.layout)
    let old = graph.contents
    let (groups, rows) = stage.addGroups(Self.all, in: old)
    let subscription = Subscription(groups)
    stage.add(subscription, at: [.query(rows, groups.filter)])
    stage.counters.reset()
    graph.set(0, graph.keys(0)[rowCount / 2], column, value)
    _ = stage.process(graph.step(graph.commit(), from: old))
    return stage.counters
  }

  @Test("whatever the number of rows", arguments: [1_000, 20_000])
  func oneRow(rowCount: Int) {
    let moved = counters(rowCount: rowCount, column: 0, .int(1_000))
    #expect(moved.groupedRows == 1)
    #expect(moved.rowsExamined == 1)
    #expect(moved.rerunViews == 0 && moved.rebuiltViews == 0)
    let unread = counters(rowCount: rowCount, column: 2, .int(5))
    #expect(unread.groupedRows == 0)
  }

  @Test("and groups that nobody keeps any more are forgotten by the rows that stay")
  func groupsThatGo() {
    let graph = graph(rowCount: 10)
    let stage = ReactiveStage(layout: graph.layout)
    let (kept, rows) = stage.addGroups(Self.all, in: graph.contents)
    for column in (0..<50).map({ ColumnID($0 % 3) }) {
      for aggregate in [Aggregate.min, .max] {
        let query = GroupQuery(
          ViewQuery(table: TableID(0)), by: [], [GroupQuery.Measure(aggregate, of: ColumnPath(column))])
        _ = stage.addGroups(query, in: graph.contents)
      }
    }
    #expect(rows.groupViews.count <= 2)
    withExtendedLifetime(kept) {}
  }

  @Test("and results are the same only if all values are, NaN among them")
  func sameResults() {
    let values: [Value] = [.null, .int(1), .int(2), .double(1.5), .double(.nan), .double(.infinity), .string([97])]
    for (index, first) in values.enumerated() {
      for (other, second) in values.enumerated() {
        let result = GroupResult(count: 1, values: [.int(7), first])
        var another = GroupResult(count: 1, values: [.int(7), second])
        #expect(result.hasSameValues(as: another) == (index == other), "\(first) \(second)")
        #expect(result.isSame(as: another) == (index == other), "\(first) \(second)")
        another.count = 2
        #expect(!result.isSame(as: another))
      }
    }
  }

  @Test("and nothing is told twice")
  func laterSteps() {
    let graph = graph(rowCount: 10)
    let stage = ReactiveStage(layout: graph.layout)
    let (groups, _) = stage.addGroups(Self.all, in: graph.contents)
    func change(_ write: () -> Void) -> GroupChange? {
      let old = graph.contents
      write()
      let step = graph.step(graph.commit(), from: old)
      _ = stage.process(step)
      return groups.change(step, groups.filter)
    }
    #expect(change { graph.set(0, graph.keys(0)[5], 0, .int(1_000)) } != nil)
    #expect(change {} == nil)
  }

  /// Most of them where many histories are wanted, too: making them takes a minute without optimisation.
  static let viewCounts =
    [1_000, 10_000] + (ProcessInfo.processInfo.environment["FIRN_LIVE_HISTORIES"] == nil ? [] : [100_000])

  @Test("whatever the number of other groups", arguments: viewCounts)
  func manyViews(viewCount: Int) {
    let graph = graph(rowCount: 200)
    let stage = ReactiveStage(layout: graph.layout)
    let old = graph.contents
    var kept: [(GroupView, Subscription)] = []
    for index in 0..<viewCount {
      let rows = ViewQuery(
        table: TableID(0), predicate: .compare(ColumnPath(ColumnID(0)), .equal, .int(Int64(index))))
      let (groups, view) = stage.addGroups(
        GroupQuery(rows, by: [], [GroupQuery.Measure(.sum, of: ColumnPath(ColumnID(1)))]), in: old)
      let subscription = Subscription(groups)
      stage.add(subscription, at: [.query(view, groups.filter)])
      kept.append((groups, subscription))
    }
    stage.counters.reset()
    graph.set(0, graph.keys(0)[7], 1, .double(1_000))
    let step = graph.step(graph.commit(), from: old)
    var found = 0
    stage.process(step) { _, _ in found += 1 }
    #expect(found == 1)
    #expect(stage.counters.groupedRows == 1 && stage.counters.candidates == 1)
    #expect(kept[7].0.change(step, kept[7].0.filter)?.entries.count == 1)
    #expect(kept[8].0.change(step, kept[8].0.filter) == nil)
  }

  @Test func equalGroupsAreMaintainedOnce() {
    let graph = graph(rowCount: 500)
    let stage = ReactiveStage(layout: graph.layout)
    let old = graph.contents
    var sorted = Self.all
    sorted.rows = ViewQuery(table: TableID(0), sort: [SortKey(ColumnPath(ColumnID(1)))])
    let queries = [Self.all, GroupQuery(sorted.rows, by: sorted.keys, sorted.measures)]
    let all = queries.map { stage.addGroups($0, in: old) }
    #expect(all[0].groups === all[1].groups && all[0].rows === all[1].rows)
    stage.counters.reset()
    graph.set(0, graph.keys(0)[3], 1, .double(-1))
    _ = stage.process(graph.step(graph.commit(), from: old))
    withExtendedLifetime(all) {}
    #expect(stage.counters.groupedRows == 1)
  }

  @Test func nothingIsLeftOfWhatNobodyKeeps() {
    let graph = graph(rowCount: 500)
    let stage = ReactiveStage(layout: graph.layout)
    let old = graph.contents
    let rows = stage.addView(Self.all.rows, in: old)
    do { stage.removeView(stage.addGroups(Self.all, in: old).rows) }
    stage.counters.reset()
    graph.set(0, graph.keys(0)[3], 1, .double(-1))
    _ = stage.process(graph.step(graph.commit(), from: old))
    #expect(stage.counters.groupedRows == 0)
    #expect(stage.groups(of: Self.all) == nil)
    stage.removeView(rows)
    #expect(stage.viewCount == 0)
  }

  @Test func nothingIsLeftOfQueriesThatNameNaN() {
    let graph = graph(rowCount: 10)
    let stage = ReactiveStage(layout: graph.layout)
    for comparison in [Comparison.equal, .less, .notEqual] {
      let rows = ViewQuery(
        table: TableID(0), predicate: .compare(ColumnPath(ColumnID(1)), comparison, .double(.nan)))
      for _ in 0..<3 {
        let view = stage.addGroups(GroupQuery(rows, by: [], []), in: graph.contents).rows
        #expect(stage.viewCount == 1)
        stage.removeView(view)
      }
    }
    #expect(stage.viewCount == 0)
  }
}
