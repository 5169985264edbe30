import FirnEngine
import FirnReactive
import Testing

@Suite("Position changes agree with freshly run queries")
struct OracleTests {
  @Test("after each delivery of one or several merged commits", arguments: 0..<8)
  func randomHistories(round: Int) {
    var random = SeededRandom.printed("randomHistories \(round)")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<60 { RandomGraph.write(graph, &random) }
    _ = graph.commit()
    // In some rounds nothing is climbed to, and views run anew.
    let stage = ReactiveStage(layout: graph.layout, climbMin: round % 4 == 3 ? 0 : 1024)
    var rows: [ViewID: [RowKey]] = [:]
    var ids: [ViewID] = []
    var old = graph.snapshot
    for _ in 0..<100 {
      while ids.count < 25 {
        let id = stage.addView(RandomGraph.query(&random, links: random.chance(30)), in: old)
        ids.append(id)
        rows[id] = Oracle.run(stage.view(id).query, old, graph.schema)
      }
      let changes = deliver(graph, &random)
      let delivered = stage.process(changes, old: old, new: graph.snapshot)
      #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $0.view < $1.view })
      let byView = Dictionary(uniqueKeysWithValues: delivered.map { ($0.view, $0.change) })
      for id in Set(ids) {
        let view = stage.view(id)
        let new = Oracle.run(view.query, graph.snapshot, graph.schema)
        let links = (view.query.sort.map(\.path.links) + [[]]).contains { !$0.isEmpty }
        let mistake = Oracle.mistake(
          in: byView[id], from: rows[id]!, to: new, changes.tables[0], allowsUntouchedMoves: links)
        #expect(mistake == nil, "\(view.query)")
        checkContent(view, new, graph.snapshot)
        rows[id] = new
        if mistake != nil { return }
      }
      old = graph.snapshot
      if random.chance(40) { stage.removeView(ids.remove(at: random.below(ids.count))) }
    }
    for id in ids { stage.removeView(id) }
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

  private func checkContent(_ view: LiveView, _ expected: [RowKey], _ snapshot: Snapshot) {
    view.checkInvariants()
    var content: [RowKey] = []
    view.forEachKey(in: snapshot) { content.append($0) }
    #expect(content == expected)
    #expect(view.count(in: snapshot) == expected.count)
    for (position, key) in expected.enumerated() {
      #expect(view.select(position, in: snapshot) == key)
      #expect(view.position(of: key, in: snapshot) == position)
      #expect(view.contains(key, in: snapshot))
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
    let id = stage.addView(query, in: graph.snapshot)
    for round in 0..<60 {
      let old = graph.snapshot
      let keys = graph.keys(0)
      for _ in 0..<(round % 10 == 9 ? 2000 : 20) {
        let key = keys.randomElement(using: &random)!
        switch random.below(4) {
        case 0: if graph.snapshot.contains(key, in: TableID(0)), random.chance(20) { graph.delete(0, key) }
        case 1: graph.insert(0, [.int(Int64(random.below(300))), .int(Int64(random.below(4)))])
        case let column:
          if graph.snapshot.contains(key, in: TableID(0)) {
            graph.set(0, key, column - 2, .int(Int64(random.below(column == 2 ? 300 : 4))))
          }
        }
      }
      let changes = graph.commit()
      let delivered = stage.process(changes, old: old, new: graph.snapshot)
      let new = Oracle.run(query, graph.snapshot, graph.schema)
      let mistake = Oracle.mistake(
        in: delivered.first?.change, from: Oracle.run(query, old, graph.schema), to: new, changes.tables[0])
      #expect(mistake == nil)
      stage.view(id).checkInvariants()
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
    router.register(ViewID(0), query)
    let view = LiveView(query, layout: graph.layout, snapshot: graph.snapshot)
    var isCaught = false
    for _ in 0..<200 where !isCaught {
      let old = graph.snapshot
      RandomGraph.write(graph, &random)
      let changes = graph.commit()
      let rows = router.route(changes, old: old, new: graph.snapshot).first?.rows.filter(\.isIn) ?? []
      let change = view.update(
        rows, written: changes.tables[0].modified, old: old, new: graph.snapshot, counters: &router.counters)
      isCaught =
        Oracle.mistake(
          in: change, from: Oracle.run(query, old, graph.schema),
          to: Oracle.run(query, graph.snapshot, graph.schema), changes.tables[0]) != nil
    }
    #expect(isCaught)
  }

  @Test("key-path filters drop modifications only")
  func filters() {
    var change = ViewChange()
    change.deletions = [1]
    change.modifications = [
      ViewChange.Modification(position: 0, columns: ColumnSet([ColumnID(2)])),
      ViewChange.Modification(position: 2, columns: ColumnSet([ColumnID(3), ColumnID(200)])),
    ]
    #expect(change.positions(of: ColumnSet([ColumnID(200)]))?.modifications == [2])
    #expect(change.positions(of: ColumnSet())?.deletions == [1])
    change.deletions = []
    #expect(change.positions(of: ColumnSet([ColumnID(1)])) == nil)
    #expect(change.positions()?.modifications == [0, 2])
  }
}
