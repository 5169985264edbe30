internal import FirnEngine
internal import FirnReactive

/// Observes a query on a table. Equal queries of a realm share one view.
final class ViewObserver: CollectionObserver {
  private let query: ViewQuery
  private let filter: KeyPathFilter
  private(set) var view: ViewID?

  init(_ query: ViewQuery, _ filter: KeyPathFilter, _ body: @escaping (CollectionEvent) -> Void) {
    self.query = query
    self.filter = filter
    super.init(body)
  }

  override func start(_ context: RealmObservers) -> [ObserverPlace] {
    guard let version = context.instance.version else { return [] }
    let view = context.stage.addView(query, in: version.snapshot)
    self.view = view
    if let reach = filter.reach { context.routeModifications(behind: reach) }
    if filter.paths.isEmpty { return [.view(view)] }
    let tables = filter.tablesBehindLinks(of: query.table.index, context.instance.store.graph.layout)
    return [.view(view)] + tables.map { .table(TableID($0)) }
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if !filter.paths.isEmpty { return advanceBehindLinks(step, change) }
    guard let change, let positions = change.positions(of: filter.columns) else { return }
    add(positions, from: change.oldCount, to: change.newCount)
  }

  private func advanceBehindLinks(_ step: ChangeStep, _ change: ViewChange?) {
    guard let id = view, let stage = step.instance.notifications?.stage else { return }
    let rows = filter.rowsReaching(step, query.table.index)
    var positions = change?.positions(of: filter.columns) ?? PositionChanges()
    let view = stage.view(id)
    if !rows.isEmpty {
      var modified = Set(positions.modifications)
      for row in rows {
        guard let position = view.position(of: row, in: step.new) else { continue }
        if let old = positions.oldPosition(of: position) { modified.insert(old) }
      }
      positions.modifications = modified.sorted()
    }
    if positions.isEmpty { return }
    let newCount = change?.newCount ?? view.count(in: step.new)
    add(positions, from: change?.oldCount ?? newCount, to: newCount)
  }
}

extension PositionChanges {
  /// Where an element was that is at `position` now; nil when it was inserted or moved there. O(log n).
  func oldPosition(of position: Int) -> Int? {
    let insertedBefore = insertions.partitionIndex { $0 < position }
    if insertedBefore < insertions.count, insertions[insertedBefore] == position { return nil }
    let kept = position - insertedBefore
    var low = 0
    var high = deletions.count
    while low < high {
      let middle = (low + high) / 2
      if deletions[middle] - middle <= kept { low = middle + 1 } else { high = middle }
    }
    return kept + low
  }
}
