import FirnEngine

/// Which rows a view shows, ready to be asked of single ones.
///
/// The most frequent condition, a value that lies at the end of a path, is asked as it was written: compiled it takes much
/// memory, and there may be very many views.
struct RowCondition {
  let query: ViewQuery
  /// Nil where all rows match, or those with one value.
  private let compiled: CompiledPredicate?

  init(_ query: ViewQuery, _ layout: GraphLayout) {
    self.query = query
    compiled =
      query.predicate == .constant(true) || query.predicate.equality(query.table, layout) != nil
      ? nil : CompiledPredicate(query.predicate, table: query.table, layout: layout)
  }

  var isAlways: Bool { if case .constant(let holds) = query.predicate { holds } else { false } }

  /// The value that rows have at the end of a path if they match, and only then; nil where more counts.
  var equality: (path: ColumnPath, value: Value)? {
    guard compiled == nil, case .test(.column(let path), .compare(_, let value)) = query.predicate
    else { return nil }
    return (path, value)
  }

  /// Whether rows match that have a value at the end of the path, and no others.
  func isEquality(with value: Value) -> Bool {
    guard case .test(_, .compare(_, let own)) = query.predicate else { return false }
    return own == value
  }

  func matches(_ row: RowKey, in contents: GraphContents) -> Bool {
    if let compiled { return compiled.matches(row, in: contents) }
    guard let (path, value) = equality else { return true }
    if contents.value(at: path, of: row, in: query.table) != value { return false }
    // What does not exist reads as null.
    return value != .null || contents.contains(row, in: query.table)
  }

  /// Calls `body` with all rows that match, ascending.
  func forEachMatch(in contents: GraphContents, _ body: (RowKey) -> Void) {
    let compiled = compiled ?? CompiledPredicate(query.predicate, table: query.table, layout: contents.layout)
    compiled.forEachMatch(in: contents, body)
  }
}

extension Predicate {
  /// The same as one access, if there is one value for which the predicate holds, and no other.
  fileprivate func equality(_ table: TableID, _ layout: GraphLayout) -> Access? {
    guard case .test(.column(let path), .compare(.equal, let value)) = self,
      let accesses = accesses(table, layout.schema), accesses.count == 1,
      case .equal(RoutedPath(path.reads), value) = accesses[0]
    else { return nil }
    return accesses[0]
  }
}
