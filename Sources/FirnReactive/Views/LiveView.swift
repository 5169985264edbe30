package import FirnEngine

/// A maintained query: knows its rows at one version and moves to a later one by looking at touched rows only.
///
/// How the rows are kept depends on the query:
///
/// | query | state | cost of k touched among R rows |
/// |---|---|---|
/// | every row, unsorted | none: positions are ranks in the table | k log R |
/// | predicate, unsorted | counted tree of row keys | k log R |
/// | sorted | counted tree of (code of the first sort value, row key) | k log R + k log k |
/// | more was touched than could be found | the same trees | re-run and compare, R log R |
///
/// A view holds no version. Callers pass the one it was last moved to.
package final class LiveView {
  package let query: ViewQuery
  let predicate: CompiledPredicate
  /// Columns of the table whose change moves a row.
  let orderColumns: ColumnSet
  let order: RowOrder?
  @exclusivity(unchecked) var rows: Rows

  enum Rows {
    case everyRow
    case keys(CountedTree<UInt64>)
    case entries(CountedTree<OrderEntry>)
  }

  package init(_ query: ViewQuery, layout: GraphLayout, snapshot: Snapshot) {
    self.query = query
    predicate = CompiledPredicate(query.predicate, table: query.table, layout: layout)
    order = query.sort.isEmpty ? nil : RowOrder(query.sort, table: query.table, schema: layout.schema)
    orderColumns = ColumnSet(query.sort.map { $0.path.links.first ?? $0.path.column })
    rows = .everyRow
    if let order {
      rows = .entries(CountedTree(order.entries(for: matches(in: snapshot), in: snapshot)))
    } else if query.predicate != .constant(true) {
      rows = .keys(CountedTree(matches(in: snapshot).map(\.rawValue)))
    }
  }

  package func count(in snapshot: Snapshot) -> Int {
    switch rows {
    case .everyRow: snapshot.rowCount(query.table)
    case .keys(let tree): tree.count
    case .entries(let tree): tree.count
    }
  }

  package func contains(_ key: RowKey, in snapshot: Snapshot) -> Bool {
    snapshot.contains(key, in: query.table) && predicate.matches(key, in: snapshot)
  }

  /// The row at a position, O(log n). Traps outside of the view.
  package func select(_ position: Int, in snapshot: Snapshot) -> RowKey {
    switch rows {
    case .everyRow:
      guard let key = snapshot.key(at: position, in: query.table) else {
        fatalError("Position \(position) is outside of \(snapshot.rowCount(query.table)) rows.")
      }
      return key
    case .keys(let tree): return RowKey(tree.select(position))
    case .entries(let tree): return RowKey(tree.select(position).key)
    }
  }

  /// Where a row is, O(log n). Nil when it is not in the view.
  package func position(of key: RowKey, in snapshot: Snapshot) -> Int? {
    contains(key, in: snapshot) ? rank(of: key, in: snapshot) : nil
  }

  /// Calls `body` with every row in order.
  package func forEachKey(in snapshot: Snapshot, _ body: (RowKey) -> Void) {
    switch rows {
    case .everyRow: snapshot.forEachKey(in: query.table, body)
    case .keys(let tree): tree.walk { body(RowKey($0)) }
    case .entries(let tree): tree.walk { body(RowKey($0.key)) }
    }
  }

  /// The number of rows of the view that come before a row in this version.
  func rank(of key: RowKey, in snapshot: Snapshot) -> Int {
    switch rows {
    case .everyRow: return snapshot.rank(of: key, in: query.table)
    case .keys(let tree):
      let raw = key.rawValue
      return tree.rank { $0 < raw }
    case .entries(let tree):
      guard let order else { fatalError("A sorted view without an order.") }
      var place = OrderPlace(order.entry(for: key, in: snapshot), order, snapshot)
      return tree.rank { place.isAfter($0) }
    }
  }

  /// Runs the query anew.
  func run(in snapshot: Snapshot) -> [RowKey] {
    let keys = matches(in: snapshot)
    guard let order else { return keys }
    return order.entries(for: keys, in: snapshot).map { RowKey($0.key) }
  }

  private func matches(in snapshot: Snapshot) -> [RowKey] {
    var keys: [RowKey] = []
    if query.predicate == .constant(true) {
      keys.reserveCapacity(snapshot.rowCount(query.table))
      snapshot.forEachKey(in: query.table) { keys.append($0) }
    } else {
      predicate.forEachMatch(in: snapshot) { keys.append($0) }
    }
    return keys
  }

  package func checkInvariants() {
    switch rows {
    case .everyRow: break
    case .keys(let tree): tree.checkInvariants { $0 == $1 }
    case .entries(let tree): tree.checkInvariants { $0.code == $1.code && $0.key == $1.key }
    }
  }
}
