internal import FirnEngine
internal import Foundation

/// Properties in comparison with constants and with each other.
extension PredicateTranslation {
  mutating func equality(_ left: any ExpressionNode, _ right: any ExpressionNode) -> QueryExpression? {
    if let constant = right.constant {
      if let number = constant.value as? Int, let collection = count(left) {
        return comparison(counting: collection, .equal, number)
      }
      if let path = place(left) { return equality(path, left.outputType, constant.unwrapped) }
      guard case .coalesce(let inner, let other) = left.shape, let path = place(inner), let other = other.constant,
        let value = constant.unwrapped, let equal = equality(path, inner.outputType, value)
      else { return nil }
      return areEqual(other.value, value) ? .or([equal, isNil(path)]) : equal
    }
    guard let leftPath = place(left), let rightPath = place(right) else { return nil }
    switch ComparedType(left.outputType) {
    case .exact?, .flag?, .object?:
      return .comparison(
        QueryComparison(left: operand(leftPath), operation: .equal, right: operand(rightPath)))
    case .text?, nil: return nil
    }
  }

  /// - Parameter value: Nil for null.
  func equality(_ path: Place, _ type: Any.Type, _ value: Any?) -> QueryExpression? {
    guard let compared = ComparedType(type) else { return nil }
    guard let value else { return isNil(path) }
    guard case .text = compared else { return comparison(path, .equal, value) }
    guard let text = value as? String, let texts = EqualTexts.all(of: text) else { return nil }
    return texts.count == 1 ? comparison(path, .equal, text) : isIn(path, texts)
  }

  mutating func order(
    _ left: any ExpressionNode, _ operation: QueryOperator, _ right: any ExpressionNode
  ) -> QueryExpression? {
    if let constant = right.constant {
      if let number = constant.value as? Int, let collection = count(left) {
        return comparison(counting: collection, operation, number)
      }
      guard case .exact(isOrdered: true)? = ComparedType(left.outputType) else { return nil }
      if let path = place(left) { return comparison(path, operation, constant.value) }
      guard case .coalesce(let inner, let other) = left.shape, let path = place(inner), let other = other.constant,
        let holds = holds(other.value, operation, constant.value)
      else { return nil }
      let compared = comparison(path, operation, constant.value)
      return holds ? .or([compared, isNil(path)]) : compared
    }
    guard case .exact(isOrdered: true)? = ComparedType(left.outputType), let leftPath = place(left),
      let rightPath = place(right)
    else { return nil }
    return .comparison(QueryComparison(left: operand(leftPath), operation: operation, right: operand(rightPath)))
  }

  mutating func within(_ range: any ConstantRange, _ element: any ExpressionNode) -> QueryExpression? {
    guard case .exact(isOrdered: true)? = ComparedType(element.outputType), let path = place(element) else {
      return nil
    }
    let (lower, upper, includesUpper) = range.bounds
    var parts: [QueryExpression] = []
    if let lower { parts.append(comparison(path, .greaterOrEqual, lower)) }
    if let upper { parts.append(comparison(path, includesUpper ? .lessOrEqual : .less, upper)) }
    return parts.isEmpty ? nil : .and(parts)
  }

  mutating func membership(
    _ sequence: any ExpressionNode, _ element: any ExpressionNode
  ) -> QueryExpression? {
    if let constant = sequence.constant {
      if let range = constant.value as? any ConstantRange { return within(range, element) }
      guard let path = place(element), let compared = ComparedType(element.outputType),
        let values = constant.value as? any Sequence
      else { return nil }
      return isIn(path, compared, Self.elements(of: values))
    }
    guard let path = place(sequence), let type = sequence.outputType as? any CountedElements.Type,
      let constant = element.constant
    else { return nil }
    switch ComparedType(type.elementType) {
    case nil: return nil
    // Collections look for NaN and zeros in their own way.
    case .exact? where constant.unwrapped is any BinaryFloatingPoint: return nil
    case .text? where type.isSet:
      // Foundation compares the elements of a set one by one. Other collections look for bytes, too.
      guard let value = constant.unwrapped else { break }
      guard let text = value as? String, let texts = EqualTexts.all(of: text) else { return nil }
      return .or(texts.map { contains(path, $0) })
    case .text?, .exact?, .flag?, .object?: break
    }
    return contains(path, constant.unwrapped)
  }

  /// Whether a collection contains a value.
  private func contains(_ path: Place, _ value: Any?) -> QueryExpression {
    let value = QueryOperand.constant(QueryConstant(value))
    return .comparison(QueryComparison(left: value, operation: .isIn, right: operand(path)))
  }

  func isIn(
    _ path: Place, _ compared: ComparedType, _ values: [Any?]
  ) -> QueryExpression? {
    var all: [Any] = []
    for value in values {
      guard let value else { continue }
      if case .text = compared {
        guard let text = value as? String, let texts = EqualTexts.all(of: text) else { return nil }
        all += texts
      } else {
        all.append(value)
      }
    }
    let found = isIn(path, all)
    return values.contains { $0 == nil } ? .or([found, isNil(path)]) : found
  }

  private static func elements<Values: Sequence>(of values: Values) -> [Any?] { values.map { Unwrapping.value($0) } }

  // MARK: Constants

  func areEqual(_ left: Any, _ right: Any) -> Bool {
    func equals<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    return (left as? any Equatable).map { equals($0) } ?? false
  }

  func holds(_ left: Any, _ operation: QueryOperator, _ right: Any) -> Bool? {
    func holds<Value: Comparable>(_ left: Value) -> Bool? {
      guard let right = right as? Value else { return nil }
      switch operation {
      case .less: return left < right
      case .lessOrEqual: return left <= right
      case .greater: return left > right
      case .greaterOrEqual: return left >= right
      default: return nil
      }
    }
    return (left as? any Comparable).flatMap { holds($0) }
  }
}
