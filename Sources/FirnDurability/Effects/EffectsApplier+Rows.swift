internal import FirnEngine

extension EffectsApplier {
  /// Inserts the rows of a table but for their collections, and links to rows that are not there yet.
  mutating func insertRows(_ effects: TableEffects) throws(EffectsError) {
    let table = effects.table
    if !effects.inserted.isEmpty {
      var cursors = effects.insertedColumns.map { CellCursor($0, in: bytes) }
      let ids = effects.insertedColumns.map(\.column)
      var primaryKeys = writer.layout.tables[table.index].primaryKey
        .flatMap { ids.firstIndex(of: ColumnID($0)) }.map { cursors[$0] }
      let columns = writer.layout.tables[table.index].columns
      let defaults = self.effects.map.tables[table.index].defaults.enumerated()
        .filter { $1 != nil && !ids.contains(ColumnID($0)) }.map { (ColumnID($0), $1 ?? .null) }
      // Links and indexed values.
      let linkCount = (0..<writer.layout.tables[table.index].columnCount).count { columns[$0].target >= 0 }
      let targets = effects.insertedColumns.map { TableID(Int(columns[$0.column.index].target)) }
      for key in effects.inserted {
        if primaryKeys?.nextPrimaryKeyExists(writer, table, besides: effects.deleted) ?? false {
          throw error(table, "row \(key.rawValue) has the primary key of another")
        }
        writer.skipKeys(of: table, to: key)
        let writer = writer
        writer.insert(into: table) { row in
          var index = 0
          while index < cursors.count {
            let column = ids[index]
            let format = cursors[index].format
            if format.collection != nil || format.type == .mixed {
              // Comes later.
            } else if format.type == .link {
              if let target = cursors[index].link() {
                if writer.contents.contains(target, in: targets[index]) {
                  row.setLink(column, target)
                } else {
                  openLinks.append(OpenLink(table: table, row: key, column: column, target: target))
                }
              }
            } else {
              cursors[index].set(column, of: &row)
            }
            index &+= 1
          }
          for (column, value) in defaults { row.set(column, value) }
        }
        try checkMemory(linkCount: linkCount)
      }
    }
    writer.skipKeys(of: table, to: RowKey(effects.nextKey))
  }

  /// Sets a column of rows that are there.
  mutating func modify(_ column: CellColumn, of keys: [RowKey], in table: TableID) throws(EffectsError) {
    if column.format.collection != nil { return try setCollections(column, of: keys, in: table) }
    if column.format.type == .mixed { return try setMixed(column, of: keys, in: table) }
    var cursor = CellCursor(column, in: bytes)
    for key in keys {
      if column.format.type == .link {
        let target = cursor.link()
        if let target { try checkTarget(target, column.column, in: table) }
        writer.setLink(column.column, of: key, in: table, to: target)
      } else {
        cursor.set(column.column, of: key, in: table, writer)
      }
      // The old value and the new one, where the column is a link or indexed.
      try checkMemory(linkCount: 2)
    }
  }
}

extension EffectsApplier {
  /// Sets a mixed column of rows that are there, new ones or not, as are those that the values lead to.
  mutating func setMixed(_ column: CellColumn, of keys: [RowKey], in table: TableID) throws(EffectsError) {
    var cursor = CellCursor(column, in: bytes)
    for key in keys {
      if cursor.nextIsNull() {
        writer.setNull(column.column, of: key, in: table)
        continue
      }
      let value = cursor.bytes()
      try checkReference(MixedBytes.reference(value), column.column, in: table)
      writer.setMixedBytes(column.column, of: key, in: table, to: value)
      try checkMemory(linkCount: 2)
    }
  }
}

extension CellCursor {
  /// Gives a new row the next cell; not a link or collection.
  @inline(__always)
  fileprivate mutating func set(_ column: ColumnID, of row: inout RowInserter) {
    if nextIsNull() { return row.setNull(column) }
    switch format.type {
    case .bool: row.setBool(column, bool())
    case .int: row.setInt(column, int())
    case .float: row.setFloat(column, fixed(Float.self))
    case .double, .date: row.setDouble(column, fixed(Double.self))
    case .string, .data: row.setBytes(column, bytes())
    case .objectID: row.setBytes12(column, fixed(Bytes12.self))
    case .uuid, .decimal128: row.setBytes16(column, fixed(Bytes16.self))
    case .link, .mixed: fatalError("Links of new rows are set when their targets are there.")
    }
  }

  /// Gives a row the next cell; not a link or collection.
  fileprivate mutating func set(_ column: ColumnID, of key: RowKey, in table: TableID, _ writer: Writer) {
    if nextIsNull() { return writer.setNull(column, of: key, in: table) }
    switch format.type {
    case .bool: writer.setBool(column, of: key, in: table, to: bool())
    case .int: writer.setInt(column, of: key, in: table, to: int())
    case .float: writer.setFloat(column, of: key, in: table, to: fixed(Float.self))
    case .double, .date: writer.setDouble(column, of: key, in: table, to: fixed(Double.self))
    case .string, .data: writer.setBytes(column, of: key, in: table, to: bytes())
    case .objectID: writer.setBytes12(column, of: key, in: table, to: fixed(Bytes12.self))
    case .uuid, .decimal128: writer.setBytes16(column, of: key, in: table, to: fixed(Bytes16.self))
    case .link, .mixed: fatalError("A link is checked before it is set.")
    }
  }

  /// Whether the next cell, a primary key, is that of a row which is not about to be deleted.
  fileprivate mutating func nextPrimaryKeyExists(
    _ writer: Writer, _ table: TableID, besides deleted: [RowKey]
  ) -> Bool {
    if nextIsNull() { return NullKey().exists(writer, table, deleted) }
    return switch format.type {
    case .bool: BoolKey(bool()).exists(writer, table, deleted)
    case .int: IntKey(int()).exists(writer, table, deleted)
    case .double, .date: DoubleKey(fixed(Double.self)).exists(writer, table, deleted)
    case .string, .data: BytesKey(bytes()).exists(writer, table, deleted)
    case .objectID: Bytes12Key(fixed(Bytes12.self)).exists(writer, table, deleted)
    case .uuid, .decimal128: Bytes16Key(fixed(Bytes16.self)).exists(writer, table, deleted)
    case .float, .link, .mixed: fatalError("A column of this type is no primary key.")
    }
  }
}

extension ColumnKey {
  /// Rows that are deleted by the same effects still have their keys; new rows may take them over.
  fileprivate func exists(_ writer: Writer, _ table: TableID, _ deleted: [RowKey]) -> Bool {
    let layout = writer.layout.tables[table.index]
    let root = writer.contents.tableRoot(table)
    guard let index = TableRoot.primaryKeyIndex(root), let primaryKey = layout.primaryKey else { return false }
    let column = layout.columns[primaryKey]
    return HashIndex.find(root: index, hash: hash(seed: writer.layout.seed)) { row in
      guard let location = Directory.locate(root, row), matches(location.cluster, location.slot, column) else {
        return false
      }
      return !deleted.containsSorted(RowKey(row))
    } != nil
  }
}
