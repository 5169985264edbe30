internal import FirnEngine
internal import Foundation

/// Values against constants.
extension QueryBinder {
  /// Whether a value, as an element of the innermost collection on the way has it, compares so with a constant.
  func test(
    _ bound: BoundPath, _ operation: QueryOperator, _ options: StringOptions, _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    switch bound.content {
    case .inside: return try mixedTest(bound, operation, options, constant)
    case .values(let shape) where shape.type == .any: return try mixedTest(bound, operation, options, constant)
    case .keys: return try keyTest(bound, operation, options, constant)
    case .aggregate(let aggregate, let shape): return try test(bound, aggregate, shape, operation, constant)
    case .values(let shape):
      if shape.declared.custom != nil, let members = try memberTest(bound, shape, operation, constant) {
        return members
      }
      return try test(bound.operand, shape, operation, options, constant)
    }
  }

  private func test(
    _ operand: Operand, _ shape: QueryShape, _ operation: QueryOperator, _ options: StringOptions,
    _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    try check(operation, options, shape, constant.position)
    if shape.isText, !options.isEmpty || operation.comparison == nil {
      return try textTest(operand, operation, options, try value(constant, for: shape, isPattern: true))
    }
    guard let comparison = operation.comparison else { return .constant(false) }
    return .test(operand, .compare(comparison, try value(constant, for: shape)))
  }

  /// Whether an operator may be used on values.
  func check(
    _ operation: QueryOperator, _ options: StringOptions, _ shape: QueryShape, _ position: Int?
  ) throws(QueryError) {
    let isSupported =
      switch operation {
      case .equal, .notEqual, .isIn: true
      case .less, .lessOrEqual, .greater, .greaterOrEqual: shape.isNumeric || shape.isText
      case .beginsWith, .endsWith, .contains, .like: shape.isText
      case .between: shape.isNumeric
      case .matches: false
      }
    if !isSupported {
      throw unsupported(operation, shape.name, ofType: shape.typeName, allowed: shape.operators, at: position)
    }
    try Self.check(options, operation, shape.isText, position)
  }

  /// Whether the options of an operator on texts mean something.
  private static func check(
    _ options: StringOptions, _ operation: QueryOperator, _ isText: Bool, _ position: Int?
  ) throws(QueryError) {
    guard isText, !options.isEmpty else { return }
    switch operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      throw QueryError(
        "Lexicographical comparisons must be case-sensitive: '\(operation.rawValue)' takes no options.",
        expected: operation.rawValue, found: "options", at: position)
    case .like where options.contains(.diacriticInsensitive):
      throw QueryError(
        "Operator 'LIKE' not supported with diacritic-insensitive modifier.", expected: "LIKE or LIKE[c]",
        found: "LIKE[d]", at: position)
    default: break
    }
  }

  func textTest(
    _ operand: Operand, _ operation: QueryOperator, _ options: StringOptions, _ value: Value
  ) throws(QueryError) -> Predicate {
    guard let text = operation.text else { return .constant(false) }
    switch value {
    case .string(let bytes), .data(let bytes):
      return .test(operand, .text(text, bytes, TextOptions(options)))
    default:
      // Null: only null equals it, and nothing contains it.
      switch operation {
      case .equal, .like: return .test(operand, .compare(.equal, .null))
      case .notEqual: return .test(operand, .compare(.notEqual, .null))
      default: return .constant(false)
      }
    }
  }

  // MARK: Keys

  private func keyTest(
    _ bound: BoundPath, _ operation: QueryOperator, _ options: StringOptions, _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    guard operation.text != nil else {
      throw unsupported(
        operation, bound.name, ofType: "string", allowed: "==, != and string operators", at: constant.position)
    }
    try Self.check(options, operation, true, constant.position)
    guard let key = constant.value as? String else {
      throw QueryError(
        "Cannot compare value '\(constant.shown)' of type '\(constant.typeName)' to the keys '\(bound.name)', which are "
          + "texts.", expected: "a text", found: constant.typeName, at: constant.position)
    }
    return try textTest(bound.operand, operation, options, Value(key))
  }

  // MARK: Aggregates

  private func test(
    _ bound: BoundPath, _ aggregate: QueryAggregate, _ shape: QueryShape, _ operation: QueryOperator,
    _ constant: QueryConstant
  ) throws(QueryError) -> Predicate {
    guard let comparison = operation.comparison else {
      throw unsupported(
        operation, bound.name, ofType: bound.typeName, allowed: "==, !=, <, <=, >, >=, IN and BETWEEN",
        at: constant.position)
    }
    if aggregate == .count {
      guard let number = Self.number(constant) else {
        throw QueryError(
          "@count can only be compared with a numeric value: '\(constant.shown)' is none.", expected: "a number",
          found: constant.typeName, at: constant.position)
      }
      return .test(bound.operand, .compare(comparison, number))
    }
    var result = shape
    result.declared.isOptional = aggregate != .sum
    if aggregate == .sum, shape.type == .any, constant.value == nil {
      throw mismatch(constant, shape)
    }
    if shape.type == .any {
      return .test(bound.operand, .compare(comparison, try mixedValue(constant, shape).value))
    }
    return .test(bound.operand, .compare(comparison, try value(constant, for: result)))
  }

  private static func number(_ constant: QueryConstant) -> Value? {
    switch constant.value {
    case is Bool, nil: nil
    case let value as any FixedWidthInteger: Int64(exactly: value).map { .int($0) } ?? .double(Double(value))
    case let value as any BinaryFloatingPoint: .double(Double(value))
    case let value as Decimal128: .decimal128(value.bits)
    case let value as Decimal: .decimal128(Decimal128(value: value).bits)
    default: nil
    }
  }

  // MARK: Several constants

  /// The constants of a list where each stands for one stored value; nil where more is to be compared.
  func plainValues(_ bound: BoundPath, _ list: QueryList) throws(QueryError) -> [Value]? {
    if bound.isMixed { return try plainMixedValues(list) }
    guard case .values(let shape) = bound.content, shape.declared.custom == nil else { return nil }
    var values: [Value] = []
    values.reserveCapacity(list.elements.count)
    for element in list.elements {
      values.append(try value(list.constant(element), for: shape))
    }
    return values
  }

  /// The same for mixed values; nil when one is a collection. Texts equal data of the same bytes.
  private func plainMixedValues(_ list: QueryList) throws(QueryError) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(list.elements.count)
    for element in list.elements {
      let constant = try mixedValue(list.constant(element), nil)
      if constant.collection != nil { return nil }
      let value = constant.value
      values.append(value)
      if case .string(let bytes) = value { values.append(.data(bytes)) }
    }
    return values
  }
}

extension TextOptions {
  init(_ options: StringOptions) { self.init(rawValue: UInt8(truncatingIfNeeded: options.rawValue) & 3) }
}

extension QueryShape {
  /// The operators that may be used, for messages.
  var operators: String {
    switch type {
    case .int, .float, .double, .decimal128, .date: "==, !=, <, <=, >, >=, BETWEEN and IN"
    case .string, .data: "==, !=, <, <=, >, >=, BEGINSWITH, ENDSWITH, CONTAINS, LIKE and IN"
    case .bool, .objectId, .UUID, .object, .linkingObjects: "==, != and IN"
    case .any: "all operators"
    }
  }
}
