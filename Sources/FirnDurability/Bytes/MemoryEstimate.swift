package import FirnEngine

/// Estimates of memory for an ``ExpansionBudget``: they are never much too low.
enum MemoryEstimate {
  // MARK: Tables and columns

  /// A table of a catalogue, in the form in which a file gives it.
  static var catalogueTable: Int { MemoryLayout<Catalogue.Table>.stride + 96 }

  /// A column of a catalogue without the bytes of its name and its default.
  static var catalogueColumn: Int { MemoryLayout<Catalogue.Column>.stride + 32 }

  /// The bytes that a graph and its maps take for tables and columns, without any row.
  static func layout(_ catalogue: Catalogue) -> Int {
    catalogue.tables.reduce(4_096) { sum, table in
      let columns = table.columns + table.dropped
      return columns.reduce(sum + graphTable) { sum, column in
        let defaultByteCount = column.defaultValue?.storedBytes?.count ?? 0
        return sum + graphColumn + 2 * defaultByteCount + (column.isIndexed ? graphTable : 0)
      }
    }
  }

  private static var graphTable: Int { 2_048 }
  private static var graphColumn: Int { 1_024 }

  // MARK: Values

  /// A value, without the bytes of a string.
  static func element(_ type: ColumnType) -> Int {
    switch type {
    case .bool: 1
    case .string, .data, .mixed: 16
    // Its mirror at the target is as large.
    case .link: 16
    case .int, .float, .double, .date, .objectID, .uuid, .decimal128: max(8, type.width)
    }
  }

  /// One value in so many rows takes besides the rows.
  static func constant(_ value: Value?) -> Int { value?.storedBytes?.count ?? 0 }

  /// A link on its way into the graph, which waits for its target and then for its mirror.
  static var appliedLink: Int { MemoryLayout<OpenLink>.stride + 16 }

  /// A value of a row of the past, or the row, with the array that a string is then.
  static var historyCell: Int { MemoryLayout<RowHistory.Cell>.stride + MemoryLayout<RowHistory>.stride + 32 }

  /// A collection with elements, besides these.
  static var collection: Int { 64 }

  /// A value of a dictionary without its bytes: its length, its place, what finds it, and how many rows have it.
  static var dictionaryValue: Int { 48 }
}

/// The memory that rows of a table take, whatever their values are.
package struct RowEstimate: Sendable {
  /// A row with its key, without the strings and elements in it.
  let row: Int
  /// A cluster and its leaves without room for rows.
  let cluster: Int

  /// - Parameter clusterByteCount: The bytes of the head of a cluster. It grows with the columns of the table and with
  ///   those of others that lead to it.
  package init(_ columns: some Collection<(type: ColumnType, collection: CollectionKind?)>, clusterByteCount: Int) {
    row = columns.reduce(16) { $0 + ($1.collection != nil ? 8 : MemoryEstimate.element($1.type)) }
    cluster = clusterByteCount + 256 + columns.count * 64
  }

  /// Rows of a table of a graph.
  package init(_ table: TableLayout) {
    self.init(
      table.descriptions.lazy.map { ($0.type, $0.collection) }, clusterByteCount: table.clusterSize)
  }

  /// Rows with ascending keys, which are the only ones of their table: their clusters, and the nodes that lead to
  /// these.
  ///
  /// - Parameter keys: At most 2^40 each.
  func directory(of keys: [UInt64]) -> Int {
    var byteCount = 0
    var start = 0
    var entryCount = 0
    for index in keys.indices {
      let previous = index == 0 ? nil : keys[index - 1]
      if previous.map({ $0 >> 8 != keys[index] >> 8 }) ?? true { entryCount += 1 }
      // A node of the lowest level leads to 64 entries of 256 keys each.
      if index + 1 < keys.count, keys[index + 1] >> 14 == keys[index] >> 14 { continue }
      byteCount += Self.nodes(to: keys[index], after: start == 0 ? nil : keys[start - 1])
      byteCount += Self.clusterCount(entries: entryCount, rows: index + 1 - start) * cluster
      start = index + 1
      entryCount = 0
    }
    // The leaves of a cluster that is not full have room for more.
    return byteCount + LeafCapacity.slots(for: min(keys.count, LeafCapacity.most)) * row
  }

  /// The nodes above a key that are not above the one before.
  private static func nodes(to key: UInt64, after previous: UInt64?) -> Int {
    let differingBitCount = 64 - ((previous ?? 0) ^ key).leadingZeroBitCount
    return ((previous == nil ? 1 : 0) + max(0, differingBitCount - 14 + 5) / 6) * 1_024
  }

  /// The most clusters that a node of the lowest level has: sparse neighbours share one.
  private static func clusterCount(entries: Int, rows: Int) -> Int { min(entries, rows / 27 + 7) }
}
