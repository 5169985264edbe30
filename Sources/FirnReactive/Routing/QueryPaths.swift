import FirnEngine

extension ViewQuery {
  /// Columns of the view's own table that decide about membership.
  var predicateColumns: ColumnSet {
    var columns = ColumnSet()
    predicate.forEachPath { columns.insert($0.links.first ?? $0.column) }
    return columns
  }

  func forEachPath(_ body: (ColumnPath) -> Void) {
    predicate.forEachPath(body)
    for key in sort { body(key.path) }
  }

  /// The paths that lead through links.
  var linkPaths: Set<ColumnPath> {
    var paths: Set<ColumnPath> = []
    forEachPath { if !$0.links.isEmpty { paths.insert($0) } }
    return paths
  }
}

extension Predicate {
  func forEachPath(_ body: (ColumnPath) -> Void) {
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
