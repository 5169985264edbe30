package import FirnEngine

/// What a view shows: those rows of a table, a collection or backlinks that satisfy a predicate, in an order.
///
/// Equal queries share one view. Rows that no sort key tells apart follow in the order of their source: by their keys, or
/// as the collection has them. By reference, because there may be very many, each known at several places.
package final class ViewQuery: Hashable, Sendable {
  /// The table of the rows.
  package let table: TableID
  package let source: Source
  package let predicate: Predicate
  package let sort: [SortKey]
  /// What is done with the sorted matches, one step after the other.
  package let steps: [Step]

  package indirect enum Source: Hashable, Sendable {
    case table
    case list(ListPlace)
    case backlinks(BacklinkPlace)
  }

  /// The row that the collection belongs to; nil for the whole table.
  var owner: OwnerRow? {
    switch source {
    case .table: nil
    case .list(let place): place.owner
    case .backlinks(let place): place.owner
    }
  }

  package enum Step: Hashable, Sendable {
    case filter(Predicate)
    case sort([SortKey])
    /// Keeps the first of the rows that are equal in all of these.
    case distinct([ColumnPath])
    /// Keeps the rows at these positions.
    case window(Range<Int>)

    /// Everything that the step reads.
    package var reads: Set<[PathStep]> {
      switch self {
      case .filter(let predicate): predicate.reads
      case .sort(let keys): Set(keys.map(\.path.reads))
      case .distinct(let paths): Set(paths.map(\.reads))
      case .window: []
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

  package static func == (left: ViewQuery, right: ViewQuery) -> Bool {
    left === right
      || left.table == right.table && left.source == right.source && left.predicate == right.predicate
        && left.sort == right.sort && left.steps == right.steps
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(source)
    hasher.combine(predicate)
    hasher.combine(sort)
    hasher.combine(steps)
  }

  /// Columns of the view's own table that decide about the predicate.
  var predicateColumns: ColumnSet {
    var columns = ColumnSet()
    for path in predicate.reads {
      if case .column(let column) = path[0] { columns.insert(column) }
    }
    return columns
  }

  /// The paths that decide about the order, and about what the steps keep.
  var orderReads: Set<[PathStep]> {
    steps.reduce(into: Set(sort.map(\.path.reads))) { $0.formUnion($1.reads) }
  }

  /// Everything that the query reads.
  var reads: Set<[PathStep]> { predicate.reads.union(orderReads) }

  /// Everything that the query reads.
  var readFilter: KeyPathFilter { KeyPathFilter(paths: reads) }
}
