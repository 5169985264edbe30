internal import FirnEngine

// Values of custom types that are stored as embedded objects are equal when all members are.
extension QueryBinder {
  /// A member of the embedded objects that a property of a custom type is stored as.
  private struct Member {
    let property: ClassModel.Property
    let path: ColumnPath
    let shape: QueryShape
  }

  /// The members, as seen from where a path ends.
  private func members(_ operand: Operand, _ shape: QueryShape) throws(QueryError) -> [Member] {
    guard let table = shape.target else { return [] }
    let model = store.model(table)
    var links: [ColumnID] = []
    if case .column(let path) = operand { links = path.links + [path.column] }
    var members: [Member] = []
    for (column, property) in model.properties.enumerated() where !property.isHidden {
      let name = "\(model.name).\(property.name)"
      if property.shape.isCollection || property.shape.type == .object {
        throw QueryError(
          "Unsupported property '\(name)' for memberwise equality query: it is a "
            + "\(property.shape.isCollection ? "collection" : "link"). Compare the members that count one by one, through "
            + "persistableValue.", expected: "members that are values", found: name)
      }
      members.append(
        Member(
          property: property, path: ColumnPath(links: links, ColumnID(column)),
          shape: QueryShape(declared: property.shape, name: name)))
    }
    return members
  }

  /// Whether a value of a custom type equals a constant in all members; nil where the constant is null.
  func memberTest(
    _ bound: BoundPath, _ shape: QueryShape, _ operation: QueryOperator, _ constant: QueryConstant
  ) throws(QueryError) -> Predicate? {
    try check(operation, [], shape, constant.position)
    guard let value = constant.value else { return nil }
    let stored = (value as? any _HasStoredForm)?._storedForm ?? value
    guard let object = Unwrapping.object(stored), let target = shape.target,
      object._modelName == store.model(target).name
    else { throw mismatch(constant, shape) }
    // Nothing equals a deleted object, which has no members to read.
    if object._isGone { return .constant(operation != .equal) }
    var parts = [Predicate.test(bound.operand, .compare(.notEqual, .null))]
    for member in try members(bound.operand, shape) {
      let given = QueryConstant(member.property.read(object), position: constant.position)
      let path = BoundPath(
        name: member.shape.name, collections: [], operand: .column(member.path), content: .values(member.shape))
      parts.append(try test(path, .equal, [], given))
    }
    return operation == .equal ? Predicate.and(parts) : .not(.and(parts))
  }

  /// Whether two values of custom types are equal in all members; nil for other properties.
  func memberRelation(
    _ left: BoundPath, _ leftShape: QueryShape, _ right: BoundPath, _ rightShape: QueryShape,
    _ operation: QueryOperator
  ) throws(QueryError) -> Predicate? {
    guard leftShape.declared.custom != nil, rightShape.declared.custom != nil else { return nil }
    try check(operation, [], leftShape, left.position)
    func areThere(_ comparison: Comparison) -> [Predicate] {
      [.test(left.operand, .compare(comparison, .null)), .test(right.operand, .compare(comparison, .null))]
    }
    let pairs = zip(try members(left.operand, leftShape), try members(right.operand, rightShape))
    let equal = pairs.map { Predicate.compareColumns($0.path, .equal, $1.path) }
    let condition = Predicate.or([.and(areThere(.equal)), .and(areThere(.notEqual) + equal)])
    return operation == .equal ? condition : .not(condition)
  }
}
