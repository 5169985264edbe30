/// What one or more consecutive commits changed, table by table.
///
/// Merging keeps the net effect: a row inserted and deleted in between is in neither list, a row inserted and then
/// modified is inserted, a modified row that is deleted is deleted.
package struct ChangeSet: Sendable {
  /// One entry per table of the schema, in its order. Hidden tables of indexes are not listed.
  package var tables: ChangedTables

  package init(tableCount: Int) { tables = ChangedTables(count: tableCount) }

  package var isEmpty: Bool { tables.touched.allSatisfy { tables[$0].isEmpty } }

  /// The number of rows named.
  package var touchedRowCount: Int { tables.touchedRowCount }

  /// Adds what a later commit changed.
  package mutating func merge(_ later: ChangeSet) {
    for index in later.tables.touched where !later.tables[index].isEmpty {
      tables[index].merge(later.tables[index])
    }
  }
}

/// What happened to the rows of one table. All arrays ascend by key; no key is in two of them.
@usableFromInline
package struct TableChanges: Sendable {
  @usableFromInline package var inserted: [RowKey] = []
  @usableFromInline package var deleted: [RowKey] = []
  @usableFromInline package var modified: [ModifiedRow] = []
  /// What happened inside collections of modified rows, by row and column. Positions in sets and maps are those of their
  /// order.
  package var lists: [ListID: ListDelta] = [:]

  @usableFromInline
  package init() {}

  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  package var touchedRowCount: Int { inserted.count + deleted.count + modified.count }

  /// Forgets everything. Keeps the memory of short lists.
  mutating func removeAll() {
    inserted.removeAllInPlace(keepingAtMost: 64)
    deleted.removeAllInPlace(keepingAtMost: 64)
    modified.removeAllInPlace(keepingAtMost: 64)
    if !lists.isEmpty { lists = [:] }
  }
}

/// A row that stayed, and the columns written in it. Writing an equal value counts.
@usableFromInline
package struct ModifiedRow: Sendable, Hashable {
  @usableFromInline package var key: RowKey
  @usableFromInline package var columns: ColumnSet

  @inlinable
  package init(key: RowKey, columns: ColumnSet) {
    self.key = key
    self.columns = columns
  }
}

/// A list, set or map of one row.
package struct ListID: Hashable, Sendable {
  package var row: RowKey
  package var column: ColumnID

  package init(row: RowKey, column: ColumnID) {
    self.row = row
    self.column = column
  }
}
