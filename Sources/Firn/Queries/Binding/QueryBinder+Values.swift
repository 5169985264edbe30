internal import FirnEngine
internal import Foundation

/// Constants as columns store them.
extension QueryBinder {
  /// What a property stores for a constant.
  ///
  /// - Parameter isPattern: Whether it is looked for in texts, where nil is found nowhere.
  func value(
    _ constant: QueryConstant, for shape: QueryShape, isPattern: Bool = false
  ) throws(QueryError) -> Value {
    if let given = constant.given, let stored = Coercion.unconverted(given, shape.unbounded) { return stored }
    guard let given = constant.value else {
      if shape.isNullable || isPattern { return .null }
      throw mismatch(constant, shape)
    }
    if shape.type == .object { return try link(given, shape, constant) }
    let stored = (given as? any _HasStoredForm)?._storedForm ?? (given as? AnyRealmValue)?.payload ?? given
    guard let value = Coercion.stored(stored, shape.unbounded) else { throw mismatch(constant, shape) }
    return value
  }

  func mismatch(_ constant: QueryConstant, _ shape: QueryShape) -> QueryError {
    QueryError(
      "Cannot compare value '\(constant.shown)' of type '\(constant.typeName)' to property '\(shape.name)' of type "
        + "'\(shape.typeName)'.", expected: shape.typeName, found: constant.typeName, at: constant.position)
  }

  // MARK: Objects

  /// The row of an object. One that is unmanaged or deleted is the row of none; in a map it stands for null.
  private func link(_ given: Any, _ shape: QueryShape, _ constant: QueryConstant) throws(QueryError) -> Value {
    let given = (given as? AnyRealmValue)?.payload ?? given
    guard let object = Unwrapping.object(given), let target = shape.target,
      object._modelName == store.model(target).name
    else { throw mismatch(constant, shape) }
    guard let key = try row(of: object, constant) else {
      return shape.declared.collection == .map ? .null : .link(RowKey(.max >> 2))
    }
    return .link(key)
  }

  /// The row of an object in the realm that is queried; nil for one that is unmanaged or deleted.
  private func row(of object: ObjectBase, _ constant: QueryConstant) throws(QueryError) -> RowKey? {
    guard let owner = object._instance else { return nil }
    if owner.store !== store || (owner.isFrozen && !instance.isFrozen) {
      throw QueryError(
        "Object must be from the Realm being queried: the one of class '\(object._modelName)' is "
          + (owner.store === store ? "frozen, which the realm is not." : "managed by another."),
        expected: "an object of the realm",
        found: owner.store === store ? "a frozen object" : "an object of another realm",
        at: constant.position)
    }
    return object._isGone ? nil : RowKey(object._key)
  }

  // MARK: Mixed values

  /// A value of any type against a constant of any type. Texts equal data of the same bytes.
  func mixedTest(
    _ bound: BoundPath, _ operation: QueryOperator, _ options: StringOptions, _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    let mixed = try mixedValue(constant, nil)
    let isText: Bool
    switch mixed.value {
    case .string, .data: isText = true
    default: isText = false
    }
    if operation.comparison == nil || (isText && !options.isEmpty) {
      guard isText || mixed.value == .null else { return .constant(false) }
      if options.contains(.diacriticInsensitive), operation == .like {
        throw QueryError(
          "Operator 'LIKE' not supported with diacritic-insensitive modifier.", expected: "LIKE or LIKE[c]",
          found: "LIKE[d]", at: constant.position)
      }
      if operation.comparison == nil || operation == .equal || operation == .notEqual {
        return try textTest(bound.operand, operation, options, mixed.value)
      }
      throw QueryError(
        "Lexicographical comparisons must be case-sensitive: '\(operation.rawValue)' takes no options.",
        expected: operation.rawValue, found: "options", at: constant.position)
    }
    guard let comparison = operation.comparison else { return .constant(false) }
    if let collection = mixed.collection {
      return .test(bound.operand, .nested(comparison, collection))
    }
    let test = Predicate.test(bound.operand, .compare(comparison, mixed.value))
    guard case .string(let bytes) = mixed.value else { return test }
    let asData = Predicate.test(bound.operand, .compare(comparison, .data(bytes)))
    return switch comparison {
    case .equal: .or([test, asData])
    case .notEqual: .and([test, asData])
    case .less, .lessOrEqual, .greater, .greaterOrEqual: test
    }
  }

  func mixedValue(_ constant: QueryConstant, _ shape: QueryShape?) throws(QueryError) -> _Constant {
    guard let given = constant.value else { return _Constant(.null) }
    let stored = (given as? any _HasStoredForm)?._storedForm ?? given
    guard let mixed = AnyRealmValue.given(stored) else {
      throw QueryError(
        "Cannot compare value '\(constant.shown)' of type '\(constant.typeName)' to a mixed value, which cannot be it.",
        expected: "a value that a mixed property can hold", found: constant.typeName, at: constant.position)
    }
    if case .object(let object) = mixed {
      guard let key = try row(of: object, constant), let table = object._table else { return _Constant(.neverStored) }
      return _Constant(.object(table.layout.number, key))
    }
    try checkObjects(in: mixed, constant)
    return mixed._constant
  }

  /// Whether the objects in a collection are those of the realm that is queried.
  private func checkObjects(in mixed: AnyRealmValue, _ constant: QueryConstant) throws(QueryError) {
    switch mixed {
    case .object(let object): _ = try row(of: object, constant)
    case .list(let list): for element in list { try checkObjects(in: element, constant) }
    case .dictionary(let map): for entry in map.entries { try checkObjects(in: entry.value, constant) }
    default: break
    }
  }
}

extension QueryConstant {
  /// What is inside of optionals; nil for null.
  var value: Any? { given.flatMap { Unwrapping.value($0) } }

  /// How messages call the type of the value.
  var typeName: String { value.map { ShownValue.typeName($0) } ?? "nil" }
}

extension QueryShape {
  /// The shape of constants: integers of any size may be compared.
  var unbounded: _PropertyShape {
    var shape = declared
    shape.bitWidth = 64
    return shape
  }
}
