package import FirnEngine

extension Effects {
  /// The rows that the effects name, as a commit would have told them. Collections that are given whole have no delta.
  package func changeSet() -> ChangeSet {
    var changes = rowChanges()
    forEachList { table, list, delta in
      if let delta { changes.tables[table.index].lists[list] = delta }
    }
    return changes
  }

  /// The same without what happened in collections.
  package func rowChanges() -> ChangeSet {
    var changes = ChangeSet(tableCount: map.tables.count)
    for table in tables {
      var rows: [RowKey: ColumnSet] = [:]
      for group in table.groups {
        let columns = ColumnSet(group.columns.lazy.map(\.column))
        for key in group.keys { rows[key, default: ColumnSet()].formUnion(columns) }
      }
      changes.tables[table.table.index].inserted = table.inserted
      changes.tables[table.table.index].deleted = table.deleted
      changes.tables[table.table.index].modified =
        rows.map { ModifiedRow(key: $0, columns: $1) }.sorted { $0.key < $1.key }
    }
    return changes
  }

  /// The key that the next row of each table gets, as far as the effects tell.
  package var nextKeys: [(table: TableID, key: UInt64)] { tables.map { ($0.table, $0.nextKey) } }

  /// Calls `body` with every collection of a modified row and what happened to it; nil for one that is given whole.
  func forEachList(_ body: (TableID, ListID, ListDelta?) -> Void) {
    bytes.withUnsafeBytes { bytes in
      for table in tables {
        for group in table.groups {
          for column in group.columns where column.format.collection != nil {
            var cursor = CellCursor(column, in: bytes)
            for key in group.keys {
              body(table.table, ListID(row: key, column: column.column), cursor.nextDelta())
            }
          }
        }
      }
    }
  }
}

extension CellCursor {
  /// Passes a collection and returns its delta; nil for one that is given whole.
  fileprivate mutating func nextDelta() -> ListDelta? {
    if !isDelta() {
      let count = count()
      passElements(count: count, keyCount: count)
      return nil
    }
    var delta = ListDelta(count: 0)
    var cellCount = 0
    var keyCount = 0
    for _ in 0..<count() {
      let run = run()
      delta.append(run.kind, run.count)
      if run.kind == .touch || run.kind == .insert { cellCount &+= run.count }
      if run.kind == .insert { keyCount &+= run.count }
    }
    passElements(count: cellCount, keyCount: keyCount)
    return delta
  }

  private mutating func passElements(count: Int, keyCount: Int) {
    passKeys(keyCount)
    var elements = elements(count: count)
    for _ in 0..<count where !elements.nextIsNull() { elements.passValue() }
    passElements(elements)
  }

  /// Passes a value that is not null.
  mutating func passValue() {
    switch format.type {
    case .bool: _ = bool()
    case .int, .link: _ = varint()
    case .string, .data, .mixed: _ = bytes()
    case .float: _ = fixed(UInt32.self)
    case .double, .date: _ = fixed(UInt64.self)
    case .objectID: _ = fixed(Bytes12.self)
    case .uuid, .decimal128: _ = fixed(Bytes16.self)
    }
  }

  /// Appends the encoded bytes of the next cell, of a single bool one byte; false for null.
  mutating func appendNextEncoded(to bytes: inout [UInt8]) -> Bool {
    if nextIsNull() { return false }
    if format.type == .bool {
      bytes.append(bool() ? 1 : 0)
      return true
    }
    let start = position
    passValue()
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: position - start))
    return true
  }
}
