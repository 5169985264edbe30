extension Predicate {
  /// Calls `body` with every column path that the predicate reads, with some of them several times.
  package func forEachPath(_ body: (ColumnPath) -> Void) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { part.forEachPath(body) }
    case .not(let part): part.forEachPath(body)
    case .compare(let path, _, _), .isIn(let path, _), .text(let path, _, _, _), .mixed(let path, _):
      body(path)
    case .compareColumns(let left, _, let right):
      body(left)
      body(right)
    }
  }
}
