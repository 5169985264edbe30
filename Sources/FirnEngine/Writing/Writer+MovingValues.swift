// Whole columns, as migrations change them.
extension Writer {
  /// Gives the values of a column to another one of the same type, in all rows. The other may be null where the first may
  /// not. Embedded rows and collections inside mixed values, which have one owner, leave the first.
  ///
  /// - Parameter isMoved: Whether the values of a row move.
  /// - Complexity: O(values), collections element by element.
  package func moveValues(
    of column: ColumnID, to other: ColumnID, in table: TableID, where isMoved: (RowKey) -> Bool = { _ in true }
  ) {
    let layout = self.layout.tables[table.index]
    let description = layout.columns[column.index]
    let isOwner = description.linkKind == .embedded || description.type == .mixed
    // What leaves the first column is in the other one already.
    keepsReleasedCollections = true
    defer { keepsReleasedCollections = false }
    for key in keys(of: table) where isMoved(key) {
      if description.storage.isCollection {
        moveCollection(column, to: other, of: key, in: table)
      } else {
        set(other, of: key, in: table, to: contents.value(column, of: key, in: table))
      }
      if isOwner { clear(column, description, of: key, in: table) }
    }
  }

  /// Makes a column null, or its collections empty, in all rows. What belongs to the values goes.
  ///
  /// - Complexity: O(values).
  package func clearValues(of column: ColumnID, in table: TableID) {
    let description = layout.tables[table.index].columns[column.index]
    for key in keys(of: table) { clear(column, description, of: key, in: table) }
  }

  private func keys(of table: TableID) -> [RowKey] {
    var keys: [RowKey] = []
    keys.reserveCapacity(contents.rowCount(table))
    contents.forEachKey(in: table) { keys.append($0) }
    return keys
  }

  private func clear(_ column: ColumnID, _ description: ColumnLayout, of key: RowKey, in table: TableID) {
    if !description.storage.isCollection {
      setNull(column, of: key, in: table)
    } else if contents.listCount(column, of: key, in: table) > 0 {
      removeAll(of: column, of: key, in: table)
    }
  }

  private func moveCollection(_ column: ColumnID, to other: ColumnID, of key: RowKey, in table: TableID) {
    let count = contents.listCount(column, of: key, in: table)
    if count == 0 { return }
    let storage = layout.tables[table.index].columns[column.index].storage
    for index in 0..<count {
      let value = contents.listValue(at: index, of: column, of: key, in: table)
      switch storage {
      case .map:
        set(
          value, forKey: contents.mapKey(at: index, of: column, of: key, in: table), ofMap: other, of: key, in: table)
      case .set: insert(value, intoSet: other, of: key, in: table)
      default: insert(value, at: index, of: other, of: key, in: table)
      }
    }
  }
}
