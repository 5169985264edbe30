import FirnEngine
import FirnReactive
import TestSupport
import Testing

/// The first rows of those that lead to equal values. Rows behind a null link are none of them.
@Suite struct DistinctTests {
  private static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "owner", type: .link, isNullable: true, target: TableID(1)),
        ColumnDescription(name: "number", type: .int),
      ]),
    TableDescription(name: "Owner", columns: [ColumnDescription(name: "rank", type: .int)]),
  ]

  @Test func rowsBehindANullLinkComeAndGo() {
    let graph = TestGraph(schema: Self.schema)
    let owners = (0..<3).map { graph.insert(1, [.int(Int64($0))]) }
    // More than a few, so that steps are followed and the query is not run anew.
    for index in 0..<40 { graph.insert(0, [.link(owners[index % 2]), .int(Int64(index))]) }
    _ = graph.commit()
    let stage = ReactiveStage(layout: graph.layout)
    var old = graph.contents
    let view = stage.addView(
      ViewQuery(table: TableID(0), steps: [.distinct([ColumnPath(links: [ColumnID(0)], ColumnID(0))])]), in: old)
    let subscription = Subscription(view)
    let filter = KeyPathFilter(paths: [])
    stage.add(subscription, at: [.query(view, filter)] + view.places(filter))
    var shown = rows(view, old)
    #expect(shown == Array(graph.keys(0).prefix(2)))
    /// Commits, and applies what the view tells.
    func follow(_ expected: [RowKey]) {
      let step = graph.step(graph.commit(), from: old)
      stage.process(step) { _, _ in }
      old = graph.contents
      if let change = view.change(in: step) {
        for position in change.deletions.reversed() { shown.remove(at: position) }
        for position in change.insertions { shown.insert(view.select(position, in: old), at: position) }
      }
      #expect(shown == expected && rows(view, old) == expected)
      for key in graph.keys(0) { #expect(view.position(of: key, in: old) == expected.firstIndex(of: key)) }
    }
    let all = graph.keys(0)
    let item = graph.insert(0, [.null, .int(99)])
    follow([all[0], all[1]])
    graph.set(0, item, 1, .int(100))
    follow([all[0], all[1]])
    graph.set(0, item, 0, .link(owners[2]))
    follow([all[0], all[1], item])
    graph.set(0, item, 0, .null)
    follow([all[0], all[1]])
    graph.set(0, all[0], 0, .null)
    follow([all[1], all[2]])
    // The first of a group that nobody touched.
    graph.set(0, all[2], 0, .link(owners[1]))
    follow([all[1], all[4]])
    graph.delete(0, item)
    graph.delete(0, all[1])
    follow([all[2], all[4]])
    graph.set(1, owners[1], 0, .int(0))
    follow([all[2]])
    #expect(stage.counters.rerunViews == 0)
    stage.remove(subscription)
  }

  private func rows(_ view: QueryView, _ contents: GraphContents) -> [RowKey] {
    var rows: [RowKey] = []
    view.forEachRow(in: contents) { rows.append($0) }
    return rows
  }
}
