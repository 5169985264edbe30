internal import FirnEngine

/// Makes of conditions by names conditions on the columns of a realm: the only way from queries to the engine.
///
/// Names, operators and the types of constants are checked on the way. Nothing traps, whatever the expression is.
struct QueryBinder {
  let instance: RealmInstance
  /// What conditions are about, the innermost last: the queried class, then those of subqueries.
  private(set) var scopes: [Scope]

  struct Scope {
    /// The name for an element of a subquery; nil for the object that is queried.
    let variable: String?
    let start: PathWalk.Start
  }

  var store: Store { instance.store }

  /// How many collections may lie within each other.
  private let collectionDepthMax: Int

  /// - Parameter core: A query on what the conditions are about.
  init(_ core: ResultsCore, collectionDepthMax: Int = .max) {
    self.collectionDepthMax = collectionDepthMax
    instance = core.instance
    scopes = [Scope(variable: nil, start: core.pathStart)]
  }

  private var innermost: Scope { scopes[scopes.count - 1] }

  /// What the engine evaluates for a condition.
  mutating func bind(_ expression: QueryExpression) throws(QueryError) -> Predicate {
    switch expression {
    case .constant(let holds): return .constant(holds)
    case .and(let parts): return .and(try bind(parts))
    case .or(let parts): return .or(try bind(parts))
    case .joined(let junction):
      let parts = try bind(junction.parts)
      return junction.joint == .and ? .and(parts) : .or(parts)
    case .not(let inner): return .not(try bind(inner))
    case .comparison(let comparison): return try bind(comparison)
    case .closure(let closure): return .closure(closure)
    case .flag(let path, let value):
      let comparison = QueryComparison(
        left: .keyPath(path), operation: .equal, right: .constant(QueryConstant(value)), position: path.position)
      return try bind(comparison)
    case .own(let own):
      if scopes.count > 1 { return try bind(own.named) }
      return .compare(ColumnPath(own.column), own.comparison, own.constant.value)
    }
  }

  private mutating func bind(_ parts: [QueryExpression]) throws(QueryError) -> [Predicate] {
    var bound: [Predicate] = []
    bound.reserveCapacity(parts.count)
    for part in parts { bound.append(try bind(part)) }
    return bound
  }

  // MARK: Paths

  func follow(_ path: QueryKeyPath) throws(QueryError) -> BoundPath {
    let bound = try PathWalk.follow(try withoutStart(path), of: path, from: innermost.start, in: store)
    try checkCollectionDepth(scopes.count - 1 + bound.collections.count, at: path.position)
    return bound
  }

  private func checkCollectionDepth(_ depth: Int, at position: Int?) throws(QueryError) {
    if depth <= collectionDepthMax { return }
    throw .excess("collections within each other", most: collectionDepthMax, "Take a shorter way.", at: position)
  }

  /// The components behind `SELF` or the variable of the innermost subquery.
  private func withoutStart(_ path: QueryKeyPath) throws(QueryError) -> ArraySlice<QueryKeyPath.Component> {
    switch path.components.first {
    case .itself: return path.components.dropFirst()
    case .variable(let name):
      if innermost.variable == name { return path.components.dropFirst() }
      let isKnown = scopes.contains { $0.variable == name }
      throw QueryError(
        isKnown
          ? "$\(name) belongs to an outer SUBQUERY: conditions inside of one are about its own element."
          : "$\(name) is no variable of a SUBQUERY around it."
            + Spelling.suggestion(for: name, among: scopes.compactMap(\.variable)),
        expected: innermost.variable.map { "$\($0)" } ?? "a property", found: "$\(name)", at: path.position)
    default: return path.components[...]
    }
  }

  // MARK: Subqueries

  mutating func bind(
    _ subquery: QuerySubquery, _ operation: QueryOperator, _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    guard let comparison = operation.comparison else {
      throw unsupported(
        operation, "SUBQUERY(…).@count", ofType: "int", allowed: "==, !=, <, <=, >, >=", at: subquery.position)
    }
    guard let count = wholeNumber(constant) else {
      throw QueryError(
        "SUBQUERY(…).@count can only be compared with a constant number.", expected: "a number",
        found: constant.shown, at: constant.position ?? subquery.position)
    }
    let components = try withoutStart(subquery.collection)
    let (collection, table) = try PathWalk.collection(
      components, of: subquery.collection, from: innermost.start, in: store)
    try checkCollectionDepth(scopes.count, at: subquery.position)
    scopes.append(Scope(variable: subquery.variable, start: .row(table: table)))
    defer { scopes.removeLast() }
    return .count(collection, where: try bind(subquery.condition), comparison, count)
  }

  private func wholeNumber(_ constant: QueryConstant) -> Int64? {
    switch constant.given.flatMap({ Unwrapping.value($0) }) {
    case is Bool, nil: nil
    case let value as any FixedWidthInteger: Int64(exactly: value)
    case let value as any BinaryFloatingPoint: Int64(exactly: Double(value).rounded(.towardZero))
    default: nil
    }
  }

  // MARK: Refusals

  func unsupported(
    _ operation: QueryOperator, _ name: String, ofType type: String, allowed: String, at position: Int?
  ) -> QueryError {
    QueryError(
      "Operator '\(operation.rawValue)' not supported for type '\(type)': '\(name)' is of this type.",
      expected: allowed, found: operation.rawValue, at: position)
  }
}

extension QueryConstant {
  /// How messages show the value.
  var shown: String { QueryPrinter.text(of: self) }
}

extension QueryOperator {
  var comparison: Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith, .endsWith, .contains, .like, .isIn, .between, .matches: nil
    }
  }

  /// The operator for texts.
  var text: TextOperator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between, .matches: nil
    }
  }

  /// The operator that says the same with the sides exchanged; nil for those that need the path on the left.
  var mirrored: QueryOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .beginsWith, .endsWith, .contains, .like, .isIn, .between, .matches: nil
    }
  }
}

extension ResultsCore {
  /// Where paths begin in conditions on the elements.
  fileprivate var pathStart: PathWalk.Start {
    guard case .list(let owner, _, let column) = source else { return .row(table: tableIndex) }
    let property = owner.model.properties[column.index]
    if !isOfValues, property.shape.custom == nil { return .row(table: tableIndex) }
    let shape = QueryShape(
      declared: property.shape, name: "\(owner.model.name).\(property.name)", target: isOfValues ? nil : tableIndex)
    return isOfValues ? .value(shape) : .customRow(shape, table: tableIndex)
  }

  /// The condition as the engine evaluates it; traps for one that does not suit the class.
  func predicate(for expression: QueryExpression) -> Predicate {
    var binder = QueryBinder(self)
    do throws(QueryError) {
      return try binder.bind(expression)
    } catch {
      fatalError(error.message)
    }
  }
}
