/// Two rows agree in all values of a unique index.
package struct UniqueViolation: Error, Sendable {
  package let tableName: String
  /// What the index is over.
  package let indexName: String
  /// The rows, in the order of their keys.
  package let rows: [RowKey]
  /// Their primary keys; empty in a table without.
  package let primaryKeys: [Value]

  /// - Parameter primaryKey: That of the table, if it does not know.
  init(
    _ index: OrderedIndex, _ one: RowKey, _ other: RowKey, _ contents: GraphContents, primaryKey: ColumnID? = nil
  ) {
    let layout = contents.layout.tables[index.table.index]
    tableName = layout.name
    indexName = index.name
    let rows = [one, other].sorted()
    self.rows = rows
    let primaryKey = primaryKey ?? layout.primaryKey.map { ColumnID($0) }
    primaryKeys = primaryKey.map { column in rows.map { contents.value(column, of: $0, in: index.table) } } ?? []
  }
}

extension GraphContents {
  /// A row that agrees with another in all values of an index, none of which is null; nil when there is none.
  ///
  /// - Complexity: O(log n).
  func row(equalTo key: RowKey, in index: OrderedIndex) -> RowKey? {
    guard let location = locate(key, in: index.table), let root = root(of: index) else { return nil }
    return index.withValues(of: location, self) { values in
      let probe = OrderedProbe(values, index, self)
      if probe.hasNull { return nil }
      let position = probe.rank(root, .row(key.rawValue))
      for neighbour in [position - 1, position + 1]
      where neighbour >= 0 && neighbour < OrderedTree.count(root) {
        let entry = OrderedTree.select(root, neighbour)
        if probe.order(of: entry) == 0 { return RowKey(entry.row) }
      }
      return nil
    }
  }

  /// Two rows that agree in the values of a unique index which the graph does not have; nil when none do.
  ///
  /// - Parameter primaryKey: The column that tells rows apart, if the graph has no primary keys yet.
  /// - Complexity: That of building the index.
  package func uniqueViolation(
    of description: IndexDescription, in table: TableID, primaryKey: ColumnID? = nil
  ) -> UniqueViolation? {
    let index = OrderedIndex(description, number: 0, table: table, slot: 0, tables: layout.tables)
    let store = BlockStore()
    let (root, suspects) = OrderedBuilder(index: index, contents: self).build(store)
    guard let suspect = suspects.min(), let location = locate(RowKey(suspect), in: table) else { return nil }
    let other = index.withValues(of: location, self) { values in
      let probe = OrderedProbe(values, index, self)
      return OrderedTree.select(root.unsafelyUnwrapped, probe.rank(root, .row(suspect)) - 1).row
    }
    return UniqueViolation(index, RowKey(other), RowKey(suspect), self, primaryKey: primaryKey)
  }
}

extension Writer {
  /// Two rows that keep the running transaction from being committed: they agree in a unique index. Nil when none do.
  ///
  /// - Complexity: O(log n) for each row that had an equal when it was put into its index.
  package var uniqueViolation: UniqueViolation? {
    for number in layout.uniqueIndexes {
      settleOrdered(number)
      if let violation = violation(of: layout.orderedIndexes[number]) { return violation }
    }
    return nil
  }

  private func violation(of index: OrderedIndex) -> UniqueViolation? {
    let state = ordered + index.number
    if state.pointee.suspects.isEmpty { return nil }
    let contents = self.contents
    for key in state.pointee.suspects.sorted() {
      if let other = contents.row(equalTo: RowKey(key), in: index) {
        return UniqueViolation(index, RowKey(key), other, contents)
      }
    }
    state.pointee.suspects.removeAll()
    return nil
  }
}
