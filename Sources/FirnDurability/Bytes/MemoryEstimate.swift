internal import FirnEngine

/// What things take in the memory of a graph, as far as a ``ExpansionBudget`` has to know: never much less than they do.
enum MemoryEstimate {
  /// A row with its key, without the strings and elements in it.
  static func row(_ columns: some Sequence<(type: ColumnType, collection: CollectionKind?)>) -> Int {
    columns.reduce(16) { $0 + ($1.collection != nil ? 8 : element($1.type)) }
  }

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

  /// What one value in so many rows takes besides the rows.
  static func constant(_ value: Value?, count: Int) -> Int { (value?.storedBytes?.count ?? 0) * count }

  /// A collection with elements, besides these.
  static var collection: Int { 64 }

  /// What finds a row of a table when `previous` is the key before its own: nodes of 64 entries, and at least a cluster in each
  /// of the lowest.
  static func directory(of key: UInt64, after previous: UInt64?, columnCount: Int) -> Int {
    let differing = previous.map { 64 - ($0 ^ key).leadingZeroBitCount } ?? 40
    if differing <= 14 { return 0 }
    return (differing - 14 + 5) / 6 * 1_024 + 256 + columnCount * 64
  }
}
