import FirnEngine

extension ViewQuery {
  /// Whether rows of other tables decide about membership or order.
  var followsLinks: Bool {
    var result = false
    forEachPath { if !$0.links.isEmpty { result = true } }
    return result
  }

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

  /// Columns of other tables that paths read, by table. A table that paths lead back to is among them.
  func columnsBehindLinks(schema: [TableDescription]) -> [TableID: ColumnSet] {
    var result: [TableID: ColumnSet] = [:]
    forEachPath { path in
      var table = self.table
      for (index, link) in path.links.enumerated() {
        table = schema.target(of: link, in: table)
        let next = index + 1 < path.links.count ? path.links[index + 1] : path.column
        result[table, default: ColumnSet()].insert(next)
      }
    }
    return result
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
