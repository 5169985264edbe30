/// What one or more consecutive commits changed, table by table.
///
/// Merging keeps the net effect: a row inserted and deleted in between is in neither list, a row inserted and then
/// modified is inserted, a modified row that is deleted is deleted.
package struct ChangeSet: Sendable {
  /// One entry per table of the schema, in its order. Hidden tables of indexes are not listed.
  package var tables: [TableChanges]

  package init(tableCount: Int) {
    tables = Array(repeating: TableChanges(), count: tableCount)
  }

  package var isEmpty: Bool { tables.allSatisfy(\.isEmpty) }

  /// The number of rows named.
  package var touchedRowCount: Int { tables.reduce(0) { $0 + $1.touchedRowCount } }

  /// Adds what a later commit changed.
  package mutating func merge(_ later: ChangeSet) {
    for index in tables.indices where !later.tables[index].isEmpty {
      tables[index].merge(later.tables[index])
    }
  }
}

/// What happened to the rows of one table. All arrays ascend by key; no key is in two of them.
package struct TableChanges: Sendable {
  package var inserted: [RowKey] = []
  package var deleted: [RowKey] = []
  package var modified: [ModifiedRow] = []
  /// What happened inside collections of modified rows, by row and column. Positions in sets and maps are those of their
  /// order.
  package var lists: [ListID: ListDelta] = [:]

  package init() {}

  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  package var touchedRowCount: Int { inserted.count + deleted.count + modified.count }
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
