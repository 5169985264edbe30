import FirnEngine
import FirnReactive
import TestSupport
import Testing

@Suite("Routing finds every affected view and few others")
struct RouterTests {
  @Test("the same rows as evaluating every view on every touched row", arguments: 0..<6)
  func againstBruteForce(round: Int) {
    var random = SeededRandom.printed("againstBruteForce \(round)")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<80 { RandomGraph.write(graph, &random) }
    _ = graph.commit()
    var router = Router(layout: graph.layout)
    var views: [QueryView] = []
    var number = 0
    for _ in 0..<150 {
      while views.count < 60 {
        let query = RandomGraph.query(&random, links: false)
        views.append(QueryView(query, number: number, layout: graph.layout, contents: graph.contents))
        router.register(views[views.count - 1])
        number += 1
      }
      let old = graph.contents
      for _ in 0..<random.below(10) { RandomGraph.write(graph, &random) }
      let changes = graph.commit()
      let routed = router.route(changes, old: old, new: graph.contents)
      var expected: [RoutedRows] = []
      for view in views {
        let rows = touched(by: changes.tables[0], view.query, old, graph.contents, graph.schema)
        if !rows.isEmpty { expected.append(RoutedRows(view: view.number, rows: rows)) }
      }
      #expect(routed.map { RoutedRows(view: $0.view.number, rows: $0.rows) } == expected)
      router.unregister(views.remove(at: random.below(views.count)))
    }
  }

  private struct RoutedRows: Equatable {
    var view: Int
    var rows: [TouchedRow]
  }

  private func touched(
    by changes: TableChanges, _ query: ViewQuery, _ old: GraphContents, _ new: GraphContents,
    _ schema: [TableDescription]
  ) -> [TouchedRow] {
    let predicate = CompiledPredicate(query.predicate, table: query.table, layout: new.layout)
    var rows: [TouchedRow] = []
    for key in changes.inserted {
      rows.append(TouchedRow(key: key, modified: -1, wasIn: false, isIn: predicate.matches(key, in: new)))
    }
    for key in changes.deleted {
      rows.append(TouchedRow(key: key, modified: -1, wasIn: predicate.matches(key, in: old), isIn: false))
    }
    for (index, row) in changes.modified.enumerated() {
      rows.append(
        TouchedRow(
          key: row.key, modified: Int32(index), wasIn: predicate.matches(row.key, in: old),
          isIn: predicate.matches(row.key, in: new)))
    }
    return rows.filter { $0.wasIn || $0.isIn }.sorted { $0.key < $1.key }
  }
}

@Suite("The work of a delivery does not depend on what it does not concern")
struct WorkTests {
  private static let schema = [
    TableDescription(
      name: "T", columns: [ColumnDescription(name: "a", type: .int), ColumnDescription(name: "b", type: .int)])
  ]

  private func graph(_ count: Int) -> TestGraph {
    let graph = TestGraph(schema: Self.schema)
    for index in 0..<count { graph.insert(0, [.int(Int64(index)), .int(Int64(index % 10))]) }
    _ = graph.commit()
    return graph
  }

  private func work(of stage: ReactiveStage, _ graph: TestGraph, _ write: (TestGraph) -> Void) -> WorkCounters {
    let old = graph.contents
    write(graph)
    stage.counters.reset()
    let changes = graph.commit()
    _ = stage.process(graph.step(changes, from: old))
    return stage.counters
  }

  @Test("one update costs a view of 1,000 rows and one of 20,000 the same")
  func independentOfRowCount() {
    let results = [1000, 20_000].map { count in
      let graph = graph(count)
      let stage = ReactiveStage(layout: graph.layout)
      for sort in [[], [SortKey(ColumnPath(ColumnID(0)))]] {
        _ = stage.addView(
          ViewQuery(table: TableID(0), predicate: .compare(ColumnPath(ColumnID(1)), .less, .int(9)), sort: sort),
          in: graph.contents)
      }
      return work(of: stage, graph) { $0.set(0, RowKey(500), 0, .int(7)) }
    }
    #expect(results[0] == results[1])
    #expect(results[0].rowsExamined == 1)
    #expect(results[0].predicateEvaluations == 2)
  }

  @Test("equality views: only those of the old and the new value", arguments: [1000, 10_000])
  func equalityViews(count: Int) {
    let graph = graph(2000)
    let stage = ReactiveStage(layout: graph.layout)
    for constant in 0..<count {
      let equals = Predicate.compare(ColumnPath(ColumnID(0)), .equal, .int(Int64(constant)))
      _ = stage.addView(ViewQuery(table: TableID(0), predicate: equals), in: graph.contents)
    }
    #expect(work(of: stage, graph) { $0.set(0, RowKey(5), 0, .int(6)) }.candidates == 2)
    #expect(work(of: stage, graph) { $0.set(0, RowKey(5), 1, .int(6)) }.candidates == 1)
    #expect(work(of: stage, graph) { $0.set(0, RowKey(5), 0, .int(-1)) }.candidates == 1)
    #expect(stage.residualViewCount == 0)
  }

  @Test("disjoint ranges: logarithmic", arguments: [1000, 10_000])
  func ranges(count: Int) {
    let graph = graph(10)
    let stage = ReactiveStage(layout: graph.layout)
    let path = ColumnPath(ColumnID(0))
    for index in 0..<count {
      let between = Predicate.and([
        .compare(path, .greaterOrEqual, .int(Int64(index * 10))), .compare(path, .less, .int(Int64(index * 10 + 9))),
      ])
      _ = stage.addView(ViewQuery(table: TableID(0), predicate: between), in: graph.contents)
    }
    let work = work(of: stage, graph) { $0.set(0, RowKey(5), 0, .int(Int64(count * 5 + 3))) }
    #expect(work.candidates == 2)
    #expect(work.treeNodesVisited < 200)
  }

  /// Owners numbered from 0, each with one item, and a hub with as many items as asked for.
  private func linkedGraph(_ count: Int, hub hubCount: Int = 0) -> (graph: TestGraph, owners: [RowKey], hub: RowKey) {
    let graph = TestGraph(schema: RandomGraph.schema)
    let owners = (0..<count).map { graph.insert(1, [.int(Int64($0)), Value("x"), .null, .null]) }
    let hub = graph.insert(1, [.int(-1), Value("x"), .null, .null])
    for owner in owners { graph.insert(0, [.int(1), .null, .null, .bool(true), .link(owner)]) }
    for _ in 0..<hubCount { graph.insert(0, [.int(1), .null, .null, .bool(true), .link(hub)]) }
    _ = graph.commit()
    return (graph, owners, hub)
  }

  private let behindLink = ColumnPath(links: [ColumnID(4)], ColumnID(0))

  @Test("a view behind links looks at nothing when a column was written that it does not read")
  func linkGate() {
    let (graph, owners, _) = linkedGraph(2)
    let stage = ReactiveStage(layout: graph.layout)
    _ = stage.addView(
      ViewQuery(table: TableID(0), predicate: .compare(behindLink, .equal, .int(1))), in: graph.contents)
    let unread = work(of: stage, graph) { $0.set(1, owners[1], 1, Value("y")) }
    #expect(unread.candidates == 0 && unread.rowsClimbed == 0)
    let read = work(of: stage, graph) { $0.set(1, owners[1], 0, .int(2)) }
    #expect(read.candidates == 1 && read.rowsClimbed == 1 && read.rerunViews == 0)
    let unnamed = work(of: stage, graph) { $0.set(1, owners[1], 0, .int(3)) }
    #expect(unnamed.candidates == 0 && unnamed.rowsClimbed == 0)
  }

  @Test("queries behind links are found by value, however many there are", arguments: [10, 1000])
  func linkPaths(count: Int) {
    let (graph, owners, hub) = linkedGraph(count, hub: 500)
    let stage = ReactiveStage(layout: graph.layout)
    for number in 0..<count {
      _ = stage.addView(
        ViewQuery(table: TableID(0), predicate: .compare(behindLink, .equal, .int(Int64(number)))), in: graph.contents)
    }
    // One view loses its row, another gets it.
    let moved = work(of: stage, graph) { $0.set(1, owners[3], 0, .int(4)) }
    #expect(moved.candidates == 2 && moved.rowsClimbed == 1 && moved.rerunViews == 0)
    // Nobody names the hub.
    let unnamed = work(of: stage, graph) { $0.set(1, hub, 0, .int(-2)) }
    #expect(unnamed.candidates == 0 && unnamed.rowsClimbed == 0)
    // Now one does: the answer is as large as the hub.
    let named = work(of: stage, graph) { $0.set(1, hub, 0, .int(5)) }
    #expect(named.candidates == 500 && named.rowsClimbed == 500 && named.rerunViews == 0)
  }

  /// Who sorts by what is there wants to know all of it, and goes first.
  @Test("queries behind links are found by value when others are gone that read the same")
  func sharedPaths() {
    let (graph, owners, _) = linkedGraph(3)
    let stage = ReactiveStage(layout: graph.layout)
    let sorted = stage.addView(ViewQuery(table: TableID(0), sort: [SortKey(behindLink)]), in: graph.contents)
    let isSeven = Predicate.compare(behindLink, .equal, .int(7))
    let view = stage.addView(ViewQuery(table: TableID(0), predicate: isSeven), in: graph.contents)
    stage.removeView(sorted)
    let work = work(of: stage, graph) { $0.set(1, owners[1], 0, .int(7)) }
    #expect(view.count(in: graph.contents) == 1)
    #expect(work.candidates == 1 && work.rowsClimbed == 1)
  }

  @Test("queries over collections are found by value, however many there are", arguments: [10, 1000])
  func collections(count: Int) {
    let graph = TestGraph(schema: RandomGraph.schema)
    let (basket, tags) = (ColumnID(4), ColumnID(6))
    let items = (0..<count).map { graph.insert(0, [.int(Int64($0))]) }
    for item in items {
      let owner = graph.insert(1, [.null, Value("x"), .null, .null])
      graph.write { $0.append(contentsOf: [.link(item), .link(items[0])], to: basket, of: owner, in: TableID(1)) }
      graph.write { $0.append(contentsOf: [.int(Int64(item.rawValue)), .null], to: tags, of: item, in: TableID(0)) }
    }
    _ = graph.commit()
    let stage = ReactiveStage(layout: graph.layout)
    for number in 1..<count {
      let isNumber = ValueTest.compare(.equal, .int(Int64(number)))
      for (table, condition) in [
        (1, Predicate.any(CollectionPath(.column(basket)), where: .test(.column(ColumnPath(ColumnID(0))), isNumber))),
        (0, .any(CollectionPath(.column(tags)), where: .test(.element, isNumber))),
      ] {
        _ = stage.addView(ViewQuery(table: TableID(table), predicate: condition), in: graph.contents)
      }
    }
    #expect(stage.residualViewCount == 0)
    // An owner leaves one view and comes into another.
    let moved = work(of: stage, graph) { $0.set(0, items[3], 0, .int(4)) }
    #expect(moved.candidates == 3 && moved.rowsClimbed == 1, "\(moved)")
    // What is in every basket counts only once somebody names it.
    let unnamed = work(of: stage, graph) { $0.set(0, items[0], 0, .int(-2)) }
    #expect(unnamed.candidates == 0 && unnamed.rowsClimbed == 0)
    let tagged = work(of: stage, graph) { graph in
      graph.write { $0.replace(at: 0, with: .int(5), of: tags, of: items[3], in: TableID(0)) }
    }
    #expect(tagged.candidates == 2 && tagged.rowsExamined == 1, "\(tagged)")
  }

  @Test("where more would be reached than a part of the table, the views concerned run anew, and no others")
  func hubBeyondBudget() {
    let (graph, owners, hub) = linkedGraph(10, hub: 3000)
    let stage = ReactiveStage(layout: graph.layout)
    let views = (0..<10).map { number in
      stage.addView(
        ViewQuery(table: TableID(0), predicate: .compare(behindLink, .equal, .int(Int64(number)))), in: graph.contents)
    }
    let work = work(of: stage, graph) { $0.set(1, hub, 0, .int(5)) }
    #expect(work.rerunViews == 1)
    let view = views[5]
    #expect(view.count(in: graph.contents) == 3001)
    view.checkInvariants()
    withExtendedLifetime(owners) {}
  }

  @Test("only the step that asks for it runs a query anew, and only those that it concerns")
  func runningAnew() {
    let (graph, owners, _) = linkedGraph(3)
    let stage = ReactiveStage(layout: graph.layout, climbMin: 0)
    let views = (1...2).map { number in
      stage.addView(
        ViewQuery(table: TableID(0), predicate: .compare(behindLink, .equal, .int(Int64(number)))), in: graph.contents)
    }
    let first = work(of: stage, graph) { $0.set(1, owners[1], 0, .int(5)) }
    let second = work(of: stage, graph) { $0.set(1, owners[2], 0, .int(6)) }
    #expect(first.rerunViews == 1 && second.rerunViews == 1)
    #expect(views.allSatisfy { $0.count(in: graph.contents) == 0 })
    // A row comes by its link.
    _ = work(of: stage, graph) { $0.set(1, owners[1], 0, .int(1)) }
    let third = work(of: stage, graph) { $0.set(0, $0.keys(0)[0], 4, .link(owners[1])) }
    #expect(third.rerunViews == 0 && third.candidates == 1)
    #expect(views[0].count(in: graph.contents) == 2)
  }

  @Test("equal queries share one view")
  func sharing() {
    let graph = graph(10)
    let stage = ReactiveStage(layout: graph.layout)
    let query = ViewQuery(table: TableID(0), sort: [SortKey(ColumnPath(ColumnID(0)))])
    let first = stage.addView(query, in: graph.contents)
    #expect(stage.addView(query, in: graph.contents) === first)
    stage.removeView(first)
    #expect(stage.viewCount == 1)
    stage.removeView(first)
    #expect(stage.viewCount == 0)
    #expect(stage.addView(query, in: graph.contents) !== first)
  }
}
