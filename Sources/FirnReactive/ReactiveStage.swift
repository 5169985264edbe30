package import FirnEngine

/// The live views of one realm: routes what changed between two versions, and moves each affected view.
///
/// Belongs to one realm and is used under whatever guards that realm. Holds no version, no lock and no clock: the caller
/// passes the step from the version that was delivered last to the one to deliver now.
package final class ReactiveStage {
  private let layout: GraphLayout
  @exclusivity(unchecked) private var router: Router
  @exclusivity(unchecked) private var views: [ViewID: SharedView] = [:]
  /// The views of tables by slot of the router.
  @exclusivity(unchecked) private var viewsBySlot: [SharedView?] = []
  private var ids: [ViewQuery: ViewID] = [:]
  private var nextID = 0
  /// Everything else that is observed.
  @exclusivity(unchecked) private var routes = SubscriptionRoutes()
  /// What counts behind links of rows of a table, for subscribers of queries.
  @exclusivity(unchecked) private var behind: [Int: Behind] = [:]
  /// What subscribers hear of that name no key paths, by table.
  private var everything: [[KeyPathFilter?]]

  /// A view and its subscriptions. In the routes it stands for a query on a collection.
  private final class SharedView: RoutedEntry {
    let id: ViewID
    let view: QueryView
    /// Its slot in the router, if it is of a table.
    let slot: Int?
    var useCount = 1
    @exclusivity(unchecked) var subscriptions = RoutedEntries<Subscription>()
    /// What counts of the rows of a collection.
    var filters: Set<KeyPathFilter> = []
    /// How many of the subscribers look behind links.
    var behindCount = 0

    init(_ id: ViewID, _ view: QueryView, slot: Int?) {
      self.id = id
      self.view = view
      self.slot = slot
    }
  }

  private struct Behind {
    var filter: KeyPathFilter
    /// So many subscribers do.
    var count = 0
  }

  /// - Parameter climbMin: How many links may be followed backwards, for tests.
  package init(layout: GraphLayout, climbMin: Int = 1024) {
    self.layout = layout
    router = Router(layout: layout, climbMin: climbMin)
    everything = Array(repeating: [nil, nil], count: layout.visibleCount)
  }

  /// No filter. Of collections, objects behind links count too.
  package func filter(ofEverythingIn table: Int, followsLinks: Bool) -> KeyPathFilter {
    let kind = followsLinks ? 1 : 0
    if let known = everything[table][kind] { return known }
    let filter = KeyPathFilter(everythingIn: table, layout, followsLinks: followsLinks)
    everything[table][kind] = filter
    return filter
  }

  package var counters: WorkCounters {
    get { router.counters }
    set { router.counters = newValue }
  }

  package var viewCount: Int { views.count }

  /// Queries by which views are found, for tests.
  package var knownQueryCount: Int { ids.count }

  /// Whether nothing is found by anything, for tests.
  package var isWithoutSubscriptions: Bool { routes.isEmpty && behind.isEmpty }

  /// Subscriptions and queries that were compared to forget others, for tests that count work.
  package var comparedCount: Int { routes.comparedCount }

  /// Views that see every touched row of their table. Should stay small.
  package var residualViewCount: Int { router.residualViewCount }

  // MARK: Views

  /// Starts to maintain a query. `contents` must be the version that the stage was last moved to, since equal queries
  /// share one view.
  package func addView(_ query: ViewQuery, in contents: GraphContents) -> ViewID {
    if let id = ids[query] {
      views[id]!.useCount += 1
      return id
    }
    let id = ViewID(nextID)
    nextID += 1
    ids[query] = id
    let condition = RowCondition(query.predicate, query.table, layout)
    let view = QueryView(query, condition, layout: layout, contents: contents)
    let slot = query.source == .table ? router.register(id, query, condition) : nil
    let shared = SharedView(id, view, slot: slot)
    views[id] = shared
    if let slot {
      while viewsBySlot.count <= slot { viewsBySlot.append(nil) }
      viewsBySlot[slot] = shared
    } else {
      for place in query.source.places(view.readFilter) { routes.add(shared, place) }
    }
    return id
  }

  /// Ends one use. The view goes with its last.
  package func removeView(_ id: ViewID) {
    guard let shared = views[id] else { fatalError("View \(id.index) does not exist.") }
    shared.useCount -= 1
    if shared.useCount > 0 { return }
    shared.view.isMaintained = false
    views[id] = nil
    ids[shared.view.query] = nil
    if let slot = shared.slot {
      viewsBySlot[slot] = nil
      router.unregister(id)
    } else {
      routes.remove(shared)
    }
  }

  /// The view behind an id, to read rows and positions from.
  package func view(_ id: ViewID) -> QueryView {
    guard let view = views[id]?.view else { fatalError("View \(id.index) does not exist.") }
    return view
  }

  /// The view of a query, if it is observed.
  package func view(of query: ViewQuery) -> QueryView? { ids[query].flatMap { views[$0]?.view } }

  /// Starts to maintain groups of the rows of a query, or takes those that others have. They live as long as somebody keeps
  /// them; the use of the view ends like any other.
  package func addGroups(_ query: GroupQuery, in contents: GraphContents) -> (groups: GroupView, rows: ViewID) {
    let id = addView(query.rows, in: contents)
    return (view(id).addGroups(query, in: contents), id)
  }

  /// Groups of the rows of a query, if they are observed.
  package func groups(of query: GroupQuery) -> GroupView? { view(of: query.rows)?.groups(of: query) }

  // MARK: Subscriptions

  /// Finds a subscription from now on by what touches these places. One of them may be a query; its use goes over to the
  /// subscription.
  package func add(_ subscription: Subscription, at places: [ViewPlace]) {
    for place in places {
      routes.add(subscription, place)
      guard case .query(let id, let filter) = place, let shared = views[id] else { continue }
      shared.subscriptions.insert(subscription)
      let query = shared.view.query
      if query.source != .table, shared.filters.insert(filter).inserted {
        for place in query.source.places(filter) { routes.add(shared, place) }
      }
      if filter.looksBehindLinks {
        shared.behindCount += 1
        behind[query.table.index, default: Behind(filter: filter)].filter.formUnion(filter)
        behind[query.table.index]!.count += 1
      }
    }
  }

  /// Forgets a subscription. O(1), and what its view leaves to free.
  package func remove(_ subscription: Subscription) {
    routes.remove(subscription)
    for case .query(let id, let filter) in subscription.places {
      guard let shared = views[id] else { continue }
      shared.subscriptions.remove(subscription)
      if filter.looksBehindLinks { forgetBehind(shared) }
      removeView(id)
    }
  }

  private func forgetBehind(_ shared: SharedView) {
    let table = shared.view.query.table.index
    shared.behindCount -= 1
    behind[table]!.count -= 1
    if behind[table]!.count == 0 { behind[table] = nil }
  }

  // MARK: Moving on

  /// Moves all views. Calls `body` with the subscriptions that the step may concern, each once; what happened they learn
  /// from their views. `body` must not add or remove subscriptions.
  package func process(_ step: Step, _ body: (Subscription) -> Void) {
    var found: [Subscription] = []
    func find(_ subscription: Subscription) {
      if subscription.step == step.number { return }
      subscription.step = step.number
      found.append(subscription)
    }
    moveViews(step) {
      $0.subscriptions.forEach(find)
    } others: {
      found.append($0)
    }
    for subscription in found { body(subscription) }
  }

  /// Moves all views. Returns what changed for their observers, those of tables in the order of registration.
  package func process(_ step: Step) -> [(view: ViewID, change: ViewChange)] {
    var result: [(view: ViewID, change: ViewChange)] = []
    moveViews(step) { shared in
      if let change = shared.view.last?.change { result.append((shared.id, change)) }
    } others: { _ in
    }
    return result
  }

  private func moveViews(_ step: Step, changed: (SharedView) -> Void, others: (Subscription) -> Void) {
    let changes = addingRowsBehindLinks(step)
    func tell(_ change: ViewChange?, _ shared: SharedView) {
      guard let change else { return }
      shared.view.last = (step.number, change)
      changed(shared)
    }
    router.find(changes, old: step.old, new: step.new)
    var index = 0
    while index < router.affected.count {
      let slot = router.affected[index]
      index += 1
      let shared = viewsBySlot[Int(slot)].unsafelyUnwrapped
      let runsAnew = router.takeRunsAnew(slot)
      let rows = router.takeTouched(slot)
      let change = shared.view.update(
        rows, runsAnew: runsAnew, written: changes.tables[shared.view.query.table.index].modified, old: step.old,
        new: step.new, number: step.number, counters: &router.counters)
      router.giveBack(rows, slot)
      tell(change, shared)
    }
    routes.forEachTouched(by: step) { entry in
      guard let shared = entry as? SharedView else { return others(unsafeDowncast(entry, to: Subscription.self)) }
      let written = changes.tables[shared.view.query.table.index].modified
      tell(shared.view.update(step, written: written, counters: &router.counters), shared)
    }
    router.counters.add(step.counters)
  }

  /// The changes, and as modified in no column the rows behind whose links something was written that counts for some
  /// subscriber of a query. So they are routed to the views that they are in, like any modified row.
  private func addingRowsBehindLinks(_ step: Step) -> ChangeSet {
    var changes = step.changes
    for (table, behind) in behind {
      let rows = rowsBehind(behind, table, step)
      if !rows.isEmpty { changes.tables[table].addModified(rows.sorted()) }
    }
    return changes
  }

  /// Climbs from what was written, or looks from the rows that are observed, where these are fewer.
  private func rowsBehind(_ behind: Behind, _ table: Int, _ step: Step) -> Set<RowKey> {
    if let rows = step.rowsBehind(behind.filter, in: table, following: step.climbLimit()) { return rows }
    let observed = views.values.filter { $0.behindCount > 0 && $0.view.query.table.index == table }.map(\.view)
    let count = observed.reduce(0) { $0 + $1.count(in: step.old) }
    if let rows = step.rowsBehind(behind.filter, in: table, following: step.climbLimit(observing: count)) {
      return rows
    }
    var rows: Set<RowKey> = []
    for view in observed {
      view.forEachRow(in: step.old) { row in
        if step.new.contains(row, in: TableID(table)), step.isTouched(row, behind.filter, in: table) {
          rows.insert(row)
        }
      }
    }
    return rows
  }
}
