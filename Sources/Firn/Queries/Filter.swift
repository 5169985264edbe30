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
        .compare(ColumnPath(own.column), .greaterOrEqual, own.lower.value),
        .compare(ColumnPath(own.column), .lessOrEqual, own.upper.value),
      ])
    case .predicate(let predicate): predicate
    }
  }

  /// The same as a range of an ordered index, where it is one.
  var columnRange: ColumnRange? {
    switch self {
    case .comparison(let column, let comparison, let constant): ColumnRange(column, comparison, constant.value)
    case .range(let own): ColumnRange(own.column, own.lower.value, own.upper.value)
    case .all, .predicate: nil
    }
  }

  var isAll: Bool {
    switch self {
    case .all, .predicate(.constant(true)): true
    case .comparison, .range, .predicate: false
    }
  }
}
