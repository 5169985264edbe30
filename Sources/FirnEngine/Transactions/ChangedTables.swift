/// What happened to each table of a schema, one entry per table in its order.
///
/// Only tables that something happened to take memory: a commit mostly touches one, and a schema may have very many.
@usableFromInline
package struct ChangedTables: RandomAccessCollection, MutableCollection, Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let table: Int
    @usableFromInline var changes: TableChanges

    @inlinable
    init(table: Int) {
      self.table = table
      changes = TableChanges()
    }
  }

  /// Ascending by table.
  @usableFromInline var entries: [Entry] = []
  @usableFromInline package let count: Int

  @usableFromInline static let nothing = TableChanges()

  package init(count: Int) { self.count = count }

  @inlinable package var startIndex: Int { 0 }

  @inlinable package var endIndex: Int { count }

  /// The number of rows named.
  var touchedRowCount: Int {
    var count = 0
    for place in entries.indices { count &+= entries[place].changes.touchedRowCount }
    return count
  }

  /// The tables that something may have happened to, ascending. To the others nothing did.
  @inlinable package var touched: some RandomAccessCollection<Int> { entries.lazy.map(\.table) }

  /// Whether a condition holds for one of the tables that something may have happened to.
  @inlinable
  package func containsTouched(where holds: (_ table: Int, _ changes: TableChanges) -> Bool) -> Bool {
    for place in entries.indices where holds(entries[place].table, entries[place].changes) { return true }
    return false
  }

  @inlinable
  package subscript(table: Int) -> TableChanges {
    _read {
      let place = place(of: table)
      if place < entries.count, entries[place].table == table {
        yield entries[place].changes
      } else {
        yield Self.nothing
      }
    }
    _modify {
      let place = place(of: table)
      if place == entries.count {
        entries.append(Entry(table: table))
      } else if entries[place].table != table {
        entries.insert(Entry(table: table), at: place)
      }
      yield &entries[place].changes
    }
  }

  /// Forgets what happened. Keeps the memory for what happens next in a table, if that is all there was, and little.
  mutating func removeAll(keepingMemoryOf table: Int?) {
    if entries.isEmpty { return }
    guard entries.count == 1, entries[0].table == table else {
      entries = []
      return
    }
    entries[0].changes.removeAll()
  }

  /// Calls `body` with the entry of a table, which is not copied.
  package func withChanges<Result>(of table: Int, _ body: (UnsafePointer<TableChanges>) -> Result) -> Result {
    withUnsafePointer(to: self[table], body)
  }

  /// The place of a table among the entries, or where it belongs.
  @inlinable
  func place(of table: Int) -> Int {
    precondition(table >= 0 && table < count, "No such table.")
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low &+ high) >> 1
      if entries[middle].table < table { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
