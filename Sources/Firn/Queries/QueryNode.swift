internal import FirnEngine

/// What a ``Query`` stands for, whatever its type.
@usableFromInline
struct QueryNode {
  private let content: Content

  private enum Content {
    case object(ResultsCore, links: [ColumnID], table: Int)
    /// A column of the queried class itself, which needs no array.
    case ownColumn(ColumnID)
    case column(ColumnPath)
    /// Something inside of a mixed column.
    case mixed(ColumnPath, [MixedCondition.Step])
    case condition(Filter)
  }

  private init(_ content: Content) { self.content = content }

  init(_ predicate: Predicate) { content = .condition(.predicate(predicate)) }

  init(_ path: ColumnPath) { content = .column(path) }

  /// What leads to an object; nil for all other expressions.
  var object: (core: ResultsCore, links: [ColumnID], table: Int)? {
    if case .object(let core, let links, let table) = content { return (core, links, table) }
    return nil
  }

  /// The object that a condition is about.
  @usableFromInline
  init(_ core: ResultsCore) {
    content = .object(core, links: [], table: core.tableIndex)
  }

  // MARK: Properties

  @usableFromInline
  func member(_ keyPath: AnyKeyPath, of type: ObjectBase.Type) -> QueryNode {
    guard case .object(let core, let links, let table) = content else {
      fatalError("Cannot apply a keypath to an expression that is not an object.")
    }
    if links.isEmpty, let column = core.ownColumns[keyPath, table] { return QueryNode(.ownColumn(column)) }
    let path = QueryScope(core.instance.store).path(keyPath, type, table)
    let last = path.last
    let all = links + path.columns.dropLast()
    if path.target >= 0 {
      return QueryNode(.object(core, links: all + [last], table: path.target))
    }
    return QueryNode(all.isEmpty ? .ownColumn(last) : .column(ColumnPath(links: all, last)))
  }

  /// The same expression, to be read as another type.
  var value: QueryNode {
    if case .condition = content { fatalError("A condition has no value.") }
    return self
  }

  var path: ColumnPath {
    switch content {
    case .ownColumn(let column): return ColumnPath(column)
    case .column(let path): return path
    case .object(_, let links, _):
      guard let last = links.last else { fatalError("An object cannot be compared with itself in a query.") }
      return ColumnPath(links: Array(links.dropLast()), last)
    case .mixed: fatalError("What is inside of a mixed value can only be compared with a constant.")
    case .condition: fatalError("A condition cannot be compared with a value. Use &&, || and !.")
    }
  }

  /// One step into a mixed value.
  func step(_ step: MixedCondition.Step) -> QueryNode {
    if case .mixed(let path, let steps) = content { return QueryNode(.mixed(path, steps + [step])) }
    return QueryNode(.mixed(path, [step]))
  }

  // MARK: Comparing

  func compare(_ comparison: Comparison, _ constant: _Constant) -> QueryNode {
    if let collection = constant.collection { return compareMixed(comparison, collection) }
    if let object = constant.embedded, let members = customMembers {
      return compareMembers(comparison, object, members)
    }
    switch content {
    case .ownColumn(let column): return QueryNode(.condition(.comparison(column, comparison, constant)))
    case .condition(let filter):
      guard case .bool(let holds) = constant.value else { break }
      return QueryNode(holds == (comparison == .equal) ? filter.predicate : .not(filter.predicate))
    case .mixed: return compareMixed(comparison, .value(constant.value))
    case .object, .column: break
    }
    return QueryNode(Predicate.compare(path, comparison, constant.value))
  }

  @usableFromInline
  func isEqual(to constant: _Constant) -> QueryNode { compare(.equal, constant) }

  func compare(_ comparison: Comparison, _ other: QueryNode) -> QueryNode {
    if let members = customMembers, let others = other.customMembers {
      return compareMembers(comparison, other, members, others)
    }
    return QueryNode(Predicate.compareColumns(path, comparison, other.path))
  }

  private func compareMixed(_ comparison: Comparison, _ constant: MixedCondition.Constant) -> QueryNode {
    if case .mixed(let path, let steps) = content {
      return QueryNode(Predicate.mixed(path, MixedCondition(steps, comparison, constant)))
    }
    return QueryNode(Predicate.mixed(path, MixedCondition([], comparison, constant)))
  }

  func isIn(_ constants: [_Constant]) -> QueryNode {
    var isInside = false
    if case .mixed = content { isInside = true }
    if isInside || constants.contains(where: { $0.collection != nil || $0.embedded != nil }) {
      return QueryNode(Predicate.or(constants.map { compare(.equal, $0).predicate }))
    }
    return QueryNode(Predicate.isIn(path, constants.map(\.value)))
  }

  func text(_ operation: TextOperator, _ constant: _Constant, _ options: StringOptions) -> QueryNode {
    let options = TextOptions(rawValue: UInt8(truncatingIfNeeded: options.rawValue))
    switch constant.value {
    case .string(let bytes), .data(let bytes): return QueryNode(Predicate.text(path, operation, bytes, options))
    default:
      switch operation {
      case .equal: return QueryNode(Predicate.compare(path, .equal, .null))
      case .notEqual: return QueryNode(Predicate.compare(path, .notEqual, .null))
      case .contains, .beginsWith, .endsWith, .like: return QueryNode(Predicate.constant(false))
      }
    }
  }

  // MARK: Conditions

  /// The condition, or that a Bool property is true.
  var filter: Filter {
    switch content {
    case .condition(let filter): filter
    case .ownColumn(let column): .comparison(column, .equal, _Constant(.bool(true)))
    case .column, .object, .mixed: .predicate(.compare(path, .equal, .bool(true)))
    }
  }

  var predicate: Predicate { filter.predicate }
}

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
