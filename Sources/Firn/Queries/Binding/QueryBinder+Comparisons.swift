internal import FirnEngine

/// Which operands stand on which side.
extension QueryBinder {
  mutating func bind(_ comparison: QueryComparison) throws(QueryError) -> Predicate {
    if comparison.modifier == .all {
      throw QueryError(
        "ALL modifier not supported. 'ALL x == y' says the same as 'NONE x != y'.", expected: "ANY or NONE",
        found: "ALL",
        at: comparison.position)
    }
    if comparison.operation == .matches {
      throw QueryError(
        "Operator 'MATCHES' not supported: there are no regular expressions. LIKE knows '?' and '*'.",
        expected: "LIKE", found: "MATCHES", at: comparison.position)
    }
    switch (comparison.left, comparison.right) {
    case (.keyPath(let path), .constant(let constant)):
      return try bind(path, comparison, to: constant)
    case (.keyPath(let path), .list(let list)):
      return try bind(path, comparison, list)
    case (.keyPath(let left), .keyPath(let right)): return try bind(left, comparison, right)
    case (.constant(let constant), .keyPath(let path)):
      if comparison.operation == .isIn { return try bind(constant, isIn: path, comparison) }
      return try bind(path, try mirrored(comparison), to: constant)
    case (.subquery(let subquery), .constant(let constant)):
      return try bind(subquery, comparison.operation, constant)
    case (.constant(let constant), .subquery(let subquery)):
      return try bind(subquery, try mirrored(comparison).operation, constant)
    case (.subquery(let subquery), .list(let list)): return try bind(subquery, comparison, list)
    case (.subquery(let subquery), _), (_, .subquery(let subquery)):
      throw QueryError(
        "SUBQUERY(…).@count can only be compared with a constant number.", expected: "a number", found: "a key path",
        at: subquery.position)
    case (.constant, _), (.list, _):
      if comparison.operation == .between { throw Self.betweenNeedsPath(comparison) }
      throw QueryError(
        "A predicate must compare a keypath and another keypath or a constant value; here are two constants.",
        expected: "a key path on one side", found: "constants", at: comparison.position)
    }
  }

  private func mirrored(_ comparison: QueryComparison) throws(QueryError) -> QueryComparison {
    guard let operation = comparison.operation.mirrored else {
      if comparison.operation == .between { throw Self.betweenNeedsPath(comparison) }
      throw QueryError(
        "Operator '\(comparison.operation.rawValue)' requires a keypath on the left side.",
        expected: "a key path on the left", found: "a constant", at: comparison.position)
    }
    var result = comparison
    result.operation = operation
    return result
  }

  static func betweenNeedsPath(_ comparison: QueryComparison) -> QueryError {
    QueryError(
      "BETWEEN operator must compare a KeyPath with an aggregate: x BETWEEN {1, 5}.",
      expected: "a key path, and two constants", found: "no key path, or no two constants",
      at: comparison.position)
  }

  // MARK: With constants

  private mutating func bind(
    _ path: QueryKeyPath, _ comparison: QueryComparison, to constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    if comparison.operation == .isIn, let shape = constant.value as? any GeoShape {
      return try bind(path, comparison, within: shape)
    }
    if comparison.operation == .isIn || comparison.operation == .between {
      throw Self.needsList(comparison, found: constant.shown, at: constant.position)
    }
    let bound = try follow(path)
    let isNone = try checkModifier(comparison, bound)
    if comparison.operation == .notEqual, bound.hasCustomElements, constant.value != nil {
      // Some values, and none that is equal in all members.
      let equal = modified(try test(bound, .equal, [], constant), bound, isNone: true)
      let differs = Predicate.and([modified(.constant(true), bound, isNone: false), equal])
      return isNone ? .not(differs) : differs
    }
    let test = try test(bound, comparison.operation, comparison.options, constant)
    return modified(test, bound, isNone: isNone)
  }

  private mutating func bind(
    _ path: QueryKeyPath, _ comparison: QueryComparison, _ list: QueryList
  ) throws(QueryError) -> Predicate {
    let bound = try follow(path)
    let isNone = try checkModifier(comparison, bound)
    switch comparison.operation {
    case .isIn: return modified(try isIn(bound, comparison, list), bound, isNone: isNone)
    case .between: return modified(try between(bound, comparison, list), bound, isNone: isNone)
    default:
      // Only mixed values may equal a list.
      let constant = QueryConstant(list.elements as [Any?], position: list.position)
      return modified(try test(bound, comparison.operation, comparison.options, constant), bound, isNone: isNone)
    }
  }

  /// The number of elements against several numbers. Texts have none of these, as each number binds the condition again,
  /// and those of subqueries within it again for each.
  private mutating func bind(
    _ subquery: QuerySubquery, _ comparison: QueryComparison, _ list: QueryList
  ) throws(QueryError) -> Predicate {
    let isText = comparison.position != nil
    switch comparison.operation {
    case .isIn:
      if isText {
        throw QueryError(
          "IN operator must compare a KeyPath with an aggregate: a SUBQUERY is none. Compare its @count by == or <.",
          expected: "a key path", found: "SUBQUERY(…).@count", at: comparison.position)
      }
      var parts: [Predicate] = []
      for element in list.elements { parts.append(try bind(subquery, .equal, list.constant(element))) }
      return .or(parts)
    case .between:
      if isText { throw Self.betweenNeedsPath(comparison) }
      let bounds = try bounds(list)
      return .and([
        try bind(subquery, .greaterOrEqual, bounds.low), try bind(subquery, .lessOrEqual, bounds.high),
      ])
    default:
      throw QueryError(
        "SUBQUERY(…).@count can only be compared with a constant number.", expected: "a number", found: "a list",
        at: list.position ?? subquery.position)
    }
  }

  private func bounds(_ list: QueryList) throws(QueryError) -> (low: QueryConstant, high: QueryConstant) {
    if list.elements.count != 2 {
      throw QueryError(
        "NSArray object must contain exactly two objects for BETWEEN operations.", expected: "two values",
        found: "\(list.elements.count)", at: list.position)
    }
    return (list.constant(list.elements[0]), list.constant(list.elements[1]))
  }

  private static func needsList(_ comparison: QueryComparison, found: String, at position: Int?) -> QueryError {
    comparison.operation == .isIn
      ? QueryError(
        "IN clause requires an array of items.", expected: "{1, 2} or a collection", found: found, at: position)
      : QueryError(
        "Object must be of type NSArray for BETWEEN operations: x BETWEEN {1, 5}.", expected: "an array of two values",
        found: found, at: position)
  }

  private func isIn(
    _ bound: BoundPath, _ comparison: QueryComparison, _ list: QueryList
  ) throws(QueryError) -> Predicate {
    if case .keys = bound.content {
      throw unsupported(
        .isIn, bound.name, ofType: "string", allowed: "==, != and string operators", at: comparison.position)
    }
    if comparison.options.isEmpty, let values = try plainValues(bound, list) {
      return .test(bound.operand, .isIn(values))
    }
    var parts: [Predicate] = []
    for element in list.elements {
      parts.append(try test(bound, .equal, comparison.options, list.constant(element)))
    }
    return .or(parts)
  }

  private func between(
    _ bound: BoundPath, _ comparison: QueryComparison, _ list: QueryList
  ) throws(QueryError) -> Predicate {
    let bounds = try bounds(list)
    try checkRange(bound, comparison)
    var parts: [Predicate] = []
    for (operation, constant) in [(QueryOperator.greaterOrEqual, bounds.low), (.lessOrEqual, bounds.high)] {
      if constant.value == nil {
        throw QueryError(
          "Object must be of type \(bound.typeName) for BETWEEN operations; nil is none.", expected: bound.typeName,
          found: "nil", at: list.position)
      }
      parts.append(try test(bound, operation, [], constant))
    }
    return .and(parts)
  }

  private func checkRange(_ bound: BoundPath, _ comparison: QueryComparison) throws(QueryError) {
    switch bound.content {
    case .values(let shape) where !shape.isNumeric, .aggregate(_, let shape) where !shape.isNumeric && !bound.isCount:
      throw unsupported(
        .between, shape.name, ofType: shape.typeName, allowed: shape.operators, at: comparison.position)
    case .keys:
      throw unsupported(
        .between, bound.name, ofType: "string", allowed: "==, != and string operators", at: comparison.position)
    default: break
    }
  }

  /// Whether a collection has a value; options mean nothing here.
  private mutating func bind(
    _ constant: QueryConstant, isIn path: QueryKeyPath, _ comparison: QueryComparison
  ) throws(QueryError) -> Predicate {
    let bound = try follow(path)
    guard !bound.collections.isEmpty, !bound.isAggregated else {
      throw QueryError(
        "IN operator must compare a KeyPath with an aggregate: '\(bound.name)' is no collection.",
        expected: "a collection on the right", found: bound.name, at: path.position ?? comparison.position)
    }
    let isNone = comparison.modifier == .none
    return modified(try test(bound, .equal, [], constant), bound, isNone: isNone)
  }

  // MARK: Modifiers

  /// Whether the condition is to hold for no element. Refuses modifiers on paths that lead to one value, and paths to
  /// several values without modifier.
  func checkModifier(_ comparison: QueryComparison, _ bound: BoundPath) throws(QueryError) -> Bool {
    let isPlural = !bound.collections.isEmpty
    // Keys are always those of some entry, and a modifier on an aggregate is ignored.
    let isExempt = bound.isKeys || bound.isAggregated || bound.isMixed
    if comparison.modifier == .direct, isPlural, !bound.isKeys {
      throw QueryError(
        "Key paths that include a collection property must use aggregate operations, or a modifier, such as "
          + "'ANY \(bound.name)': '\(bound.name)' leads to several values.",
        expected: "ANY, NONE or an operator such as @count",
        found: bound.name, at: bound.position ?? comparison.position)
    }
    if comparison.modifier != .direct, !isPlural, !isExempt {
      throw QueryError(
        "Aggregate operations such as ANY can only be used on key paths that include an collection property: "
          + "'\(bound.name)' leads to one value.", expected: "a collection", found: bound.name,
        at: bound.position ?? comparison.position)
    }
    return comparison.modifier == .none
  }

  /// The condition for some element of the collections on the way, or for none.
  func modified(_ test: Predicate, _ bound: BoundPath, isNone: Bool) -> Predicate {
    let any = bound.collections.reversed().reduce(test) { .any($1, where: $0) }
    return isNone ? .not(any) : any
  }
}

extension QueryList {
  func constant(_ element: Any?) -> QueryConstant { QueryConstant(element, position: position) }
}

extension BoundPath {
  var isKeys: Bool { if case .keys = content { true } else { false } }

  var isAggregated: Bool { if case .aggregate = content { true } else { false } }

  /// Whether values of custom types are compared member by member, those of a collection.
  fileprivate var hasCustomElements: Bool {
    if case .values(let shape) = content { shape.declared.custom != nil && !collections.isEmpty } else { false }
  }

  var isCount: Bool { if case .aggregate(.count, _) = content { true } else { false } }

  /// How messages call the type of the values.
  var typeName: String {
    switch content {
    case .values(let shape), .aggregate(_, let shape): isCount ? "int" : shape.typeName
    case .keys: "string"
    case .inside: "mixed"
    }
  }
}
