internal import FirnEngine
internal import FirnReactive

/// Observes a query on a collection or on backlinks, or one that takes out repeats: runs it again when something
/// changed, and compares by row.
///
/// - Complexity: O(n log n) for n elements, at each step.
final class RerunObserver: CollectionObserver {
  private let target: Int
  private let filter: KeyPathFilter
  /// Tables that the query reads besides.
  private let tables: [TableID]
  /// The row that the query belongs to.
  private let owner: (table: TableID, row: RowKey)?
  private let run: (Snapshot) -> [RowKey]
  private var rows: [RowKey] = []

  init(_ core: ResultsCore, _ filter: KeyPathFilter, _ body: @escaping (CollectionEvent) -> Void) {
    target = core.tableIndex
    self.filter = filter
    tables = core.linkedTables
    owner = core.source.owner.map { ($0.table.table, $0.row) }
    run = core.rows(in:)
    super.init(body)
  }

  override func start(_ context: RealmObservers) -> [ObserverPlace] {
    guard let version = context.instance.version else { return [] }
    rows = run(version.snapshot)
    let behind = filter.tablesBehindLinks(of: target, context.instance.store.graph.layout).map { TableID($0) }
    let read = Set([TableID(target)] + tables + behind).map { ObserverPlace.table($0) }
    return read + (owner.map { [.row($0.table, $0.row)] } ?? [])
  }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    let new = run(step.new)
    let touched = filter.touchedRows(step, target)
    let positions = PositionChanges(from: rows, to: new) { touched.contains($0) }
    let oldCount = rows.count
    rows = new
    if !positions.isEmpty { add(positions, from: oldCount, to: new.count) }
  }
}
