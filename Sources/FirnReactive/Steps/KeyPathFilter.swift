package import FirnEngine

/// Which modifications a subscriber wants to hear of.
package struct KeyPathFilter: Hashable {
  /// Columns of the observed row itself; nil for all.
  package private(set) var columns: ColumnSet?
  /// Paths through links and to backlinks.
  package private(set) var paths: [[PathStep]]
  /// The tables behind links that count without being named.
  private(set) var reach: LinkReach?

  /// No filter. Of collections, objects behind links count too.
  package init(everythingIn table: Int, _ layout: GraphLayout, followsLinks: Bool) {
    columns = nil
    paths = []
    reach = followsLinks ? LinkReach(from: table, layout) : nil
  }

  /// Only these paths. Those that consist of one column of the row itself are looked for there.
  package init(paths all: some Sequence<[PathStep]>) {
    var columns = ColumnSet()
    paths = []
    for path in all {
      if case .column(let column) = path[0] {
        columns.insert(column)
        if path.count == 1 { continue }
      }
      paths.append(path)
    }
    self.columns = columns
    reach = nil
  }

  package var looksBehindLinks: Bool { reach != nil || !paths.isEmpty }

  /// Lets everything count that counts for another filter of the same table.
  package mutating func formUnion(_ other: KeyPathFilter) {
    if let wanted = other.columns { columns?.formUnion(wanted) } else { columns = nil }
    for path in other.paths where !paths.contains(path) { paths.append(path) }
    if reach == nil { reach = other.reach }
  }

  /// Whether a write to these columns counts.
  func includes(_ written: ColumnSet) -> Bool {
    columns.map { !$0.isDisjoint(with: written) } ?? !written.isEmpty
  }
}
