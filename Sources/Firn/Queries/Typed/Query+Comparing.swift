internal import FirnEngine

extension Query {
  func compare(_ operation: QueryOperator, _ constant: Any, _ options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(node.compare(operation, .constant(QueryConstant(constant)), options))
  }

  func compare<U>(_ operation: QueryOperator, _ other: Query<U>, _ options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(node.compare(operation, other.node.operand, options))
  }

  func isIn(_ values: [Any?]) -> Query<Bool> { Query<Bool>(node.compare(.isIn, .list(QueryList(elements: values)))) }

  @usableFromInline
  func isEqual(to constant: Any) -> Query<Bool> { compare(.equal, constant) }
}

extension Query where T: _QueryOperand {
  fileprivate func compare(_ comparison: Comparison, to constant: T) -> Query<Bool> {
    node.isOwn
      ? Query<Bool>(node.compareOwn(comparison, constant._constant))
      : compare(QueryOperator(comparison), constant)
  }

  /// Whether the property equals a value. Floating-point numbers compare exactly.
  @inlinable
  public static func == (lhs: Query, rhs: T) -> Query<Bool> {
    lhs.node.isOwn ? Query<Bool>(lhs.node.isOwnEqual(to: rhs._constant)) : lhs.isEqual(to: rhs)
  }
  /// Whether the property does not equal a value; true of nil, unless the value is nil.
  public static func != (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.notEqual, to: rhs) }

  /// Whether the property equals one of the values.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T { isIn(collection.map { $0 }) }
}

extension Query {
  /// Whether two properties of the object are equal.
  public static func == (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.equal, rhs) }
  /// Whether two properties of the object differ.
  public static func != (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
}

// MARK: - Order

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Whether the property is less than a value. Never true of nil.
  public static func < (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.less, to: rhs) }
  /// Whether the property is at most a value.
  public static func <= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, to: rhs) }
  /// Whether the property is greater than a value. Never true of nil.
  public static func > (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greater, to: rhs) }
  /// Whether the property is at least a value.
  public static func >= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, to: rhs) }
  /// Whether a property is less than another one of the object.
  public static func < (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.less, rhs) }
  /// Whether a property is at most another one of the object.
  public static func <= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
  /// Whether a property is greater than another one of the object.
  public static func > (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greater, rhs) }
  /// Whether a property is at least another one of the object.
  public static func >= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }
}

// MARK: - Ranges

extension Query where T: Comparable {
  /// Whether the property lies in a range.
  public func contains(_ range: Range<T>) -> Query<Bool> { isWithin(range) }

  /// Whether the property lies in a range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> { isWithin(range) }
}

extension Query where T: Comparable & _QueryOperand {
  /// Whether the property lies in a range.
  @inlinable
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    if let node = node.isOwn(from: range.lowerBound._constant, to: range.upperBound._constant) {
      return Query<Bool>(node)
    }
    return isWithin(range)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// Whether the property is not nil and lies in a range.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> { isWithin(range) }

  /// Whether the property is not nil and lies in a range.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> { isWithin(range) }
}

extension Query {
  private func isWithin<Bound: Comparable>(_ range: Range<Bound>) -> Query<Bool> {
    compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound)
  }

  @usableFromInline
  func isWithin<Bound: Comparable>(_ range: ClosedRange<Bound>) -> Query<Bool> {
    if TextBounds.areTexts(Bound.self) {
      return compare(.greaterOrEqual, range.lowerBound) && compare(.lessOrEqual, range.upperBound)
    }
    let bounds = QueryList(elements: [range.lowerBound, range.upperBound], isWritten: true)
    return Query<Bool>(node.compare(.between, .list(bounds)))
  }
}

/// Ranges of texts, which neither `BETWEEN` nor the operators on collections know.
enum TextBounds {
  static func areTexts<Bound>(_ type: Bound.Type) -> Bool { (type as? any _HasPersistedType.Type)?.isText ?? false }
}

extension _HasPersistedType {
  fileprivate static var isText: Bool { PersistedType.self is any _QueryBinary.Type }
}
