internal import FirnEngine
internal import FirnReactive

/// Observes a query on a collection or on backlinks, or one that takes out repeats: runs it again when something
/// changed, and compares by row.
///
/// - Complexity: O(n log n) for n elements, at each step.
final class RerunObserver: CollectionObserver {
  private let target: Int
  private let filter: KeyPathFilter
  private let run: (Snapshot) -> [RowKey]
  private var rows: [RowKey] = []

  init(
    _ target: Int, _ filter: KeyPathFilter, run: @escaping (Snapshot) -> [RowKey],
    _ body: @escaping (CollectionEvent) -> Void
  ) {
    self.target = target
    self.filter = filter
    self.run = run
    super.init(body)
  }

  override func start(_ context: RealmObservers) {
    guard let version = context.instance.version else { return }
    rows = run(version.snapshot)
    context.place(self, .other)
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    // Links decide about membership and order too, so any change may concern the query.
    if step.changes.isEmpty { return }
    let new = run(step.new)
    var touched: Set<RowKey> = filter.looksBehindLinks ? filter.rowsReaching(step, target) : []
    for row in step.changes.tables[target].modified where filter.includes(row.columns) { touched.insert(row.key) }
    let positions = PositionChanges(from: rows, to: new) { touched.contains($0) }
    let oldCount = rows.count
    rows = new
    if !positions.isEmpty { add(positions, from: oldCount, to: new.count) }
  }
}
