extension GraphContents {
  /// Traps unless an ordered index has every row of its table once, where its values are.
  ///
  /// - Complexity: O(rows).
  func checkInvariants(of index: OrderedIndex) {
    func require(_ condition: Bool, _ invariant: StaticString) {
      if !condition { fatalError("Index '\(index.name)': \(invariant) (violated)") }
    }
    let root = root(of: index)
    ListTree.checkInvariants(root, OrderedTree.shape)
    let count = OrderedTree.count(root)
    require(count == rowCount(index.table), "an index has as many rows as its table")
    var last: OrderedEntry?
    OrderedTree.forEach(root, in: 0..<count) { entry in
      guard let location = locate(RowKey(entry.row), in: index.table) else {
        require(false, "an index leads to rows that exist")
        return false
      }
      index.withValues(of: location, self) { values in
        require(index.code(values).bits == entry.code, "a code is that of the row's values")
        guard let last else { return }
        require(OrderedProbe(values, index, self).isAfter(last, .row(entry.row)), "rows ascend")
      }
      last = entry
      return true
    }
  }
}
