import FirnEngine
import FirnReactive
import TestSupport
import Testing

@Suite("Groups agree with freshly made ones")
struct GroupOracleTests {
  static let rounds: Range<Int> =
    0..<(environmentNumber("FIRN_LIVE_HISTORIES") ?? 6)

  private func query(_ random: inout SeededRandom, _ graph: TestGraph?, _ links: Bool) -> GroupQuery {
    let rows = RandomGraph.query(&random, links: links, graph)
    let keys = (0..<[0, 1, 1, 1, 2, 3].randomElement(using: &random)!).map { _ in
      RandomGraph.path(&random, links: links).0
    }
    let measures = (0..<random.below(4)).map { _ in
      var path = ColumnPath(ColumnID([0, 1, 5].randomElement(using: &random)!))
      if links, random.chance(40) {
        path = ColumnPath(links: random.chance(50) ? [ColumnID(4)] : [ColumnID(4), ColumnID(2)], ColumnID(0))
      }
      return GroupQuery.Measure([.min, .max, .sum, .average].randomElement(using: &random)!, of: path)
    }
    return GroupQuery(rows, by: keys, measures)
  }

  /// Numbers of all sizes, rows that move between groups, and a row that takes the place of another.
  private func write(_ graph: TestGraph, _ random: inout SeededRandom) {
    RandomGraph.write(graph, &random, rowCountMax: 30)
    guard random.chance(30), let item = graph.keys(RandomGraph.items).randomElement(using: &random) else { return }
    if random.chance(30) {
      let cells = (0..<6).map { RandomGraph.cell(RandomGraph.items, $0, graph, &random) }
      graph.delete(RandomGraph.items, item)
      graph.insert(RandomGraph.items, cells)
      return
    }
    let number = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
    graph.set(RandomGraph.items, item, 1, .double(number))
  }

  @Test("after each delivery, also of merged spans", arguments: rounds)
  func randomHistories(round: Int) throws {
    var random = SeededRandom.printed("groups \(round)")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<30 { write(graph, &random) }
    _ = graph.commit()
    let stage = ReactiveStage(layout: graph.layout, climbMin: round % 4 == 3 ? 0 : 1024)
    var old = graph.contents
    var observers: [(subscriber: GroupSubscriber, subscription: Subscription)] = []
    for _ in 0..<12 {
      while observers.count < 8 {
        let query = query(&random, round % 2 == 0 ? nil : graph, random.chance(50))
        let (groups, view) = stage.addGroups(query, in: old)
        let subscriber = GroupSubscriber(groups, query)
        let subscription = Subscription(subscriber)
        stage.add(subscription, at: groups.places(groups.filter) + [.query(view, groups.filter)])
        observers.append((subscriber, subscription))
        // A query that names NaN equals nothing, not even itself.
        #expect(query != query || stage.groups(of: query) === groups)
      }
      var changes = ChangeSet(tableCount: graph.schema.count)
      for _ in 0..<(1 + random.below(3)) {
        let operationCount = random.chance(8) ? 60 : random.below(6)
        for _ in 0..<operationCount { write(graph, &random) }
        changes.merge(graph.commit())
      }
      let step = graph.step(changes, from: old)
      stage.process(step) { subscription, _ in
        guard let subscriber = subscription.subscriber as? GroupSubscriber,
          let change = subscriber.view.change(step, subscriber.view.filter)
        else { return }
        if subscriber.open == nil { subscriber.open = change } else { subscriber.open?.merge(change) }
      }
      old = graph.contents
      for (subscriber, _) in observers {
        let query = subscriber.query
        let expected = GroupOracle.groups(query, graph.contents, graph.schema)
        let found = GroupSubscriber.content(subscriber.view.table)
        let rows = expected.flatMap(\.rows).map(\.rawValue)
        let fresh = GroupSubscriber.content(GroupTable(query, .keys(rows), in: graph.contents))
        // Wide integers are slow. Sums do not depend on what came and went, so most are compared with fresh ones.
        let checksSums = random.chance(4)
        subscriber.view.table.checkInvariants()
        try #require(found.count == expected.count, "\(query)")
        try #require(found.count == fresh.count, "\(query)")
        for (index, (group, (key, result))) in zip(expected, found).enumerated() {
          try #require(GroupSubscriber.isSame(result, fresh[index].result), "\(query)")
          try #require(GroupOracle.compare(group.key, key) == 0, "\(query)")
          try #require(group.rows.count == result.count, "\(query)")
          for (measure, value) in zip(query.measures, result.values) where checksSums || !measure.isSlowToCheck {
            try #require(
              GroupOracle.isRight(value, measure, group, query, graph.contents), "\(value) \(group) \(measure) \(query)"
            )
          }
        }
        if random.chance(60) {
          let mistake = subscriber.mistake()
          try #require(mistake == nil, "\(query)")
        }
      }
      if random.chance(40) {
        let gone = observers.remove(at: random.below(observers.count))
        stage.remove(gone.subscription)
      }
    }
    for (_, subscription) in observers { stage.remove(subscription) }
    #expect(stage.viewCount == 0)
    #expect(stage.isWithoutSubscriptions)
  }
}

extension GroupQuery.Measure {
  /// Whether the oracle adds up wide integers for it.
  fileprivate var isSlowToCheck: Bool { aggregate == .sum || aggregate == .average }
}
