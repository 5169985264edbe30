internal import FirnEngine
internal import FirnReactive

/// A list: a column of a row.
struct ListPlace {
  let table: TableID
  let row: RowKey
  let column: ColumnID

  /// The list in a version; nil when it is empty or its owner does not exist.
  func root(_ snapshot: Snapshot) -> UnsafeRawPointer? {
    snapshot.listRoot(snapshot.layout.tables[table.index].columns[column.index], of: row, in: table)
  }

  func count(_ snapshot: Snapshot) -> Int { root(snapshot).map { ListTree.count($0) } ?? 0 }

  /// The table of the elements; nil for lists of values.
  func target(_ layout: GraphLayout) -> Int? {
    let column = layout.tables[table.index].columns[column.index]
    return column.type == .link ? Int(column.target) : nil
  }

  /// Calls `body` with the rows of the elements.
  func forEachRow(_ snapshot: Snapshot, _ body: (RowKey) -> Void) {
    let shape = snapshot.layout.tables[table.index].listShape(column.index)
    ListTree.forEach(root(snapshot), as: UInt64.self, shape) { body(RowKey($0)) }
  }

  /// Whether an element of the list is among the rows, by their backlinks.
  func contains(anyOf rows: Set<RowKey>, _ snapshot: Snapshot) -> Bool {
    let layout = snapshot.layout.tables[table.index].columns[column.index]
    return rows.contains { element in
      var isFound = false
      snapshot.forEachBacklink(Int(layout.backlink), of: element, in: TableID(Int(layout.target))) {
        if $0 == row { isFound = true }
      }
      return isFound
    }
  }
}

/// Observes a list: the operations on it, and changes of the objects in it.
final class ListObserver: CollectionObserver {
  private let place: ListPlace
  private let target: Int?
  private let filter: KeyPathFilter
  private var isGone = false

  init(_ place: ListPlace, _ filter: KeyPathFilter, target: Int?, _ body: @escaping (CollectionEvent) -> Void) {
    self.place = place
    self.filter = filter
    self.target = target
    super.init(body)
  }

  override func start(_ context: RealmObservers) { context.place(self, .other) }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if isGone { return }
    if step.isDeleted(place.row, in: place.table.index) {
      isGone = true
      let count = place.count(step.old)
      if count > 0 { add(ListDelta(replacing: count, with: 0)) }
      return
    }
    let delta = step.changes.tables[place.table.index].lists[ListID(row: place.row, column: place.column)]
    let touched = touchedElements(step)
    if touched.isEmpty {
      if let delta, !delta.isEmpty { add(delta) }
      return
    }
    var rows: [RowKey] = []
    place.forEachRow(step.new) { rows.append($0) }
    let marked = (delta ?? ListDelta(count: rows.count)).touching { touched.contains(rows[$0]) }
    if !marked.isEmpty { add(marked) }
  }

  /// Rows that were written, themselves or behind their links, if the list holds one of them.
  private func touchedElements(_ step: ChangeStep) -> Set<RowKey> {
    guard let target else { return [] }
    var rows: Set<RowKey> = filter.looksBehindLinks ? filter.rowsReaching(step, target) : []
    for row in step.changes.tables[target].modified where filter.includes(row.columns) { rows.insert(row.key) }
    return rows.isEmpty || !place.contains(anyOf: rows, step.new) ? [] : rows
  }
}

extension ListDelta {
  /// The delta that also touches kept elements for whose new position `isTouched` is true.
  func touching(_ isTouched: (Int) -> Bool) -> ListDelta {
    var result = ListDelta(count: 0)
    forEachRun { kind, count, _, new in
      if kind != .keep { return result.append(kind, count) }
      for position in new..<new + count { result.append(isTouched(position) ? .touch : .keep, 1) }
    }
    return result
  }
}
