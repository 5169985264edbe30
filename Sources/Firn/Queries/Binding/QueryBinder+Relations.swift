internal import FirnEngine

/// Two values of the same object.
extension QueryBinder {
  func bind(
    _ left: QueryKeyPath, _ comparison: QueryComparison, _ right: QueryKeyPath
  ) throws(QueryError) -> Predicate {
    let (leftPath, rightPath) = (try follow(left), try follow(right))
    let position = comparison.position ?? left.position
    switch comparison.operation {
    case .isIn:
      throw QueryError(
        "IN operator must compare a KeyPath with an aggregate: '\(rightPath.name)' is a key path. Compare with ANY.",
        expected: "an array of items", found: rightPath.name, at: right.position ?? position)
    case .between: throw Self.betweenNeedsPath(comparison)
    default: break
    }
    if !leftPath.collections.isEmpty, !rightPath.collections.isEmpty {
      throw QueryError(
        "Comparing two collection columns is not permitted: '\(leftPath.name)' and '\(rightPath.name)' lead to several "
          + "values each.", expected: "key paths to one value", found: rightPath.name, at: position)
    }
    for path in [leftPath, rightPath] {
      if !path.collections.isEmpty {
        throw QueryError(
          "Key paths that include a collection property must use aggregate operations when they are compared with another "
            + "key path: '\(path.name)' leads to several values. SUBQUERY compares two properties of an element.",
          expected: "a key path to one value", found: path.name, at: path.position ?? position)
      }
      if case .inside = path.content {
        throw QueryError(
          "What is behind a subscript can only be compared with a constant: '\(path.name)'.", expected: "a constant",
          found: "a key path", at: path.position ?? position)
      }
    }
    if leftPath.isAggregated || rightPath.isAggregated {
      return try aggregated(leftPath, comparison, rightPath, position)
    }
    guard case .values(let leftShape) = leftPath.content, case .values(let rightShape) = rightPath.content else {
      return .constant(false)
    }
    try checkTypes(leftShape, rightShape, position)
    if let members = try memberRelation(leftPath, leftShape, rightPath, rightShape, comparison.operation) {
      return members
    }
    return try related(leftPath.operand, leftShape, comparison, rightPath.operand, position)
  }

  func related(
    _ left: Operand, _ shape: QueryShape, _ comparison: QueryComparison, _ right: Operand, _ position: Int?
  ) throws(QueryError) -> Predicate {
    let operation = comparison.operation
    if shape.type == .any, operation != .equal, operation != .notEqual {
      throw unsupported(operation, shape.name, ofType: "mixed", allowed: "== and != between key paths", at: position)
    }
    try check(operation, comparison.options, shape, position)
    if shape.isText, !comparison.options.isEmpty || operation.comparison == nil, let text = operation.text {
      return .relation(left, .text(text, TextOptions(comparison.options)), right)
    }
    guard let comparison = operation.comparison else { return .constant(false) }
    return .relation(left, .compare(comparison), right)
  }

  private func checkTypes(_ left: QueryShape, _ right: QueryShape, _ position: Int?) throws(QueryError) {
    if left.type == right.type, left.target == right.target { return }
    throw QueryError(
      "Property type mismatch between '\(left.name)' of type '\(left.typeName)' and '\(right.name)' of type "
        + "'\(right.typeName)'.", expected: left.typeName, found: right.typeName, at: position)
  }

  private func aggregated(
    _ left: BoundPath, _ comparison: QueryComparison, _ right: BoundPath, _ position: Int?
  ) throws(QueryError) -> Predicate {
    if left.isAggregated, right.isAggregated {
      throw QueryError(
        "'\(left.name)' cannot be compared with other aggregate operations, as '\(right.name)' is.",
        expected: "a constant or a property", found: right.name, at: right.position ?? position)
    }
    let (aggregate, other) = left.isAggregated ? (left, right) : (right, left)
    guard let operation = comparison.operation.comparison else {
      throw unsupported(
        comparison.operation, aggregate.name, ofType: aggregate.typeName, allowed: "==, !=, <, <=, >, >=", at: position)
    }
    guard case .values(let shape) = other.content, shape.isNumeric, shape.type != .any,
      (shape.type == .date) == aggregate.isDate
    else {
      throw QueryError(
        aggregate.isCount
          ? "@count can only be compared with a numeric value: '\(other.name)' is none."
          : "Property type mismatch between '\(aggregate.name)' of type '\(aggregate.typeName)' and '\(other.name)' of "
            + "type '\(other.typeName)'.", expected: "a numeric property", found: other.typeName,
        at: other.position ?? position)
    }
    return .relation(left.operand, .compare(operation), right.operand)
  }
}

extension BoundPath {
  fileprivate var isDate: Bool {
    if case .aggregate(let aggregate, let shape) = content { aggregate != .count && shape.type == .date } else { false }
  }
}
