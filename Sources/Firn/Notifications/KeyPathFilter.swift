internal import FirnEngine

/// Which modifications an observer wants to hear of.
struct KeyPathFilter {
  /// Columns of the observed row itself; nil for all.
  let columns: ColumnSet?
  /// Paths through links and to backlinks.
  let paths: [[PathStep]]
  /// The tables behind links that count without being named.
  let reach: LinkReach?

  /// No filter. Of collections, objects behind links count too.
  init(everythingIn table: Int, _ layout: GraphLayout, followsLinks: Bool) {
    columns = nil
    paths = []
    reach = followsLinks ? LinkReach(from: table, layout) : nil
  }

  /// Traps when a path names a property that does not exist.
  init(_ keyPaths: [[String]], in table: Int, _ store: Store) {
    var columns = ColumnSet()
    var paths: [[PathStep]] = []
    for names in keyPaths {
      let path = PathStep.steps(names, from: table, store)
      if case .column(let column) = path[0] {
        columns.insert(column)
        if path.count == 1 { continue }
      }
      paths.append(path)
    }
    self.columns = columns
    self.paths = paths
    reach = nil
  }

  var looksBehindLinks: Bool { reach != nil || !paths.isEmpty }

  /// The rows of `table` to which something counts that changed behind their links.
  func rowsReaching(_ step: ChangeStep, _ table: Int) -> Set<RowKey> {
    if let reach { return step.rowsReaching(reach) }
    var rows: Set<RowKey> = []
    for path in paths { rows.formUnion(step.rowsReaching(path, from: table)) }
    return rows
  }

  /// Whether a write to these columns counts.
  func includes(_ written: ColumnSet) -> Bool {
    columns.map { !$0.isDisjoint(with: written) } ?? !written.isEmpty
  }
}
