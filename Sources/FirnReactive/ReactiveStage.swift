package import FirnEngine

/// The live views of one realm: routes what changed between two versions, and moves each affected view.
///
/// Belongs to one realm and is used under whatever guards that realm. Holds no version, no lock and no clock: the caller
/// passes the step from the version that was delivered last to the one to deliver now.
package final class ReactiveStage {
  private let layout: GraphLayout
  @exclusivity(unchecked) private var router: Router
  @exclusivity(unchecked) private var views: [ViewQuery: QueryView] = [:]
  private var nextNumber = 0
  /// Everything else that is observed.
  private let routes = SubscriptionRoutes()
  /// Stands for the running step, and waits for the next one otherwise.
  @exclusivity(unchecked) private var step: Step?
  /// Whether a step is processed, for the rule that nothing is added or removed meanwhile.
  @exclusivity(unchecked) private var isProcessing = false
  private let climbMin: Int
  /// What counts behind links of rows, for subscribers of queries; the tables that have such, as they came.
  @exclusivity(unchecked) private var behind: [Behind] = []
  /// What subscribers hear of that name no key paths, by table.
  private var everything: [[KeyPathFilter?]]

  /// The rows modified by the running step in the tables of ``behind``, with those where that was behind their links.
  @exclusivity(unchecked) private var written = WrittenRows()
  /// The views that the last step has changed.
  @exclusivity(unchecked) private var changed: [QueryView] = []
  /// The subscriptions that the running step may concern.
  @exclusivity(unchecked) private var concerned: [Subscription] = []

  private struct Behind {
    let table: Int
    var filter: KeyPathFilter
    /// So many subscribers do.
    var count = 0
  }

  /// - Parameter climbMin: How many links may be followed backwards, for tests.
  package init(layout: GraphLayout, climbMin: Int = 1024) {
    self.layout = layout
    self.climbMin = climbMin
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

  /// Whether nothing is found by anything, for tests.
  package var isWithoutSubscriptions: Bool { routes.isEmpty && behind.isEmpty }

  /// Subscriptions and queries that were compared to forget others, for tests that count work.
  package var comparedCount: Int { routes.comparedCount }

  /// Views that see every touched row of their table. Should stay small.
  package var residualViewCount: Int { router.residualViewCount }

  // MARK: Views

  /// Starts to maintain a query. `contents` must be the version that the stage was last moved to, since equal queries
  /// share one view.
  package func addView(_ query: ViewQuery, in contents: GraphContents) -> QueryView {
    if let view = views[query] {
      view.use.count += 1
      return view
    }
    let view = QueryView(query, number: nextNumber, layout: layout, contents: contents)
    nextNumber += 1
    view.use.count = 1
    views[query] = view
    guard let arrangement = view.arrangement, arrangement.sequence != nil else {
      router.register(view)
      return view
    }
    let entry = CollectionEntry(view)
    arrangement.entry = entry
    for place in query.source.places(arrangement.readFilter) { routes.add(entry, place) }
    return view
  }

  /// Ends one use. The view goes with its last.
  package func removeView(_ view: QueryView) {
    if view.use.count == 0 { fatalError("View \(view.number) is not maintained.") }
    view.use.count -= 1
    if view.use.count > 0 { return }
    views[view.query] = nil
    // Without views there may be no next step, which would let go of those that the last one has changed.
    if views.isEmpty { forgetLastStep() }
    if let entry = view.arrangement?.entry { routes.remove(entry) } else { router.unregister(view) }
  }

  /// The view of a query, if it is observed.
  package func view(of query: ViewQuery) -> QueryView? { views[query] }

  /// Starts to maintain groups of the rows of a query, or takes those that others have. They live as long as somebody keeps
  /// them; the use of the view ends like any other.
  package func addGroups(_ query: GroupQuery, in contents: GraphContents) -> (groups: GroupView, rows: QueryView) {
    let view = addView(query.rows, in: contents)
    return (view.addGroups(query, in: contents), view)
  }

  /// Groups of the rows of a query, if they are observed.
  package func groups(of query: GroupQuery) -> GroupView? { view(of: query.rows)?.groups(of: query) }

  // MARK: Subscriptions

  /// Finds a subscription from now on by what touches these places. One of them may be a query; its use goes over to the
  /// subscription.
  package func add(_ subscription: Subscription, at places: [ViewPlace]) {
    checkIsIdle()
    for place in places {
      routes.add(subscription, place)
      guard case .query(let named, let filter) = place else { continue }
      let view = named.object
      view.use.subscriptions.insert(subscription)
      let query = view.query
      if let entry = view.arrangement?.entry, entry.filters.insert(filter).inserted {
        for place in query.source.places(filter) { routes.add(entry, place) }
      }
      if filter.looksBehindLinks {
        view.use.behindCount += 1
        let index = behind.firstIndex { $0.table == query.table.index } ?? behind.count
        if index == behind.count { behind.append(Behind(table: query.table.index, filter: filter)) }
        behind[index].filter.formUnion(filter)
        behind[index].count += 1
      }
    }
  }

  /// Forgets a subscription. O(1), and what its view leaves to free.
  package func remove(_ subscription: Subscription) {
    checkIsIdle()
    routes.remove(subscription)
    for case .query(let named, let filter) in subscription.places {
      let view = named.object
      view.use.subscriptions.remove(subscription)
      if filter.looksBehindLinks { forgetBehind(view) }
      removeView(view)
    }
  }

  private func checkIsIdle() {
    if isProcessing { fatalError("A subscription was added or removed while a step was processed.") }
  }

  private func forgetBehind(_ view: QueryView) {
    view.use.behindCount -= 1
    guard let index = behind.firstIndex(where: { $0.table == view.query.table.index }) else {
      fatalError("Nobody looks behind the links of view \(view.number).")
    }
    behind[index].count -= 1
    if behind[index].count == 0 { behind.remove(at: index) }
  }

  // MARK: Moving on

  /// Moves all views from a version to the next one. Calls `body` with the subscriptions that this may concern, each once;
  /// what happened they learn from their views. `body` must not add or remove subscriptions, nor keep the step.
  package func process(
    _ changes: ChangeSet, old: GraphContents, new: GraphContents, number: UInt64,
    _ body: (Subscription, Step) -> Void
  ) {
    let known = step ?? Step(changes, old: old, new: new, number: number, climbMin: climbMin)
    step = known
    known.begin(changes, old: old, new: new, number: number)
    process(known, body)
    known.end()
  }

  package func process(_ step: Step, _ body: (Subscription, Step) -> Void) {
    isProcessing = true
    defer { isProcessing = false }
    moveViews(step)
    for view in changed {
      view.use.subscriptions.forEachEntry { entry in
        if entry.step == step.number { return }
        entry.step = step.number
        concerned.append(unsafeDowncast(entry, to: Subscription.self))
      }
    }
    if concerned.isEmpty { return }
    for subscription in concerned { body(subscription, step) }
    concerned.removeAllInPlace(keepingAtMost: 64)
  }

  /// Moves all views. Returns what changed for their observers, in the order of registration.
  package func process(_ step: Step) -> [(view: QueryView, change: ViewChange)] {
    moveViews(step)
    concerned = []
    let result = changed.compactMap { view in view.change(in: step).map { (view: view, change: $0) } }
    return result.sorted { $0.view.number < $1.view.number }
  }

  private func forgetLastStep() {
    if changed.isEmpty { return }
    for view in changed { view.forgetOutcome() }
    changed.removeAllInPlace(keepingAtMost: 64)
  }

  /// Moves all views. Leaves those that changed in `changed`, and the subscriptions of anything else that the step may
  /// concern in `concerned`.
  private func moveViews(_ step: Step) {
    forgetLastStep()
    addRowsBehindLinks(step)
    router.find(step.changes, written, step.old, step.new)
    var index = 0
    while index < router.affected.count {
      let view = router.view(at: router.affected[index])
      index += 1
      let (rows, runsAnew) = view.routing.take()
      let change = view.update(
        rows, runsAnew: runsAnew, written: written.modified(of: view.query.table.index, step.changes), old: step.old,
        new: step.new, number: step.number, counters: &router.counters)
      view.routing.giveBack(rows)
      note(change, view, step)
    }
    for entry in routes.touched(by: step) {
      guard let view = (entry as? CollectionEntry)?.view else {
        concerned.append(unsafeDowncast(entry, to: Subscription.self))
        continue
      }
      let written = written.modified(of: view.query.table.index, step.changes)
      note(view.update(step, written: written, counters: &router.counters), view, step)
    }
    router.counters.add(step.counters)
  }

  private func note(_ change: ViewChange?, _ view: QueryView, _ step: Step) {
    guard let change else { return }
    view.note(change, step)
    changed.append(view)
  }

  /// Adds the rows behind whose links something was written that counts for some subscriber of a query, as modified in no
  /// column. So they are routed to the views that they are in, like any modified row.
  private func addRowsBehindLinks(_ step: Step) {
    written.removeAll()
    for behind in behind where step.mayLeadTo(behind.filter) {
      written.add(rowsBehind(behind, step), of: behind.table, step.changes)
    }
  }

  /// Climbs from what was written, or looks from the rows that are observed, where these are fewer.
  private func rowsBehind(_ behind: Behind, _ step: Step) -> [RowKey] {
    let table = behind.table
    if let rows = step.rowsBehind(behind.filter, in: table, following: step.climbLimit()) { return rows }
    let observed = views.values.filter { $0.use.behindCount > 0 && $0.query.table.index == table }
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
    return rows.sorted()
  }
}
