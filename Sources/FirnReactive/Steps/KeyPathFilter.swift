package import FirnEngine

/// Which modifications a subscriber wants to hear of.
package struct KeyPathFilter: Hashable, Sendable {
  /// By reference: each subscriber has some, and most have the same.
  private final class Content: Sendable {
    let columns: ColumnSet?
    let paths: [[PathStep]]
    let reach: LinkReach?

    init(_ columns: ColumnSet?, _ paths: [[PathStep]], _ reach: LinkReach?) {
      self.columns = columns
      self.paths = paths
      self.reach = reach
    }
  }

  /// No modification counts.
  package static let nothing = KeyPathFilter(paths: [])

  private var content: Content

  /// Columns of the observed row itself; nil for all.
  package var columns: ColumnSet? { content.columns }
  /// Paths through links and to backlinks.
  package var paths: [[PathStep]] { content.paths }
  /// The tables behind links that count without being named.
  var reach: LinkReach? { content.reach }

  /// No filter. Of collections, objects behind links count too.
  package init(everythingIn table: Int, _ layout: GraphLayout, followsLinks: Bool) {
    content = Content(nil, [], followsLinks ? LinkReach(from: table, layout) : nil)
  }

  /// Only these paths. Those that consist of one column of the row itself are looked for there.
  package init(paths all: some Sequence<[PathStep]>) {
    var columns = ColumnSet()
    var paths: [[PathStep]] = []
    for path in all {
      if case .column(let column) = path[0] {
        columns.insert(column)
        if path.count == 1 { continue }
      }
      paths.append(path)
    }
    content = Content(columns, paths, nil)
  }

  package var looksBehindLinks: Bool { reach != nil || !paths.isEmpty }

  /// Lets everything count that counts for another filter of the same table.
  package mutating func formUnion(_ other: KeyPathFilter) {
    if self == other { return }
    var columns = columns
    if let wanted = other.columns { columns?.formUnion(wanted) } else { columns = nil }
    content = Content(columns, paths + other.paths.filter { !paths.contains($0) }, reach ?? other.reach)
  }

  /// Whether a write to these columns counts.
  func includes(_ written: ColumnSet) -> Bool {
    columns.map { !$0.isDisjoint(with: written) } ?? !written.isEmpty
  }

  package static func == (left: KeyPathFilter, right: KeyPathFilter) -> Bool {
    left.content === right.content
      || left.columns == right.columns && left.paths == right.paths && left.reach == right.reach
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(paths)
    hasher.combine(reach)
  }
}
