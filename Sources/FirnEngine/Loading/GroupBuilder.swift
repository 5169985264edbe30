/// Makes clusters of one group of rows, in one thread with a block store of its own.
struct GroupBuilder {
  let layout: TableLayout
  let dictionaries: [ColumnDictionary]
  let keys: [UInt64]
  let store: BlockStore
  let willExpand: @Sendable (Int) throws -> Void

  /// The clusters of the group, nil when it has no rows. Throws whatever is wrong with it alone.
  func build(_ columns: [ColumnChunk?], tail: UInt64?) throws -> TablePart? {
    if columns.count != layout.columnCount {
      throw LoadError(
        message: "Table '\(layout.name)' has \(layout.columnCount) columns, but \(columns.count) were given.")
    }
    guard let firstKey = keys.first, let lastKey = keys.last else { return nil }
    try checkKeys()
    return try keys.withUnsafeBufferPointer { keys in
      let start = keys.baseAddress.unsafelyUnwrapped
      var planner = ClusterPlanner(layout: layout, keys: start, store: store, tail: tail)
      planner.plan(0..<keys.count)
      let filler = ColumnFiller(plans: planner.plans, keys: start, store: store)
      for index in columns.indices {
        let context = ColumnContext(layout: layout, column: index)
        let chunk = try columns[index] ?? context.defaults(count: keys.count)
        try ColumnLoader(
          context: context, dictionary: dictionaries[index], filler: filler, willExpand: willExpand
        ).load(chunk, rowCount: keys.count)
      }
      return TablePart(firstKey: firstKey, lastKey: lastKey, clusters: planner.plans.map(\.cluster))
    }
  }

  private func checkKeys() throws {
    var isAscending = true
    var index = 1
    while index < keys.count {
      isAscending = isAscending && keys[index &- 1] < keys[index]
      index &+= 1
    }
    if !isAscending { throw LoadError(message: "The row keys of table '\(layout.name)' do not ascend.") }
    if let last = keys.last, last >= HashIndex.rowKeyLimit {
      throw LoadError(message: "Table '\(layout.name)' has the row key \(last), beyond the limit of 2^40 - 2.")
    }
  }
}

extension ColumnContext {
  /// What rows have in a column that is not given.
  func defaults(count: Int) throws -> ColumnChunk {
    if description.isPrimaryKey, !description.isNullable { throw error("is the primary key, but has no values") }
    return .constant(nil, description, count: count)
  }
}
