/// The values of one column of a table itself between two bounds, as the most frequent conditions ask for them: answered by
/// an ordered index without a predicate.
package struct ColumnRange {
  package let column: ColumnID
  package let lower: (value: Value, isIncluded: Bool)?
  package let upper: (value: Value, isIncluded: Bool)?

  /// The values from one to another.
  package init(_ column: ColumnID, _ lower: Value, _ upper: Value) {
    self.column = column
    self.lower = (lower, true)
    self.upper = (upper, true)
  }

  /// The values that compare so with a constant; nil for those that do not lie between bounds.
  package init?(_ column: ColumnID, _ comparison: Comparison, _ value: Value) {
    self.column = column
    switch comparison {
    case .equal: (lower, upper) = ((value, true), (value, true))
    case .less: (lower, upper) = (nil, (value, false))
    case .lessOrEqual: (lower, upper) = (nil, (value, true))
    case .greater: (lower, upper) = ((value, false), nil)
    case .greaterOrEqual: (lower, upper) = ((value, true), nil)
    case .notEqual: return nil
    }
  }

  /// Whether it is one value.
  var isPoint: Bool {
    guard let lower, let upper else { return false }
    return lower.value == upper.value
  }

  /// Where its rows are in an index whose first path is the column; nil when a predicate has to say it.
  fileprivate func positions(in index: OrderedIndex, _ contents: GraphContents) -> Range<Int>? {
    let column = index.resolved[0].column
    guard contents.isSettled(index), suits(lower?.value, column), suits(upper?.value, column) else { return nil }
    // Below a value null and NaN do not count, but for texts, of which null is the least.
    if lower == nil, column.type == .string, column.isNullable { return nil }
    let root = contents.root(of: index)
    func rank(_ value: OrderedValue, isAfter: Bool) -> Int {
      withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: 1) { values in
        values.initializeElement(at: 0, to: value)
        return OrderedProbe(values, index, contents).rank(root, isAfter ? .after : .before)
      }
    }
    func rank(_ value: Value, isAfter: Bool) -> Int {
      switch value {
      case .bool(let bool): return rank(OrderedValue(number: bool ? 1 : 0), isAfter: isAfter)
      case .int(let int): return rank(OrderedValue(int), isAfter: isAfter)
      case .double(let double), .date(let double): return rank(OrderedValue(double), isAfter: isAfter)
      case .string(let bytes): return bytes.withUnsafeBytes { rank(OrderedValue(bytes: $0), isAfter: isAfter) }
      default: fatalError("Values of this kind do not bound a range.")
      }
    }
    let isReal = column.type == .double || column.type == .date
    let start =
      if let lower { rank(lower.value, isAfter: !lower.isIncluded) } else if isReal || column.isNullable {
        rank(OrderedValue(.notANumber), isAfter: true)
      } else { 0 }
    let end = if let upper { rank(upper.value, isAfter: upper.isIncluded) } else { OrderedTree.count(root) }
    return start..<max(start, end)
  }

  /// Whether a bound is a value of the column, neither null nor NaN.
  private func suits(_ value: Value?, _ column: ColumnLayout) -> Bool {
    switch (value, column.type) {
    case (nil, .bool), (nil, .int), (nil, .double), (nil, .date), (nil, .string): true
    case (.bool, .bool), (.int, .int), (.string, .string): true
    case (.double(let value), .double), (.date(let value), .date): !value.isNaN
    default: false
    }
  }
}

/// Reading without a predicate. Inside of a transaction an index is used only when it is settled.
extension GraphContents {
  /// The number of rows of a table in a range, if an ordered index knows it.
  ///
  /// - Complexity: O(log n).
  package func indexedCount(of range: ColumnRange, in table: TableLayout) -> Int? {
    let index = table.columns[range.column.index].leadingIndex
    return index < 0 ? nil : range.positions(in: layout.orderedIndexes[Int(index)], self)?.count
  }

  /// The rows of a table in a range, or all, in the order of a sort, if an ordered index has them so.
  ///
  /// - Complexity: O(log n).
  package func indexedRows(of range: ColumnRange?, in table: TableID, sortedBy sort: [SortKey]) -> SortedRows? {
    for index in layout.orderedIndexes(of: table) {
      if let range, !index.isFirst(range.column) { continue }
      guard let direction = index.direction(of: sort, fixedCount: range?.isPoint == true ? 1 : 0) else { continue }
      let positions: Range<Int>
      if let range {
        guard let found = range.positions(in: index, self) else { return nil }
        positions = found
      } else {
        if !isSettled(index) { return nil }
        positions = 0..<rowCount(table)
      }
      return SortedRows(
        index, positions.isEmpty ? [] : [positions], isReversed: direction == .descending, isComplete: true, self)
    }
    return nil
  }
}

extension OrderedIndex {
  /// Whether it orders by a column of its table before all.
  fileprivate func isFirst(_ column: ColumnID) -> Bool {
    resolved[0].linkCount == 0 && resolved[0].columnIndex == column.index
  }
}
