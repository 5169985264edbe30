extension GraphContents {
  /// The least or greatest value of a column, from the end of an ordered index; `.null` when all are null or NaN. Nil when
  /// no index has the selected rows in the order of the column.
  ///
  /// - Complexity: O(log n).
  func indexedExtreme(_ aggregate: Aggregate, of column: ColumnID, in table: TableID, _ selection: Selection) -> Value?
  {
    switch layout.tables[table.index].columns[column.index].type {
    case .int, .float, .double, .date: break
    default: return nil
    }
    let accesses: [OrderedAccess]
    switch selection {
    case .all: accesses = layout.orderedAccesses(toAllOf: table)
    case .matching(let predicate): accesses = predicate.constantResult == nil ? predicate.ordered : []
    case .keys: return nil
    }
    let path = ColumnPath(column)
    for access in accesses where access.isComplete && access.boundCount <= access.fixedCount + 1 {
      guard access.fixedCount < access.index.pathCount, access.index.paths[access.fixedCount] == path,
        access.isUsable(in: self, beside: rowCount(table))
      else { continue }
      let positions = access.positions(in: self)
      guard let place = aggregate == .min ? first(of: positions, access) : positions.last.map({ $0.upperBound - 1 }),
        let key = key(at: place, of: access.index), let row = locate(key, in: table)
      else { return .null }
      let value = value(column.index, at: row, in: layout.tables[table.index])
      return value.isNaN ? .null : value
    }
    return nil
  }

  /// The first of some positions that has a value: nulls and NaNs come before.
  private func first(of positions: [Range<Int>], _ access: OrderedAccess) -> Int? {
    guard let first = positions.first, let bound = access.bounds.first else { return nil }
    let fixed = access.fixedCount
    let start = withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: fixed + 1) { values in
      for place in 0..<fixed { values.initializeElement(at: place, to: bound.lower[place]) }
      values.initializeElement(at: fixed, to: OrderedValue(.notANumber))
      return OrderedProbe(values, access.index, self).rank(root(of: access.index), .after)
    }
    if start <= first.lowerBound { return first.lowerBound }
    return positions.first { $0.upperBound > start }.map { max($0.lowerBound, start) }
  }
}
