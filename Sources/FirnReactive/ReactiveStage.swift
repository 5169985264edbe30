package import FirnEngine

/// The live queries of one realm: routes what changed between two versions and moves each affected view.
///
/// Belongs to one realm and is used under whatever guards that realm. Holds no version, no lock and no clock: the caller
/// passes the version that was delivered last and the one to deliver now, with the merged changes between them.
package final class ReactiveStage {
  private let layout: GraphLayout
  @exclusivity(unchecked) private var router: Router
  @exclusivity(unchecked) private var views: [ViewID: SharedView] = [:]
  /// The views by slot of the router.
  @exclusivity(unchecked) private var viewsBySlot: [LiveView?] = []
  private var ids: [ViewQuery: ViewID] = [:]
  private var nextID = 0

  private struct SharedView {
    let view: LiveView
    let slot: Int
    var useCount: Int
  }

  /// - Parameter climbMin: How many links may be followed backwards, for tests.
  package init(layout: GraphLayout, climbMin: Int = 1024) {
    self.layout = layout
    router = Router(layout: layout, climbMin: climbMin)
  }

  package var counters: WorkCounters {
    get { router.counters }
    set { router.counters = newValue }
  }

  package var viewCount: Int { views.count }

  /// Views that see every touched row of their table. Should stay small.
  package var residualViewCount: Int { router.residualViewCount }

  /// Starts to maintain a query. `snapshot` must be the version that the stage was last moved to, since equal queries
  /// share one view.
  package func addView(_ query: ViewQuery, in snapshot: Snapshot) -> ViewID {
    if let id = ids[query] {
      views[id]!.useCount += 1
      return id
    }
    let id = ViewID(nextID)
    nextID += 1
    ids[query] = id
    let view = LiveView(query, layout: layout, snapshot: snapshot)
    let slot = router.register(id, query)
    while viewsBySlot.count <= slot { viewsBySlot.append(nil) }
    viewsBySlot[slot] = view
    views[id] = SharedView(view: view, slot: slot, useCount: 1)
    return id
  }

  /// Ends one use. The view goes with its last.
  package func removeView(_ id: ViewID) {
    guard let useCount = views[id]?.useCount else { fatalError("View \(id.index) does not exist.") }
    if useCount > 1 {
      views[id]!.useCount = useCount - 1
    } else if let removed = views.removeValue(forKey: id) {
      ids[removed.view.query] = nil
      viewsBySlot[removed.slot] = nil
      router.unregister(id)
    }
  }

  /// The view behind an id, to read rows and positions from.
  package func view(_ id: ViewID) -> LiveView {
    guard let view = views[id]?.view else { fatalError("View \(id.index) does not exist.") }
    return view
  }

  /// The id of the view that serves a query, if it is observed.
  package func id(of query: ViewQuery) -> ViewID? { ids[query] }

  /// Moves all views from `old` to `new`. Returns what changed for their observers, in the order of registration.
  package func process(
    _ changes: ChangeSet, old: Snapshot, new: Snapshot
  ) -> [(view: ViewID, change: ViewChange)] {
    var result: [(view: ViewID, change: ViewChange)] = []
    process(changes, old: old, new: new) { result.append(($0, $1)) }
    return result
  }

  /// The same, one change after the other. `body` must not add or remove views.
  package func process(
    _ changes: ChangeSet, old: Snapshot, new: Snapshot, _ body: (ViewID, ViewChange) -> Void
  ) {
    if views.isEmpty { return }
    router.find(changes, old: old, new: new)
    var index = 0
    while index < router.affected.count {
      let slot = router.affected[index]
      index += 1
      let view = viewsBySlot[Int(slot)].unsafelyUnwrapped
      let runsAnew = router.takeRunsAnew(slot)
      let rows = router.takeTouched(slot)
      let change = view.update(
        rows, runsAnew: runsAnew, written: changes.tables[view.query.table.index].modified, old: old, new: new,
        counters: &router.counters)
      router.giveBack(rows, slot)
      if let change { body(router.slots[Int(slot)].view, change) }
    }
  }
}
