import FirnEngine

/// What a graph should hold: a dictionary of rows per table.
struct GraphModel {
  struct Row {
    /// `.null` for collections.
    var values: [Value]
    /// The elements of lists and, in their order, of sets, and the values of maps.
    var lists: [Int: [Value]]
    /// The keys of maps, ascending, one for each value.
    var names: [Int: [[UInt8]]] = [:]
  }

  /// Rows by key.
  var tables: [[UInt64: Row]]
  let layout: GraphLayout

  init(layout: GraphLayout) {
    self.layout = layout
    tables = Array(repeating: [:], count: layout.visibleCount)
  }

  func keys(_ table: TableID) -> [UInt64] { tables[table.index].keys.sorted() }

  func columns(_ table: TableID) -> [ColumnDescription] { layout.schema[table.index].columns }

  /// The keys of rows that link to each row through one column, as often as they do.
  func backlinks(_ table: TableID, _ column: Int) -> [UInt64: [UInt64]] {
    var result: [UInt64: [UInt64]] = [:]
    for key in keys(table) {
      let row = tables[table.index][key]!
      for value in [row.values[column]] + (row.lists[column] ?? []) {
        if case .link(let target) = value { result[target.rawValue, default: []].append(key) }
      }
    }
    return result
  }

  /// Rows by value of an indexed column.
  func postings(_ table: TableID, _ column: Int) -> [Value: [UInt64]] {
    var result: [Value: [UInt64]] = [:]
    for key in keys(table) {
      let value = tables[table.index][key]!.values[column]
      if value != .null { result[value.indexed, default: []].append(key) }
    }
    return result
  }

  /// Deletes rows, clears what led to them, and tells what it wrote.
  mutating func delete(_ deleted: Set<UInt64>, from table: TableID, written: (TableID, UInt64, Int) -> Void) {
    for key in deleted { tables[table.index][key] = nil }
    for origin in layout.schema.indices {
      for (column, description) in layout.schema[origin].columns.enumerated() where description.target == table {
        for key in tables[origin].keys {
          if let collection = description.collection {
            let old = tables[origin][key]!.lists[column]!
            if !old.contains(where: { $0.leads(to: deleted) }) { continue }
            tables[origin][key]!.lists[column] =
              collection == .map
              ? old.map { $0.leads(to: deleted) ? .null : $0 } : old.filter { !$0.leads(to: deleted) }
          } else {
            guard tables[origin][key]!.values[column].leads(to: deleted) else { continue }
            tables[origin][key]!.values[column] = .null
          }
          written(TableID(origin), key, column)
        }
      }
    }
  }
}

extension Value {
  fileprivate func leads(to keys: Set<UInt64>) -> Bool {
    if case .link(let key) = self { return keys.contains(key.rawValue) }
    return false
  }
}
