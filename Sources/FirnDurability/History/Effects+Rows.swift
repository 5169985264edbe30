package import FirnEngine

/// What a commit did to one row.
package struct RowHistory: Sendable {
  package enum Kind: Sendable { case inserted, modified, deleted }

  package let kind: Kind
  package let key: RowKey
  /// Nil where the table has none, and where it was not recorded.
  package fileprivate(set) var primaryKey: Value?
  /// The columns that were given or written; of a deleted row those whose values were recorded. Ascending.
  package fileprivate(set) var cells: [Cell] = []

  package struct Cell: Sendable {
    package let column: ColumnID
    /// Nil where there was none, where it was not recorded, and for collections.
    package fileprivate(set) var old: Value?
    /// Nil where there is none, and for collections.
    package fileprivate(set) var new: Value?
  }
}

extension Effects {
  /// The tables that something happened to.
  package var touchedTables: [TableID] { tables.filter { !$0.isEmpty }.map(\.table) }

  /// What happened to the rows of a table: those inserted, modified, deleted, each ascending.
  package func rows(of table: TableID) -> [RowHistory] {
    guard let effects = effects(on: table) else { return [] }
    let primaryKey = map.tables[table.index].primaryKey.map { ColumnID($0) }
    return bytes.withUnsafeBytes { bytes in
      var inserted = effects.inserted.map { RowHistory(kind: .inserted, key: $0) }
      for column in effects.insertedColumns {
        var values = OptionalValues(column, in: bytes)
        for index in inserted.indices {
          let value = values.next()
          if column.column == primaryKey { inserted[index].primaryKey = value }
          inserted[index].cells.append(RowHistory.Cell(column: column.column, old: nil, new: value))
        }
      }
      var modified = effects.groups.flatMap { $0.rows(in: bytes) }
      modified.sort { $0.key < $1.key }
      var deleted = effects.deleted.map { RowHistory(kind: .deleted, key: $0) }
      if let column = effects.deletedPrimaryKeys {
        var values = OptionalValues(column, in: bytes)
        for index in deleted.indices { deleted[index].primaryKey = values.next() }
      }
      for column in effects.deletedColumns {
        var values = OptionalValues(column, in: bytes)
        for index in deleted.indices {
          deleted[index].cells.append(RowHistory.Cell(column: column.column, old: values.next(), new: nil))
        }
      }
      return inserted + modified + deleted
    }
  }

  private func effects(on table: TableID) -> TableEffects? {
    var low = 0
    var high = tables.count
    while low < high {
      let middle = (low + high) / 2
      if tables[middle].table < table { low = middle + 1 } else { high = middle }
    }
    return low < tables.count && tables[low].table == table ? tables[low] : nil
  }

  /// Calls `body` with the deleted rows of tables that have primary keys.
  package func forEachDeletedPrimaryKey(_ body: (TableID, RowKey, Value) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for table in tables {
        guard let column = table.deletedPrimaryKeys else { continue }
        var cursor = CellCursor(column, in: bytes)
        for key in table.deleted { body(table.table, key, cursor.nextValue()) }
      }
    }
  }
}

extension TableEffects {
  fileprivate var isEmpty: Bool { inserted.isEmpty && groups.isEmpty && deleted.isEmpty }
}

extension ModifiedGroup {
  fileprivate func rows(in bytes: UnsafeRawBufferPointer) -> [RowHistory] {
    var rows = keys.map { RowHistory(kind: .modified, key: $0) }
    if let primaryKeys {
      var values = OptionalValues(primaryKeys, in: bytes)
      for index in rows.indices { rows[index].primaryKey = values.next() }
    }
    let old = Dictionary(uniqueKeysWithValues: oldColumns.map { ($0.column, $0) })
    for column in columns.sorted(by: { $0.column < $1.column }) {
      var new = OptionalValues(column, in: bytes)
      var old = old[column.column].map { OptionalValues($0, in: bytes) }
      for index in rows.indices {
        rows[index].cells.append(RowHistory.Cell(column: column.column, old: old?.next(), new: new.next()))
      }
    }
    return rows
  }
}

/// The cells of a column, one after the other; of collections nothing.
private struct OptionalValues {
  private var cursor: CellCursor?

  init(_ column: CellColumn, in bytes: UnsafeRawBufferPointer) {
    if column.format.collection == nil { cursor = CellCursor(column, in: bytes) }
  }

  mutating func next() -> Value? { cursor?.nextValue() }
}

extension CellCursor {
  /// The next cell of a column that is no collection.
  mutating func nextValue() -> Value {
    if nextIsNull() { return .null }
    return switch format.type {
    case .bool: .bool(bool())
    case .int: .int(int())
    case .float: .float(fixed(Float.self))
    case .double: .double(fixed(Double.self))
    case .date: .date(fixed(Double.self))
    case .string: .string(Array(bytes()))
    case .data: .data(Array(bytes()))
    case .objectID: .objectID(fixed(Bytes12.self))
    case .uuid: .uuid(fixed(Bytes16.self))
    case .decimal128: .decimal128(fixed(Bytes16.self))
    case .link: link().map { .link($0) } ?? .null
    case .mixed: MixedBytes.value(bytes())
    }
  }
}
