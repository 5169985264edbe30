import FirnEngine
import FirnReactive
import TestSupport
import Testing

/// Subscribers with filters of all kinds, found by climbing from what was written, and by looking from what is observed.
@Suite struct SubscriptionTests {
  @Test(arguments: Histories.rounds(24)) func nobodyIsMissed(round: Int) throws {
    var random = SeededRandom.printed("nobodyIsMissed \(round)")
    let graph = TestGraph(schema: RandomGraph.schema)
    for _ in 0..<60 { RandomGraph.write(graph, &random) }
    _ = graph.commit()
    let climbing = SubscriptionRun(graph, climbMin: 1024)
    let looking = SubscriptionRun(graph, climbMin: 0)
    for step in 0..<100 {
      while climbing.count < 40 {
        let observed = Observed.random(&random, graph)
        climbing.add(observed)
        looking.add(observed)
      }
      let old = graph.contents
      for _ in 0..<random.below(random.chance(5) ? 80 : 5) { RandomGraph.write(graph, &random) }
      let changes = graph.commit()
      let told = climbing.process(changes, old)
      let other = looking.process(changes, old)
      let differing = Set(told.keys).union(other.keys).filter { told[$0] != other[$0] }
      #expect(
        differing.isEmpty,
        "step \(step): \(differing.map { "\(climbing.describe($0)): \(told[$0] ?? "-"), not \(other[$0] ?? "-")" })")
      if random.chance(40) {
        let index = random.below(climbing.count)
        climbing.remove(index)
        looking.remove(index)
      }
    }
    while climbing.count > 0 {
      climbing.remove(0)
      looking.remove(0)
    }
    #expect(climbing.isEmpty && looking.isEmpty)
  }

  /// The same commit again costs the same again.
  @Test func eachStepCountsItsOwnWork() {
    let graph = TestGraph(schema: RandomGraph.schema)
    let owner = graph.insert(1, [.int(1), Value("x"), .null, .null])
    for number in 0..<3 { _ = graph.insert(0, [.int(Int64(number)), .null, .null, .bool(true), .link(owner)]) }
    _ = graph.commit()
    let stage = ReactiveStage(layout: graph.layout)
    let view = stage.addView(ViewQuery(table: TableID(0)), in: graph.contents)
    let everything = KeyPathFilter(everythingIn: 0, graph.layout, followsLinks: true)
    let subscription = Subscription(stage)
    stage.add(subscription, at: [.query(view, everything)])
    for rank in 2...4 {
      let old = graph.contents
      graph.set(1, owner, 0, .int(Int64(rank)))
      let step = graph.step(graph.commit(), from: old)
      stage.counters.reset()
      stage.process(step.changes, old: old, new: step.new, number: step.number) { _, _ in }
      #expect(stage.counters.rowsClimbed == 3)
    }
    stage.remove(subscription)
  }
}

/// What is observed, and which modifications count.
private struct Observed {
  enum Kind {
    case query(ViewQuery)
    case list(ListPlace)
    case map(ListPlace)
    case backlinks(BacklinkPlace)
    case object(TableID, RowKey)
  }

  let kind: Kind
  let filter: KeyPathFilter

  static func random(_ random: inout SeededRandom, _ graph: TestGraph) -> Observed {
    let (items, owners) = (TableID(RandomGraph.items), TableID(RandomGraph.owners))
    let owner = graph.keys(owners.index).randomElement(using: &random)
    let item = graph.keys(items.index).randomElement(using: &random)
    guard let owner, let item, random.chance(70) else {
      return Observed(
        kind: .query(RandomGraph.query(&random, links: false, graph)), filter: filter(&random, graph, items))
    }
    switch random.below(5) {
    case 0:
      return Observed(
        kind: .list(ListPlace(table: owners, row: owner, column: ColumnID(4))), filter: filter(&random, graph, items))
    case 1:
      return Observed(
        kind: .map(ListPlace(table: owners, row: owner, column: ColumnID(5))), filter: filter(&random, graph, items))
    case 2:
      let place = BacklinkPlace(origin: items, column: ColumnID(4), target: owners, row: owner)
      return Observed(kind: .backlinks(place), filter: filter(&random, graph, items))
    case 3:
      let place = BacklinkPlace(origin: owners, column: ColumnID(4), target: items, row: item)
      return Observed(kind: .backlinks(place), filter: filter(&random, graph, owners))
    default:
      return Observed(kind: .object(items, item), filter: filter(&random, graph, items))
    }
  }

  /// Everything, or some paths: through links, lists, maps and backlinks.
  private static func filter(_ random: inout SeededRandom, _ graph: TestGraph, _ table: TableID) -> KeyPathFilter {
    if random.chance(40) {
      return KeyPathFilter(everythingIn: table.index, graph.layout, followsLinks: random.chance(80))
    }
    return KeyPathFilter(paths: (0...random.below(3)).map { _ in path(&random, table.index) })
  }

  private static func path(_ random: inout SeededRandom, _ table: Int) -> [PathStep] {
    var path: [PathStep] = []
    var table = table
    while true {
      let isLast = path.count == 3 || random.chance(40)
      if table == RandomGraph.items {
        if !isLast {
          path.append(.column(ColumnID(4)))
          table = RandomGraph.owners
          continue
        }
        if random.chance(20) {
          let column = ColumnID(random.chance(50) ? 4 : 5)
          return path + [.backlinks(origin: TableID(RandomGraph.owners), column)]
        }
        return path + [.column(ColumnID(random.below(6)))]
      }
      if isLast { return path + [.column(ColumnID(random.below(6)))] }
      switch random.below(3) {
      case 0: path.append(.column(ColumnID(2)))
      case 1:
        path.append(.column(ColumnID(3 + random.below(3))))
        table = RandomGraph.items
      default:
        path.append(.backlinks(origin: TableID(RandomGraph.items), ColumnID(4)))
        table = RandomGraph.items
      }
    }
  }
}

private final class Subscriber {
  let number: Int
  let ask: (Step) -> String?

  init(_ number: Int, _ ask: @escaping (Step) -> String?) {
    self.number = number
    self.ask = ask
  }
}

private final class SubscriptionRun {
  private let graph: TestGraph
  private let stage: ReactiveStage
  private let climbMin: Int
  private var subscribers: [(subscriber: Subscriber, subscription: Subscription)] = []
  private var observed: [Observed] = []

  init(_ graph: TestGraph, climbMin: Int) {
    self.graph = graph
    self.climbMin = climbMin
    stage = ReactiveStage(layout: graph.layout, climbMin: climbMin)
  }

  var count: Int { subscribers.count }

  var isEmpty: Bool { stage.viewCount == 0 && stage.isWithoutSubscriptions }

  func describe(_ number: Int) -> String { "\(observed[number])" }

  func add(_ observed: Observed) {
    self.observed.append(observed)
    switch observed.kind {
    case .query(let query):
      let view = stage.addView(query, in: graph.contents)
      add(view, observed.filter, [.query(view, observed.filter)])
    case .list(let place): add(CollectionView(place), observed.filter)
    case .map(let place): add(MapView(place), observed.filter)
    case .backlinks(let place): add(BacklinkView(place), observed.filter)
    case .object(let table, let row): add(ObjectView(table, row), observed.filter)
    }
  }

  private func add<Observed: View>(_ view: Observed, _ filter: KeyPathFilter, _ places: [ViewPlace] = []) {
    let subscriber = Subscriber(observed.count - 1) { step in view.change(step, filter).map { Self.describe($0) } }
    let subscription = Subscription(subscriber)
    stage.add(subscription, at: places + view.places(filter))
    subscribers.append((subscriber, subscription))
  }

  private static func describe(_ change: Any) -> String {
    switch change {
    case let change as CollectionChange: "\(change.positions)"
    case let change as ObjectViewChange:
      "\(change.isDeleted) \((0..<8).filter { change.columns.contains(ColumnID($0)) }) "
        + "\(change.backlinks.map { "\($0)" }.sorted())"
    default: "\(change)"
    }
  }

  func remove(_ index: Int) { stage.remove(subscribers.remove(at: index).subscription) }

  /// What each subscriber is told, by its number. Notes those who would have been told something, had they been found.
  func process(_ changes: ChangeSet, _ old: GraphContents) -> [Int: String] {
    let step = graph.step(changes, from: old, climbMin: climbMin)
    var told: [Int: String] = [:]
    func tell(_ subscription: Subscription, _ step: Step) {
      guard let subscriber = subscription.subscriber as? Subscriber else { return }
      #expect(told[subscriber.number] == nil)
      told[subscriber.number] = subscriber.ask(step)
    }
    // The stage has a step of its own, which stands for each of them.
    stage.process(changes, old: old, new: step.new, number: step.number, tell)
    for (subscriber, _) in subscribers {
      #expect(subscriber.ask(step) == told[subscriber.number])
    }
    return told
  }
}
