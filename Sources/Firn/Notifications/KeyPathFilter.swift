internal import FirnEngine

/// Which modifications an observer wants to hear of.
struct KeyPathFilter {
  /// Columns of the observed row itself; nil for all.
  private(set) var columns: ColumnSet?
  /// Paths through links and to backlinks.
  private(set) var paths: [[PathStep]]
  /// The tables behind links that count without being named.
  private(set) var reach: LinkReach?

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
    var rows = reach.map { Set(step.sortedRowsReaching($0)) } ?? []
    for path in paths { rows.formUnion(step.rowsReaching(path, from: table)) }
    return rows
  }

  /// The rows of `table` of which something counts that was written, in themselves or behind their links.
  func touchedRows(_ step: ChangeStep, _ table: Int) -> Set<RowKey> {
    var rows = rowsReaching(step, table)
    for row in step.changes.tables[table].modified where includes(row.columns) { rows.insert(row.key) }
    return rows
  }

  /// Lets everything count that counts for another filter of the same table.
  mutating func formUnion(_ other: KeyPathFilter) {
    if let wanted = other.columns { columns?.formUnion(wanted) } else { columns = nil }
    for path in other.paths where !paths.contains(path) { paths.append(path) }
    if reach == nil { reach = other.reach }
  }

  /// Whether a write to these columns counts.
  func includes(_ written: ColumnSet) -> Bool {
    columns.map { !$0.isDisjoint(with: written) } ?? !written.isEmpty
  }
}
