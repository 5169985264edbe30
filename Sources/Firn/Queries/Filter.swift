internal import FirnEngine

/// Which rows a query selects. The most frequent condition is kept as it was written: a query that an index answers is
/// done before a predicate would be made.
enum Filter {
  case all
  /// A column of the class itself against a constant.
  case comparison(ColumnID, Comparison, _Constant)
  case predicate(Predicate)

  var predicate: Predicate {
    switch self {
    case .all: .constant(true)
    case .comparison(let column, let comparison, let constant):
      .compare(ColumnPath(column), comparison, constant.value)
    case .predicate(let predicate): predicate
    }
  }

  var isAll: Bool {
    switch self {
    case .all, .predicate(.constant(true)): true
    case .comparison, .predicate: false
    }
  }
}
