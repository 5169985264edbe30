internal import FirnEngine

extension Effects {
  /// Reads effects and checks everything that can be checked without the graph: numbers, counts and keys, that text is UTF-8,
  /// that there is nothing behind.
  ///
  /// - Parameters:
  ///   - budget: Pays for the effects themselves, and for the rows of the past that are made of them where old values
  ///     are read. The graph shows the bytes that applying them takes.
  ///   - oldValues: What to do about the values that were before.
  /// - Complexity: O(bytes), in time and memory.
  package convenience init(
    decoding bytes: UnsafeRawBufferPointer, map: CatalogueMap, budget: ExpansionBudget = .unlimited,
    oldValues: OldValues = .missing
  ) throws(DecodingError) {
    var decoder = EffectsDecoder(reader: ByteReader(bytes), map: map, budget: budget)
    if oldValues == .read { decoder.historyCell = MemoryEstimate.historyCell }
    var tables = try decoder.decode()
    switch oldValues {
    case .missing: try decoder.reader.expectEnd()
    case .skipped: break
    case .read:
      for index in tables.indices { try decoder.decodeOldValues(&tables[index]) }
      try decoder.reader.expectEnd()
    }
    if zip(tables, tables.dropFirst()).contains(where: { $0.table > $1.table }) {
      tables.sort { $0.table < $1.table }
    }
    try budget.claim(decoder.reader.offset)
    self.init(bytes: Array(bytes.prefix(decoder.reader.offset)), tables: tables, map: map)
  }

  /// The values that rows had before, which follow the effects in some frames.
  package enum OldValues {
    /// There are none.
    case missing
    /// They are there, but not wanted.
    case skipped
    case read
  }
}

/// Reads effects table by table.
struct EffectsDecoder {
  var reader: ByteReader
  let map: CatalogueMap
  let budget: ExpansionBudget
  /// The bytes of a cell where rows of the past are made of the effects, else 0.
  var historyCell = 0

  mutating func decode() throws(DecodingError) -> [TableEffects] {
    // A table takes at least seven bytes.
    let count = try reader.readCount(byteCountMin: 7, max: map.tables.count)
    try budget.claim(count, each: MemoryLayout<TableEffects>.stride + 16)
    var tables: [TableEffects] = []
    tables.reserveCapacity(count)
    // Looking through a few takes less than a set does.
    let usesSet = count > 16
    var seen: Set<TableID> = []
    if usesSet { seen.reserveCapacity(count) }
    for _ in 0..<count {
      let table = try decodeTable()
      let isRepeated =
        usesSet ? !seen.insert(table.table).inserted : tables.contains { $0.table == table.table }
      if isRepeated { throw reader.error("A table is named twice") }
      tables.append(table)
    }
    return tables
  }

  private mutating func decodeTable() throws(DecodingError) -> TableEffects {
    let id = try reader.readVarint()
    guard let id = UInt32(exactly: id), let table = map.table(id) else { throw reader.error("There is no table \(id)") }
    var effects = TableEffects(table: table, nextKey: try reader.readVarint())
    // Indexes take keys below their limit, which is just below that of keys.
    if effects.nextKey > HashIndex.rowKeyLimit { throw reader.error("A next key of \(effects.nextKey)") }
    effects.inserted = try decodeKeys(below: effects.nextKey)
    try decodeInsertedColumns(&effects)
    let groupCount = try reader.readCount(byteCountMin: 5)
    try budget.claim(groupCount, each: MemoryLayout<ModifiedGroup>.stride)
    effects.groups.reserveCapacity(groupCount)
    for _ in 0..<groupCount { effects.groups.append(try decodeGroup(effects)) }
    effects.deleted = try decodeKeys(below: effects.nextKey)
    let hasPrimaryKeys = try reader.readByte()
    if hasPrimaryKeys > 1 { throw reader.error("A flag of \(hasPrimaryKeys)") }
    if hasPrimaryKeys == 1 {
      let (_, column) = try decodeColumnID(of: table)
      guard let column, column.index == map.tables[table.index].primaryKey else {
        throw reader.error("A column that is no primary key")
      }
      effects.deletedPrimaryKeys = try decodeColumn(
        column, of: table, count: effects.deleted.count, allowsDeltas: false)
    }
    return effects
  }

  /// Columns that were added later are missing, and columns that were dropped later are passed.
  private mutating func decodeInsertedColumns(_ effects: inout TableEffects) throws(DecodingError) {
    let columnCount = try reader.readCount()
    if effects.inserted.isEmpty {
      if columnCount > 0 { throw reader.error("\(columnCount) columns without rows") }
      return
    }
    let table = map.tables[effects.table.index]
    var seen = ColumnSet()
    var greatest: UInt32 = 0
    let knownCount = min(columnCount, table.columnIDs.count)
    try budget.claim(knownCount, each: MemoryLayout<CellColumn>.stride)
    effects.insertedColumns.reserveCapacity(knownCount)
    for _ in 0..<columnCount {
      let (id, column) = try decodeColumnID(of: effects.table)
      greatest = max(greatest, id)
      guard let column else {
        try skipDropped(id, of: effects.table, count: effects.inserted.count, allowsDeltas: false)
        continue
      }
      if seen.contains(column) { throw reader.error("A column is named twice") }
      seen.insert(column)
      effects.insertedColumns.append(
        try decodeColumn(column, of: effects.table, count: effects.inserted.count, allowsDeltas: false))
    }
    effects.insertedColumns.sort { $0.column < $1.column }
    if let primaryKey = table.primaryKey, !seen.contains(ColumnID(primaryKey)) {
      throw reader.error("The primary key of '\(table.description.name)' is missing")
    }
    // Numbers ascend with time.
    for (index, id) in table.columnIDs.enumerated() where !seen.contains(ColumnID(index)) {
      if id <= greatest { throw reader.error("Column \(id) of '\(table.description.name)' is missing") }
    }
  }

  private mutating func decodeGroup(_ effects: TableEffects) throws(DecodingError) -> ModifiedGroup {
    let columnCount = try reader.readCount()
    if columnCount == 0 { throw reader.error("A group without columns") }
    try budget.claim(columnCount, each: 16 + MemoryLayout<CellColumn>.stride)
    var columns: [(id: UInt32, column: ColumnID?)] = []
    columns.reserveCapacity(columnCount)
    var seen = ColumnSet()
    for _ in 0..<columnCount {
      let (id, column) = try decodeColumnID(of: effects.table)
      columns.append((id, column))
      guard let column else { continue }
      if seen.contains(column) { throw reader.error("A column is named twice") }
      if column.index == map.tables[effects.table.index].primaryKey { throw reader.error("A primary key was modified") }
      seen.insert(column)
    }
    var group = ModifiedGroup(keys: try decodeKeys(below: effects.nextKey), columns: [])
    if group.keys.isEmpty { throw reader.error("A group without rows") }
    group.columns.reserveCapacity(columnCount)
    for (id, column) in columns {
      if let column {
        group.columns.append(
          try decodeColumn(column, of: effects.table, count: group.keys.count, allowsDeltas: true))
      } else {
        try skipDropped(id, of: effects.table, count: group.keys.count, allowsDeltas: true)
      }
    }
    return group
  }

  /// The number of a column, and the column; nil for one that was dropped.
  mutating func decodeColumnID(of table: TableID) throws(DecodingError) -> (id: UInt32, column: ColumnID?) {
    let number = try reader.readVarint()
    if let id = UInt32(exactly: number) {
      if let column = map.column(id, in: table) { return (id, column) }
      if map.dropped(id, of: table) != nil { return (id, nil) }
    }
    throw reader.error("Table '\(map.tables[table.index].description.name)' has no column \(number)")
  }

  /// Passes the cells of a column that the graph does not have.
  mutating func skipDropped(
    _ id: UInt32, of table: TableID, count: Int, allowsDeltas: Bool
  ) throws(DecodingError) {
    guard let format = map.dropped(id, of: table) else { return }
    guard let kind = format.collection else { return try reader.skipCells(format, count: count) }
    for _ in 0..<count { _ = try reader.skipCollection(format.element, kind, allowsDeltas: allowsDeltas) }
  }

  private mutating func decodeKeys(below end: UInt64) throws(DecodingError) -> [RowKey] {
    let count = try reader.readCount()
    try budget.claim(count, each: MemoryLayout<RowKey>.stride + historyCell)
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

  mutating func decodeColumn(
    _ column: ColumnID, of table: TableID, count: Int, allowsDeltas: Bool
  ) throws(DecodingError) -> CellColumn {
    let format = CellFormat(map.tables[table.index].description.columns[column.index])
    let start = reader.offset
    try budget.claim(count, each: historyCell)
    var linkCount = count
    if let kind = format.collection {
      linkCount = 0
      for _ in 0..<count {
        linkCount += try reader.skipCollection(format.element, kind, allowsDeltas: allowsDeltas)
      }
    } else {
      try reader.skipCells(format, count: count)
    }
    if format.type == .link || format.type == .mixed { try budget.claim(linkCount, each: MemoryEstimate.appliedLink) }
    return CellColumn(column: column, format: format, count: count, offset: start)
  }
}
