import FirnEngine
import FirnReactive
import Foundation
import TestSupport
import Testing

/// What a commit costs the views of each kind, however many there are and however many rows they show.
@Suite("A commit costs views what it touches") struct ViewCostTests {
  @Test(arguments: CostSize.all) func oneOfMany(size: CostSize) {
    let world = CostWorld(size)
    for (index, kind) in WatchedKind.allCases.enumerated() {
      let watched = WatchedViews(world, kind, (4 * index)..<(4 * index + size.views))
      // What nobody looks at concerns nobody.
      let unread = watched.commit { world.writeUnread(4 * index, $0) }
      #expect(unread.told == [], "\(kind)")
      check(unread.work, kind, size)
      // One view loses a row to another, or has one that was written.
      let touched = watched.commit { world.touch(kind, 4 * index, $0) }
      #expect(touched.told == (kind.followsValues ? [4 * index, 4 * index + 1] : [4 * index]), "\(kind)")
      check(touched.work, kind, size)
    }
  }

  private func check(_ work: WorkCounters, _ kind: WatchedKind, _ size: CostSize) {
    let depth = Int(log2(Double(size.views))) + 1
    let isWithin =
      work.rowsExamined <= 4 && work.candidates <= 3 && work.predicateEvaluations <= 6 && work.ranks <= 8
      && work.treeNodesVisited <= 8 * depth && work.rowsClimbed <= 2 && work.rebuiltViews == 0 && work.rerunViews == 0
    #expect(isWithin, "\(kind), \(size): \(work)")
  }
}

struct CostSize: CustomTestStringConvertible, Sendable {
  var views: Int
  var rows: Int

  var testDescription: String { "\(views) views, \(rows) rows" }

  /// Small ones in a usual run; with `FIRN_LARGE_VIEWS` those of the promise, for a release build.
  static let all: [CostSize] =
    ProcessInfo.processInfo.environment["FIRN_LARGE_VIEWS"] == nil
    ? [CostSize(views: 500, rows: 500), CostSize(views: 500, rows: 5000), CostSize(views: 2000, rows: 5000)]
    : [
      CostSize(views: 1000, rows: 1000), CostSize(views: 1000, rows: 1_000_000),
      CostSize(views: 10_000, rows: 1_000_000), CostSize(views: 100_000, rows: 1_000_000),
    ]
}

/// What the views observe. Each has a number: that of an item, of an owner, or of a group of items.
enum WatchedKind: CaseIterable, Sendable {
  case equality, range, sorted, window, distinct, link, list, map, backlinks, object, queryOnList

  /// Whether a row belongs to a view by its values.
  var followsValues: Bool {
    switch self {
    case .equality, .range, .sorted, .window, .distinct, .link: true
    case .list, .map, .backlinks, .object, .queryOnList: false
    }
  }
}

/// Items in groups, numbered, of which the first are linked to an owner each.
private final class CostWorld {
  static let (items, owners) = (TableID(0), TableID(1))
  static let (group, number, unread, owner) = (ColumnID(0), ColumnID(1), ColumnID(2), ColumnID(3))
  static let (rank, basket, shelf) = (ColumnID(0), ColumnID(1), ColumnID(2))

  static let schema = [
    TableDescription(
      name: "Item",
      columns: [
        ColumnDescription(name: "group", type: .int, isIndexed: true),
        ColumnDescription(name: "number", type: .int, isIndexed: true),
        ColumnDescription(name: "unread", type: .int),
        ColumnDescription(name: "owner", type: .link, target: owners),
      ],
      // So that views are made without a scan each.
      indexes: [
        IndexDescription(name: "number", paths: [ColumnPath(number)]),
        IndexDescription(name: "rank", paths: [ColumnPath(links: [owner], rank)]),
      ]),
    TableDescription(
      name: "Owner",
      columns: [
        ColumnDescription(name: "rank", type: .int, isIndexed: true),
        ColumnDescription(name: "basket", type: .link, collection: .list, target: items),
        ColumnDescription(name: "shelf", type: .link, collection: .map, target: items),
      ]),
  ]

  let graph = TestGraph(schema: schema)
  /// As many as there are views, and some that are not observed.
  private(set) var owners: [RowKey] = []
  private(set) var items: [RowKey] = []
  /// So many numbers make a range.
  let width: Int

  init(_ size: CostSize) {
    width = size.rows / size.views
    let ownerCount = size.views + 4 * WatchedKind.allCases.count
    graph.write { writer in
      for number in 0..<ownerCount {
        owners.append(writer.insert(into: Self.owners) { $0.set(Self.rank, .int(Int64(number))) })
      }
      for number in 0..<max(size.rows, ownerCount * width) {
        let item = writer.insert(into: Self.items) { row in
          row.set(Self.group, .int(Int64(number % ownerCount)))
          row.set(Self.number, .int(Int64(number)))
          if number < ownerCount { row.set(Self.owner, .link(owners[number])) }
        }
        items.append(item)
      }
    }
    graph.write { writer in
      for (owner, item) in zip(owners, items) {
        writer.append(contentsOf: [.link(item)], to: Self.basket, of: owner, in: Self.owners)
        writer.set(.link(item), forKey: Array("a".utf8), ofMap: Self.shelf, of: owner, in: Self.owners)
      }
    }
    _ = graph.commit()
  }

  func writeUnread(_ number: Int, _ graph: TestGraph) { graph.set(0, items[number], Self.unread.index, .int(1)) }

  /// Touches the view of a number, and for values the next one.
  func touch(_ kind: WatchedKind, _ number: Int, _ graph: TestGraph) {
    let next = Int64(number + 1)
    switch kind {
    case .equality, .sorted, .window, .distinct: graph.set(0, items[number], Self.group.index, .int(next))
    case .range: graph.set(0, items[number * width], Self.number.index, .int(next * Int64(width)))
    case .link: graph.set(1, owners[number], Self.rank.index, .int(next))
    case .list, .map, .backlinks, .object, .queryOnList:
      graph.set(0, items[number], Self.number.index, .int(Int64(number)))
    }
  }
}

/// Views of one kind, each with a subscriber who wants to hear of groups and numbers.
private final class WatchedViews {
  private let world: CostWorld
  private let stage: ReactiveStage
  private var subscriptions: [Subscription] = []
  private var subscribers: [Subscriber] = []
  private let filter = KeyPathFilter(paths: [[.column(CostWorld.group)], [.column(CostWorld.number)]])

  private final class Subscriber {
    let number: Int
    let isTold: (Step) -> Bool

    init(_ number: Int, _ isTold: @escaping (Step) -> Bool) {
      self.number = number
      self.isTold = isTold
    }
  }

  init(_ world: CostWorld, _ kind: WatchedKind, _ numbers: Range<Int>) {
    self.world = world
    stage = ReactiveStage(layout: world.graph.layout)
    for number in numbers { watch(kind, number) }
  }

  /// Who was told of a commit, and what it took to find them.
  func commit(_ write: (TestGraph) -> Void) -> (told: Set<Int>, work: WorkCounters) {
    let old = world.graph.contents
    write(world.graph)
    stage.counters.reset()
    let step = world.graph.step(world.graph.commit(), from: old)
    var told: Set<Int> = []
    stage.process(step) { subscription, _ in
      guard let subscriber = subscription.subscriber as? Subscriber else { return }
      if subscriber.isTold(step) { told.insert(subscriber.number) }
    }
    return (told, stage.counters)
  }

  private func watch(_ kind: WatchedKind, _ number: Int) {
    let (items, owners) = (CostWorld.items, CostWorld.owners)
    let (item, owner) = (world.items[number], world.owners[number])
    let numbers = ColumnPath(CostWorld.number)
    let ofGroup = Predicate.compare(ColumnPath(CostWorld.group), .equal, .int(Int64(number)))
    switch kind {
    case .equality: watch(number, ViewQuery(table: items, predicate: ofGroup))
    case .sorted: watch(number, ViewQuery(table: items, predicate: ofGroup, sort: [SortKey(numbers)]))
    case .window:
      watch(
        number, ViewQuery(table: items, predicate: ofGroup, sort: [SortKey(numbers)], steps: [.window(0..<3)]))
    case .distinct: watch(number, ViewQuery(table: items, predicate: ofGroup, steps: [.distinct([numbers])]))
    case .range:
      let (first, end) = (Int64(number * world.width), Int64((number + 1) * world.width))
      let range = Predicate.and([
        .compare(numbers, .greaterOrEqual, .int(first)), .compare(numbers, .less, .int(end)),
      ])
      watch(number, ViewQuery(table: items, predicate: range))
    case .link:
      let path = ColumnPath(links: [CostWorld.owner], CostWorld.rank)
      watch(number, ViewQuery(table: items, predicate: .compare(path, .equal, .int(Int64(number)))))
    case .queryOnList:
      let place = ListPlace(table: owners, row: owner, column: CostWorld.basket)
      watch(number, ViewQuery(table: items, source: .list(place), sort: [SortKey(numbers)]))
    case .list: watch(number, CollectionView(ListPlace(table: owners, row: owner, column: CostWorld.basket)))
    case .map: watch(number, MapView(ListPlace(table: owners, row: owner, column: CostWorld.shelf)))
    case .backlinks:
      let place = BacklinkPlace(origin: items, column: CostWorld.owner, target: owners, row: owner)
      watch(number, BacklinkView(place))
    case .object: watch(number, ObjectView(items, item))
    }
  }

  private func watch(_ number: Int, _ query: ViewQuery) {
    let view = stage.addView(query, in: world.graph.contents)
    watch(number, view, [.query(view, filter)])
  }

  private func watch(_ number: Int, _ view: some View, _ places: [ViewPlace] = []) {
    let filter = filter
    let subscriber = Subscriber(number) { view.change($0, filter) != nil }
    let subscription = Subscription(subscriber)
    stage.add(subscription, at: places + view.places(filter))
    subscribers.append(subscriber)
    subscriptions.append(subscription)
  }
}
