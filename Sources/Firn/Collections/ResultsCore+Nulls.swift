internal import FirnEngine

/// Nulls among the objects of a query: values of a map, as long as no condition is put.
extension ResultsCore {
  /// Stands for a null among the keys of rows.
  static var nullKey: UInt64 { .max }

  /// Whether the elements may be null.
  var showsNulls: Bool {
    guard case .list(let owner, _, let column) = source, !isOfValues, predicate == .constant(true) else { return false }
    return owner.layout.columns[column.index].storage == .map
  }

  /// Whether the elements are values of a custom type that are stored as embedded objects.
  var isOfCustomValues: Bool {
    guard case .list(let owner, _, let column) = source, !isOfValues else { return false }
    return owner.model.properties[column.index].shape.custom != nil
  }

  /// Puts keys in the order of the query. Nulls come first, and last when that is descending or has nulls last.
  func sort(_ keys: inout [UInt64], in contents: GraphContents) {
    let count = keys.count
    if showsNulls { keys.removeAll { $0 == Self.nullKey } }
    let nulls = repeatElement(Self.nullKey, count: count - keys.count)
    SortedKeys.sort(keys: &keys, by: sort, table: table.table, contents: contents)
    if nulls.isEmpty { return }
    let areLast = sort.first.map { !$0.ascending || $0.nullsLast } ?? false
    keys.insert(contentsOf: nulls, at: areLast ? keys.count : 0)
  }
}
