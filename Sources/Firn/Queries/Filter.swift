internal import FirnEngine

/// Which rows a query selects. The most frequent condition is kept as it was written: a query that an index answers is
/// done before a predicate would be made.
enum Filter {
  case all
  /// A column of the class itself against a constant.
  case comparison(ColumnID, Comparison, _Constant)
  /// A column of the class itself, from one constant to another.
  case range(OwnRange)
  case predicate(Predicate)

  var predicate: Predicate {
    switch self {
    case .all: .constant(true)
    case .comparison(let column, let comparison, let constant):
      .compare(ColumnPath(column), comparison, constant.value)
    case .range(let own):
      .and([
        .compare(ColumnPath(own.range.column), .greaterOrEqual, own.lower),
        .compare(ColumnPath(own.range.column), .lessOrEqual, own.upper),
      ])
    case .predicate(let predicate): predicate
    }
  }

  /// The same as a range of an ordered index, where it is one.
  var columnRange: ColumnRange? {
    switch self {
    case .comparison(let column, let comparison, let constant): ColumnRange(column, comparison, constant.value)
    case .range(let own): own.range
    case .all, .predicate: nil
    }
  }

  /// Whether it is one condition on a column of the class itself.
  var isOwn: Bool {
    switch self {
    case .comparison, .range: true
    case .all, .predicate: false
    }
  }

  var isAll: Bool {
    switch self {
    case .all, .predicate(.constant(true)): true
    case .comparison, .range, .predicate: false
    }
  }
}
