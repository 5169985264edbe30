internal import FirnEngine

extension Effects {
  /// Reads effects and checks everything that can be checked without the graph: numbers, counts and keys, that text is UTF-8,
  /// that there is nothing behind.
  ///
  /// - Parameter budget: Pays for what applying the effects takes in memory.
  /// - Complexity: O(bytes), in time and memory.
  package convenience init(
    decoding bytes: UnsafeRawBufferPointer, map: CatalogueMap, budget: ExpansionBudget = .unlimited
  ) throws(DecodingError) {
    var decoder = EffectsDecoder(reader: ByteReader(bytes), map: map, budget: budget)
    let tables = try decoder.decode()
    self.init(bytes: Array(bytes), tables: tables, map: map)
  }
}

/// Reads effects table by table.
struct EffectsDecoder {
  var reader: ByteReader
  let map: CatalogueMap
  let budget: ExpansionBudget

  mutating func decode() throws(DecodingError) -> [TableEffects] {
    // A table takes at least seven bytes.
    let count = try reader.readCount(byteCountMin: 7, max: map.tables.count)
    var tables: [TableEffects] = []
    tables.reserveCapacity(count)
    for _ in 0..<count {
      let table = try decodeTable()
      if tables.contains(where: { $0.table == table.table }) { throw reader.error("A table is named twice") }
      tables.append(table)
    }
    try reader.expectEnd()
    return tables
  }

  private mutating func decodeTable() throws(DecodingError) -> TableEffects {
    let id = try reader.readVarint()
    guard let id = UInt32(exactly: id), let table = map.table(id) else { throw reader.error("There is no table \(id)") }
    var effects = TableEffects(table: table, nextKey: try reader.readVarint())
    // Indexes take keys below their limit, which is just below that of keys.
    if effects.nextKey > HashIndex.rowKeyLimit { throw reader.error("A next key of \(effects.nextKey)") }
    effects.inserted = try decodeKeys(below: effects.nextKey)
    try claimRows(effects)
    try decodeInsertedColumns(&effects)
    let groupCount = try reader.readCount(byteCountMin: 5)
    effects.groups.reserveCapacity(groupCount)
    for _ in 0..<groupCount { effects.groups.append(try decodeGroup(effects)) }
    effects.deleted = try decodeKeys(below: effects.nextKey)
    let hasPrimaryKeys = try reader.readByte()
    if hasPrimaryKeys > 1 { throw reader.error("A flag of \(hasPrimaryKeys)") }
    if hasPrimaryKeys == 1 {
      let column = try decodeColumnID(of: table)
      if column.index != map.tables[table.index].primaryKey { throw reader.error("A column that is no primary key") }
      effects.deletedPrimaryKeys = try decodeColumn(
        column, of: table, count: effects.deleted.count, allowsDeltas: false)
    }
    return effects
  }

  /// Claims what the inserted rows take, whatever their cells are, and the way to them.
  private func claimRows(_ effects: TableEffects) throws(DecodingError) {
    if effects.inserted.isEmpty { return }
    let columns = map.tables[effects.table.index].description.columns
    var byteCount = effects.inserted.count * MemoryEstimate.row(columns.lazy.map { ($0.type, $0.collection) })
    var previous: UInt64?
    for key in effects.inserted {
      byteCount += MemoryEstimate.directory(of: key.rawValue, after: previous, columnCount: columns.count)
      previous = key.rawValue
    }
    try budget.claim(byteCount)
  }

  private mutating func decodeInsertedColumns(_ effects: inout TableEffects) throws(DecodingError) {
    let expected = effects.inserted.isEmpty ? 0 : map.tables[effects.table.index].columnIDs.count
    let columnCount = try reader.readCount(max: ColumnSet.capacity)
    if columnCount != expected { throw reader.error("\(columnCount) columns where the table has \(expected)") }
    var seen = ColumnSet()
    effects.insertedColumns.reserveCapacity(columnCount)
    for _ in 0..<columnCount {
      let column = try decodeColumnID(of: effects.table)
      if seen.contains(column) { throw reader.error("A column is named twice") }
      seen.insert(column)
      effects.insertedColumns.append(
        try decodeColumn(column, of: effects.table, count: effects.inserted.count, allowsDeltas: false))
    }
    effects.insertedColumns.sort { $0.column < $1.column }
  }

  private mutating func decodeGroup(_ effects: TableEffects) throws(DecodingError) -> ModifiedGroup {
    let columnCount = try reader.readCount(max: ColumnSet.capacity)
    if columnCount == 0 { throw reader.error("A group without columns") }
    var columns: [ColumnID] = []
    columns.reserveCapacity(columnCount)
    var seen = ColumnSet()
    for _ in 0..<columnCount {
      let column = try decodeColumnID(of: effects.table)
      if seen.contains(column) { throw reader.error("A column is named twice") }
      if column.index == map.tables[effects.table.index].primaryKey { throw reader.error("A primary key was modified") }
      seen.insert(column)
      columns.append(column)
    }
    var group = ModifiedGroup(keys: try decodeKeys(below: effects.nextKey), columns: [])
    if group.keys.isEmpty { throw reader.error("A group without rows") }
    group.columns.reserveCapacity(columnCount)
    for column in columns {
      group.columns.append(
        try decodeColumn(column, of: effects.table, count: group.keys.count, allowsDeltas: true))
    }
    return group
  }

  private mutating func decodeColumnID(of table: TableID) throws(DecodingError) -> ColumnID {
    let id = try reader.readVarint()
    guard let id = UInt32(exactly: id), let column = map.column(id, in: table) else {
      throw reader.error("Table '\(map.tables[table.index].description.name)' has no column \(id)")
    }
    return column
  }

  private mutating func decodeKeys(below end: UInt64) throws(DecodingError) -> [RowKey] {
    let count = try reader.readCount()
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    var least: UInt64 = 0
    for _ in 0..<count {
      let difference = try reader.readVarint()
      guard difference < end, least < end - difference else {
        throw reader.error("A key at or above the next, \(end),")
      }
      keys.append(RowKey(least + difference))
      least += difference + 1
    }
    return keys
  }

  private mutating func decodeColumn(
    _ column: ColumnID, of table: TableID, count: Int, allowsDeltas: Bool
  ) throws(DecodingError) -> CellColumn {
    let format = CellFormat(map.tables[table.index].description.columns[column.index])
    let start = reader.offset
    if let kind = format.collection {
      var elementCount = 0
      for _ in 0..<count {
        elementCount += try reader.skipCollection(format.element, kind, allowsDeltas: allowsDeltas)
      }
      let entryByteCount = MemoryEstimate.element(format.type) + (kind == .map ? MemoryEstimate.element(.string) : 0)
      let collectionCount = min(elementCount, count)
      try budget.claim(elementCount * entryByteCount + collectionCount * MemoryEstimate.collection)
    } else {
      try reader.skipCells(format, count: count)
    }
    return CellColumn(column: column, format: format, count: count, offset: start)
  }
}
