import FirnEngine

/// What counts for a filter.
extension Step {
  struct TouchedRows {
    let filter: KeyPathFilter
    let table: Int
    /// Ascending; nil when there are more than the limit.
    let behind: [RowKey]?
    let limit: Int
  }

  /// The rows of a table behind whose links something was written that counts, ascending. Each filter is looked
  /// at once.
  ///
  /// - Parameter limit: So many links are followed. Nil when there are more.
  func rowsBehind(_ filter: KeyPathFilter, in table: Int, following limit: Int) -> [RowKey]? {
    if filter.paths.isEmpty {
      guard let reach = filter.reach else { return [] }
      return rowsReaching(reach, following: limit)
    }
    let index = touched.firstIndex { $0.table == table && $0.filter == filter }
    if let index, touched[index].behind != nil || touched[index].limit >= limit { return touched[index].behind }
    let known = TouchedRows(filter: filter, table: table, behind: climb(filter, table, limit), limit: limit)
    if let index { touched[index] = known } else { touched.append(known) }
    return known.behind
  }

  private func climb(_ filter: KeyPathFilter, _ table: Int, _ limit: Int) -> [RowKey]? {
    var rows: [RowKey] = []
    if let reach = filter.reach {
      guard let reached = rowsReaching(reach, following: limit) else { return nil }
      rows = reached
    }
    for path in filter.paths {
      guard let reached = rowsReaching(path, from: table, following: limit) else { return nil }
      rows += reached
    }
    rows.sort()
    rows.removeRepeats()
    return rows
  }

  /// Whether something of a row counts that was written, in itself or behind its links. Walks down the links.
  func isTouched(_ key: RowKey, _ filter: KeyPathFilter, in table: Int) -> Bool {
    filter.includes(written(key, in: table)) || isTouchedBehind(key, filter, in: table)
  }

  private func isTouchedBehind(_ key: RowKey, _ filter: KeyPathFilter, in table: Int) -> Bool {
    if let reach = filter.reach {
      let isReached = reach.isExact ? reachesWritten(key, reach) : rowsReaching(reach)?.containsSorted(key) == true
      if isReached { return true }
    }
    return filter.paths.contains { isWritten($0[...], from: key, in: table) }
  }

  /// Those of some rows of which something counts that was written.
  ///
  /// Costs what was touched, or what is looked at, whichever is less.
  ///
  /// - Parameters:
  ///   - count: The number of rows that are looked at.
  ///   - contains: Whether a row is one of them.
  ///   - forEach: Calls its argument with each of them; those that are null are left out.
  func touchedRows(
    among count: Int, _ filter: KeyPathFilter, in table: Int, contains: (RowKey) -> Bool,
    forEach: ((RowKey) -> Void) -> Void
  ) -> Set<RowKey> {
    var rows: Set<RowKey> = []
    if count == 0 { return rows }
    let written = changes.tables[table].modified
    let behind = rowsBehind(filter, in: table, following: climbLimit(observing: count))
    guard let behind, written.count + behind.count <= max(64, count) else {
      forEach { key in
        let isTouched =
          if let behind { behind.containsSorted(key) || filter.includes(self.written(key, in: table)) } else {
            self.isTouched(key, filter, in: table)
          }
        if isTouched { rows.insert(key) }
      }
      return rows
    }
    for row in written where filter.includes(row.columns) && contains(row.key) { rows.insert(row.key) }
    for key in behind where contains(key) { rows.insert(key) }
    return rows
  }
}
