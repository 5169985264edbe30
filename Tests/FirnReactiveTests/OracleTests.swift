import FirnEngine
import FirnReactive
import TestSupport
import Testing

@Suite("Position changes agree with freshly run queries")
struct OracleTests {
  @Test("after each delivery of one or several merged commits", arguments: Histories.rounds(8))
  func randomHistories(round: Int) {
    var random = SeededRandom.printed("randomHistories \(round)")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<60 { RandomGraph.write(graph, &random) }
    _ = graph.commit()
    // In some rounds nothing is climbed to, and views run anew.
    let stage = ReactiveStage(layout: graph.layout, climbMin: round % 4 == 3 ? 0 : 1024)
    var rows: [Int: [RowKey]] = [:]
    var views: [QueryView] = []
    // Without one, what a query on a collection does not read is not looked for.
    var subscriptions: [Subscription] = []
    // In other rounds, rows behind whose links something was written are in the way.
    let followsLinks = round % 4 >= 2
    let everything = KeyPathFilter(everythingIn: RandomGraph.items, graph.layout, followsLinks: followsLinks)
    var old = graph.contents
    for _ in 0..<100 {
      while views.count < 25 {
        let view = stage.addView(
          RandomGraph.query(&random, links: random.chance(30), round % 2 == 0 ? nil : graph), in: old)
        views.append(view)
        subscriptions.append(Subscription(stage))
        stage.add(subscriptions[subscriptions.count - 1], at: [.query(view, everything)])
        rows[view.number] = Oracle.run(view.query, old, graph.schema)
      }
      let changes = deliver(graph, &random)
      let delivered = stage.process(graph.step(changes, from: old))
      var byView = Dictionary(uniqueKeysWithValues: delivered.map { ($0.view.number, $0.change) })
      if followsLinks { byView = byView.compactMapValues(\.ofRows) }
      for (number, view) in Dictionary(views.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }) {
        let new = Oracle.run(view.query, graph.contents, graph.schema)
        let links = view.query.source != .table || view.query.readsBehindLinks
        let mistake = Oracle.mistake(
          in: byView[number], from: rows[number]!, to: new, changes.tables[0], allowsUntouchedMoves: links)
        #expect(mistake == nil, "\(view.query)")
        checkContent(view, new, graph.contents)
        rows[number] = new
        if mistake != nil { return }
      }
      old = graph.contents
      if random.chance(40) {
        let index = random.below(views.count)
        views.remove(at: index)
        stage.remove(subscriptions.remove(at: index))
      }
    }
    for subscription in subscriptions { stage.remove(subscription) }
    #expect(stage.viewCount == 0)
    #expect(stage.residualViewCount == 0)
  }

  private func deliver(_ graph: TestGraph, _ random: inout SeededRandom) -> ChangeSet {
    var changes = ChangeSet(tableCount: graph.schema.count)
    for _ in 0..<(1 + random.below(3)) {
      let operationCount = random.chance(8) ? 120 : random.below(6)
      for _ in 0..<operationCount { RandomGraph.write(graph, &random) }
      changes.merge(graph.commit())
    }
    return changes
  }

  private func checkContent(_ view: QueryView, _ expected: [RowKey], _ contents: GraphContents) {
    view.checkInvariants()
    var content: [RowKey] = []
    view.forEachRow(in: contents) { content.append($0) }
    #expect(content == expected)
    #expect(view.count(in: contents) == expected.count)
    for (position, key) in expected.enumerated() where position < view.count(in: contents) {
      #expect(view.select(position, in: contents) == key)
      #expect(key == Oracle.null || view.position(of: key, in: contents) == expected.firstIndex(of: key))
    }
    let shown = Set(expected)
    contents.forEachKey(in: view.query.table) { key in
      if !shown.contains(key) { #expect(view.position(of: key, in: contents) == nil) }
    }
  }

  @Test("large trees, small and large changes", arguments: [0, 1])
  func largeViews(sorted: Int) {
    var random = SeededRandom.printed("largeViews")
    let graph = TestGraph(schema: [
      TableDescription(
        name: "T", columns: [ColumnDescription(name: "a", type: .int), ColumnDescription(name: "b", type: .int)])
    ])
    for _ in 0..<5000 { graph.insert(0, [.int(Int64(random.below(300))), .int(Int64(random.below(4)))]) }
    _ = graph.commit()
    let query = ViewQuery(
      table: TableID(0), predicate: .compare(ColumnPath(ColumnID(1)), .less, .int(3)),
      sort: sorted == 0 ? [] : [SortKey(ColumnPath(ColumnID(0)), ascending: false)])
    let stage = ReactiveStage(layout: graph.layout)
    let view = stage.addView(query, in: graph.contents)
    for round in 0..<60 {
      let old = graph.contents
      let keys = graph.keys(0)
      for _ in 0..<(round % 10 == 9 ? 2000 : 20) {
        let key = keys.randomElement(using: &random)!
        switch random.below(4) {
        case 0: if graph.contents.contains(key, in: TableID(0)), random.chance(20) { graph.delete(0, key) }
        case 1: graph.insert(0, [.int(Int64(random.below(300))), .int(Int64(random.below(4)))])
        case let column:
          if graph.contents.contains(key, in: TableID(0)) {
            graph.set(0, key, column - 2, .int(Int64(random.below(column == 2 ? 300 : 4))))
          }
        }
      }
      let changes = graph.commit()
      let delivered = stage.process(graph.step(changes, from: old))
      let new = Oracle.run(query, graph.contents, graph.schema)
      let mistake = Oracle.mistake(
        in: delivered.first?.change, from: Oracle.run(query, old, graph.schema), to: new, changes.tables[0])
      #expect(mistake == nil)
      view.checkInvariants()
    }
    #expect(stage.counters.rebuiltViews == 6)
  }

  @Test("a view that forgets removals is caught")
  func forgottenRemovals() {
    var random = SeededRandom.printed("forgottenRemovals")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<60 { RandomGraph.write(graph, &random) }
    _ = graph.commit()
    let query = ViewQuery(table: TableID(0), predicate: .compare(ColumnPath(ColumnID(0)), .less, .int(5)))
    var router = Router(layout: graph.layout)
    let view = QueryView(query, layout: graph.layout, contents: graph.contents)
    router.register(view)
    var isCaught = false
    for _ in 0..<200 where !isCaught {
      let old = graph.contents
      RandomGraph.write(graph, &random)
      let changes = graph.commit()
      let rows = router.route(changes, old: old, new: graph.contents).first?.rows.filter(\.isIn) ?? []
      let change = view.update(
        rows, written: changes.tables[0].modified, old: old, new: graph.contents, counters: &router.counters)
      isCaught =
        Oracle.mistake(
          in: change, from: Oracle.run(query, old, graph.schema),
          to: Oracle.run(query, graph.contents, graph.schema), changes.tables[0]) != nil
    }
    #expect(isCaught)
  }

  @Test("modifications are filtered, nothing else is")
  func filters() {
    var change = ViewChange()
    change.deletions = [1]
    change.modifications = [
      ViewChange.Modification(position: 0, ModifiedRow(key: RowKey(7), columns: ColumnSet([ColumnID(2)]))),
      ViewChange.Modification(position: 2, ModifiedRow(key: RowKey(8), columns: ColumnSet([ColumnID(200)]))),
    ]
    #expect(change.positions { $0.columns.contains(ColumnID(200)) }?.modifications == [2])
    #expect(change.positions { _ in false }?.deletions == [1])
    change.deletions = []
    #expect(change.positions { _ in false } == nil)
    #expect(change.positions { _ in true }?.modifications == [0, 2])
  }
}

extension ViewChange {
  /// What happened to the rows themselves; nil when nothing did.
  fileprivate var ofRows: ViewChange? {
    var change = self
    change.modifications.removeAll { $0.columns.isEmpty }
    return change.isEmpty ? nil : change
  }
}

extension ViewQuery {
  /// Whether what is behind links decides about the order of the rows, or about which of them are shown.
  fileprivate var readsBehindLinks: Bool {
    var paths = sort.map(\.path)
    for step in steps {
      switch step {
      case .filter, .window: break
      case .sort(let keys): paths += keys.map(\.path)
      case .distinct(let distinct): paths += distinct
      }
    }
    return paths.contains { !$0.links.isEmpty }
  }
}
