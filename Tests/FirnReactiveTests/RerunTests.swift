import FirnEngine
import FirnReactive
import TestSupport
import Testing

/// Views that run their query anew, because too much was reached, tell the same as those that look at what was touched.
@Suite("Queries that run anew")
struct RerunTests {
  private static let (number, owner, rank, name) = (ColumnID(0), ColumnID(4), ColumnID(0), ColumnID(1))
  /// Nothing is climbed to, or everything.
  private static let climbMins = [0, 1024]

  /// Items numbered from 0 of one owner, and a view of those whose owner has the rank 1.
  private func world(_ climbMin: Int, _ count: Int, sort: [SortKey] = []) -> (
    graph: TestGraph, owner: RowKey, items: [RowKey], stage: ReactiveStage, view: QueryView
  ) {
    let graph = TestGraph(schema: RandomGraph.schema)
    let owner = graph.insert(1, [.int(1), Value("x"), .null, .null])
    let items = (0..<count).map { graph.insert(0, [.int(Int64($0)), .null, .null, .bool(true), .link(owner)]) }
    _ = graph.commit()
    let stage = ReactiveStage(layout: graph.layout, climbMin: climbMin)
    let isRanked = Predicate.compare(ColumnPath(links: [Self.owner], Self.rank), .equal, .int(1))
    let view = stage.addView(ViewQuery(table: TableID(0), predicate: isRanked, sort: sort), in: graph.contents)
    return (graph, owner, items, stage, view)
  }

  @Test("tell who left with their keys", arguments: climbMins)
  func rowsThatLeft(climbMin: Int) throws {
    let (graph, owner, items, stage, view) = world(climbMin, 3)
    let keyed = KeyedView(view, primaryKey: Self.number)
    let old = graph.contents
    graph.set(1, owner, Self.rank.index, .int(2))
    let step = graph.step(graph.commit(), from: old)
    _ = stage.process(step)
    let change = try #require(keyed.change(step, .nothing))
    #expect(change.left == [items[0]: .int(0), items[1]: .int(1), items[2]: .int(2)])
    #expect(change.present.isEmpty)
    #expect(stage.counters.rerunViews == (climbMin == 0 ? 1 : 0))
  }

  @Test("move rows in which something was written, not those with something behind their links", arguments: climbMins)
  func rowsThatMove(climbMin: Int) throws {
    for (moving, number) in [(0, 5), (1, -5)] {
      let (graph, owner, items, stage, view) = world(climbMin, 2, sort: [SortKey(ColumnPath(Self.number))])
      let subscription = Subscription(stage)
      let everything = KeyPathFilter(everythingIn: 0, graph.layout, followsLinks: true)
      stage.add(subscription, at: [.query(view, everything)])
      let old = graph.contents
      graph.set(0, items[moving], Self.number.index, .int(Int64(number)))
      graph.set(1, owner, Self.rank.index, .int(1))
      let step = graph.step(graph.commit(), from: old)
      _ = stage.process(step)
      let change = try #require(view.change(in: step))
      #expect(change.deletions == [moving] && change.insertions == [1 - moving])
      #expect(change.modifications.map(\.position) == [1 - moving])
      #expect(stage.counters.rerunViews == (climbMin == 0 ? 1 : 0))
      stage.remove(subscription)
    }
  }
}
