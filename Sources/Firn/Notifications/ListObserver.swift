internal import FirnEngine
internal import FirnReactive

/// A list, set or map: a column of a row.
struct ListPlace {
  let table: TableID
  let row: RowKey
  let column: ColumnID

  /// The tree in the cell in a version; nil when it is empty or its owner does not exist.
  func root(_ snapshot: Snapshot) -> UnsafeRawPointer? {
    snapshot.listRoot(snapshot.layout.tables[table.index].columns[column.index], of: row, in: table)
  }

  /// The elements, or the values of a map, in a version; nil when there are none.
  func elements(_ snapshot: Snapshot) -> UnsafeRawPointer? {
    snapshot.elementsRoot(snapshot.layout.tables[table.index].columns[column.index], of: row, in: table)
  }

  /// What happened to the collection; nil when nothing did, or its owner is gone.
  func delta(_ step: ChangeStep) -> ListDelta? {
    step.changes.tables[table.index].lists[ListID(row: row, column: column)]
  }

  func count(_ snapshot: Snapshot) -> Int { snapshot.listCount(column, of: row, in: table) }

  /// The table of the elements; nil for values.
  func target(_ layout: GraphLayout) -> Int? {
    let column = layout.tables[table.index].columns[column.index]
    return column.type == .link ? Int(column.target) : nil
  }

  /// Calls `body` with the rows of the elements, nil for a null in a map, in order.
  func forEachElement(_ snapshot: Snapshot, _ body: (RowKey?) -> Void) {
    let layout = snapshot.layout.tables[table.index]
    var cursor = ListCursor(elements(snapshot), layout.listShape(column.index))
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count {
        let key = chunk.elements.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
        body(chunk.isNull(index) ? nil : RowKey(key))
      }
    }
  }

  /// Whether an element of the list is among the rows, by their backlinks.
  func contains(anyOf rows: Set<RowKey>, _ snapshot: Snapshot) -> Bool {
    let layout = snapshot.layout.tables[table.index].columns[column.index]
    return rows.contains { element in
      let owners = snapshot.backlinks(Int(layout.backlink), of: element, in: TableID(Int(layout.target)))
      return owners.map { !$0.positions(of: row).isEmpty } ?? false
    }
  }
}

/// Observes a list or set: the operations on it, and changes of the objects in it.
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

  override func start(_ context: RealmObservers) -> [ObserverPlace] { place.places(target, filter) }

  override func advance(_ step: ChangeStep, _ change: ViewChange?) {
    if isGone { return }
    if step.isDeleted(place.row, in: place.table.index) {
      isGone = true
      let count = place.count(step.old)
      if count > 0 { add(ListDelta(replacing: count, with: 0)) }
      return
    }
    let touched = filter.touchedElements(of: place, target, step)
    if let marked = place.marking(touched, in: place.delta(step), step) { add(marked) }
  }
}

extension KeyPathFilter {
  /// Rows that were written, themselves or behind their links, if the collection holds one of them.
  ///
  /// - Parameter target: The table of the elements; nil for values.
  func touchedElements(of place: ListPlace, _ target: Int?, _ step: ChangeStep) -> Set<RowKey> {
    guard let target else { return [] }
    let rows = touchedRows(step, target)
    return rows.isEmpty || !place.contains(anyOf: rows, step.new) ? [] : rows
  }
}

extension ListPlace {
  /// What concerns an observer of the collection.
  func places(_ target: Int?, _ filter: KeyPathFilter) -> [ObserverPlace] {
    let own = ObserverPlace.row(table, row)
    return target == nil ? [own] : [own, .elements(self, filter)]
  }

  /// What happened to the collection with the elements that were touched; nil when nothing did.
  func marking(_ touched: Set<RowKey>, in delta: ListDelta?, _ step: ChangeStep) -> ListDelta? {
    guard !touched.isEmpty else { return delta?.isEmpty == false ? delta : nil }
    var rows: [RowKey?] = []
    forEachElement(step.new) { rows.append($0) }
    let marked = (delta ?? ListDelta(count: rows.count)).touching { rows[$0].map { touched.contains($0) } ?? false }
    return marked.isEmpty ? nil : marked
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
