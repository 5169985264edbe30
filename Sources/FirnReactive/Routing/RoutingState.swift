import FirnEngine

/// What the router keeps of a view.
struct RoutingState {
  /// Its place among the registered views; -1 when it is not registered.
  var slot: Int32 = -1
  var kind = Kind.routed
  /// Whether the running call has found it.
  var isAffected = false
  /// Whether more rows may have come, left or moved than could be found.
  var runsAnew = false
  /// Whether what is behind links decides about the order, or about what the steps of the query keep.
  var ordersBehindLinks = false
  /// The row that last found the view, so that several conditions find it once.
  var epoch: UInt64 = 0
  var touched: [TouchedRow] = []
  /// Nil where the kind says all, and nothing is read behind links.
  var details: Details?

  enum Kind {
    case everyRow, residual
    /// Found by accesses that its rows satisfy.
    case routed
    /// Found by the value that its rows have, and no others.
    case exact
  }

  final class Details {
    let accesses: [RegisteredAccess]
    /// Paths to other rows that the view reads.
    let paths: Set<[PathStep]>
    /// Columns that decide about membership.
    let columns: ColumnSet

    init(_ accesses: [RegisteredAccess], _ paths: Set<[PathStep]>, _ columns: ColumnSet) {
      (self.accesses, self.paths, self.columns) = (accesses, paths, columns)
    }
  }
}

/// A condition under which a view is registered.
enum RegisteredAccess {
  case equal(RoutedPath, Value)
  case range(RoutedPath, handle: Int32)

  var path: RoutedPath {
    switch self {
    case .equal(let path, _), .range(let path, _): path
    }
  }
}

/// What a stage keeps of a view.
struct StageUse {
  /// So many use it; it goes with the last.
  var count: Int32 = 0
  /// So many of the subscribers look behind links.
  var behindCount: Int32 = 0
  var subscriptions = RoutedEntries.none
}
