internal import FirnEngine

extension EffectsDecoder {
  /// Reads what the rows of a table were before.
  mutating func decodeOldValues(_ effects: inout TableEffects) throws(DecodingError) {
    for index in effects.groups.indices {
      let count = effects.groups[index].keys.count
      let hasPrimaryKeys = try reader.readByte()
      if hasPrimaryKeys > 1 { throw reader.error("A flag of \(hasPrimaryKeys)") }
      if hasPrimaryKeys == 1 {
        let (_, column) = try decodeColumnID(of: effects.table)
        guard let column, column.index == map.tables[effects.table.index].primaryKey else {
          throw reader.error("A column that is no primary key")
        }
        effects.groups[index].primaryKeys = try decodeColumn(
          column, of: effects.table, count: count, allowsDeltas: false)
      }
      effects.groups[index].oldColumns = try decodeOldColumns(of: effects.table, count: count)
    }
    if effects.deleted.isEmpty { return }
    effects.deletedColumns = try decodeOldColumns(of: effects.table, count: effects.deleted.count)
  }

  /// Columns that were dropped later are passed.
  private mutating func decodeOldColumns(of table: TableID, count: Int) throws(DecodingError) -> [CellColumn] {
    let columnCount = try reader.readCount()
    try budget.claim(min(columnCount, map.tables[table.index].columnIDs.count), each: MemoryLayout<CellColumn>.stride)
    var columns: [CellColumn] = []
    var seen = ColumnSet()
    for _ in 0..<columnCount {
      let (id, column) = try decodeColumnID(of: table)
      guard let column else {
        if map.dropped(id, of: table)?.collection != nil { throw reader.error("A collection among old values") }
        try skipDropped(id, of: table, count: count, allowsDeltas: false)
        continue
      }
      let description = map.tables[table.index].description.columns[column.index]
      if description.collection != nil { throw reader.error("A collection among old values") }
      if column.index == map.tables[table.index].primaryKey { throw reader.error("A primary key among old values") }
      if seen.contains(column) { throw reader.error("A column is named twice") }
      seen.insert(column)
      columns.append(try decodeColumn(column, of: table, count: count, allowsDeltas: false))
    }
    return columns
  }
}
