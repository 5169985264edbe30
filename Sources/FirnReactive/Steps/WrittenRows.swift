import FirnEngine

/// The modified rows of tables to which others were added that count as modified. The other tables have those of the
/// changes.
struct WrittenRows {
  private struct Table {
    let index: Int
    var modified: [ModifiedRow] = []
    var isUsed = false
  }

  /// Mostly one. Those that are not used wait for the next step, for their memory.
  private var tables: [Table] = []

  mutating func removeAll() {
    for place in tables.indices where tables[place].isUsed {
      tables[place].isUsed = false
      tables[place].modified.removeAllInPlace(keepingAtMost: 64)
    }
  }

  /// Adds rows of a table, ascending, to those that were modified.
  mutating func add(_ rows: [RowKey], of table: Int, _ changes: ChangeSet) {
    if rows.isEmpty { return }
    let place = tables.firstIndex { $0.index == table } ?? tables.count
    if place == tables.count { tables.append(Table(index: table)) }
    tables[place].isUsed = true
    changes.tables[table].appendModified(and: rows, to: &tables[place].modified)
  }

  /// The modified rows of a table, ascending.
  func modified(of table: Int, _ changes: ChangeSet) -> [ModifiedRow] {
    for entry in tables where entry.isUsed && entry.index == table { return entry.modified }
    return changes.tables[table].modified
  }

  /// Whether rows were added to a table.
  func hasAdded(to table: Int) -> Bool { tables.contains { $0.isUsed && $0.index == table } }

  /// Calls `body` with each table that rows were added to.
  func forEachTable(_ body: (Int) -> Void) {
    for entry in tables where entry.isUsed { body(entry.index) }
  }
}
