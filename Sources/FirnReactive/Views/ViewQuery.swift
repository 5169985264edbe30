package import FirnEngine

/// What a view shows: those rows of a table, a collection or backlinks that satisfy a predicate, in an order.
///
/// Equal queries share one view. Rows that no sort key tells apart follow in the order of their source: by their keys, or
/// as the collection has them.
package struct ViewQuery: Hashable, Sendable {
  /// The table of the rows.
  package var table: TableID
  package var source: Source
  package var predicate: Predicate
  package var sort: [SortKey]
  /// What is done with the sorted matches, one step after the other.
  package var steps: [Step]

  package enum Source: Hashable, Sendable {
    case table
    case list(ListPlace)
    case backlinks(BacklinkPlace)
  }

  package enum Step: Hashable, Sendable {
    case filter(Predicate)
    case sort([SortKey])
    /// Keeps the first of the rows that are equal in all of these.
    case distinct([ColumnPath])

    /// Calls `body` with every column path that the step reads.
    package func forEachPath(_ body: (ColumnPath) -> Void) {
      switch self {
      case .filter(let predicate): predicate.forEachPath(body)
      case .sort(let keys): for key in keys { body(key.path) }
      case .distinct(let paths): for path in paths { body(path) }
      }
    }
  }

  package init(
    table: TableID, source: Source = .table, predicate: Predicate = .constant(true), sort: [SortKey] = [],
    steps: [Step] = []
  ) {
    self.table = table
    self.source = source
    self.predicate = predicate
    self.sort = sort
    self.steps = steps
  }

  /// Columns of the view's own table that decide about the predicate.
  var predicateColumns: ColumnSet {
    var columns = ColumnSet()
    predicate.forEachPath { columns.insert($0.links.first ?? $0.column) }
    return columns
  }

  /// The paths that decide about the order, and about what the steps keep.
  var orderPaths: Set<ColumnPath> {
    var paths = Set(sort.map(\.path))
    for step in steps { step.forEachPath { paths.insert($0) } }
    return paths
  }

  var allPaths: Set<ColumnPath> {
    var paths = orderPaths
    predicate.forEachPath { paths.insert($0) }
    return paths
  }

  /// The paths that lead through links.
  var linkPaths: Set<ColumnPath> { allPaths.filter { !$0.links.isEmpty } }

  /// Everything that the query reads.
  var readFilter: KeyPathFilter {
    KeyPathFilter(paths: allPaths.map(\.steps))
  }
}
