internal import FirnEngine

/// Which modifications an observer wants to hear of.
struct KeyPathFilter {
  /// Columns of the observed row itself; nil for all.
  let columns: ColumnSet?
  /// Paths through links, each of at least two columns.
  let paths: [[ColumnID]]
  /// The tables behind links that count without being named.
  let reach: LinkReach?

  /// No filter. Of collections, objects behind links count too.
  init(everythingIn table: Int, _ layout: GraphLayout, followsLinks: Bool) {
    columns = nil
    paths = []
    reach = followsLinks ? LinkReach(from: table, layout) : nil
  }

  /// Traps when a path names a property that does not exist.
  init(_ keyPaths: [[String]], in table: Int, _ layout: GraphLayout) {
    var columns = ColumnSet()
    var paths: [[ColumnID]] = []
    for names in keyPaths {
      let path = Self.columns(names, table, layout)
      columns.insert(path[0])
      if path.count > 1 { paths.append(path) }
    }
    self.columns = columns
    self.paths = paths
    reach = nil
  }

  private static func columns(_ names: [String], _ table: Int, _ layout: GraphLayout) -> [ColumnID] {
    var table: Int? = table
    var owner = layout.tables[table.unsafelyUnwrapped].name
    return names.map { name in
      guard let current = table, let column = layout.tables[current].descriptions.firstIndex(where: { $0.name == name })
      else { fatalError("Invalid key path: property '\(name)' not found in object of type '\(owner)'.") }
      let description = layout.tables[current].descriptions[column]
      owner = description.target.map { layout.tables[$0.index].name } ?? "\(owner).\(name)"
      table = description.target?.index
      return ColumnID(column)
    }
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
