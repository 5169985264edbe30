internal import FirnEngine

/// A condition, or a property, inside of `where { }`.
///
///     realm.objects(Flight.self).where {
///         ($0.delay > 30 || $0.status == .cancelled) && $0.from.city == "Boston"
///     }
///
/// Properties are written as on an object; links may be followed, and a nil link on the way makes the property nil.
/// `&&`, `||` and `!` combine conditions; a Bool property is a condition by itself.
///
/// Null: `== nil` and `!= nil` work on optionals, `!=` a value holds for nil too. `<` and `>` never hold with nil on a
/// side; `<=` and `>=` hold when both sides are nil. Strings of the class itself are the exception: nil sorts below all.
@dynamicMemberLookup
public struct Query<T> {
  @usableFromInline let node: QueryNode

  @inlinable
  init(_ node: QueryNode) { self.node = node }

  init(_ predicate: Predicate) { node = QueryNode(predicate) }

  // MARK: Comparing

  fileprivate var path: ColumnPath { node.path }

  /// The same expression read as another type.
  package func _retyped<V>() -> Query<V> { Query<V>(node.value) }

  fileprivate func compare(_ comparison: Comparison, _ constant: _Constant) -> Query<Bool> {
    Query<Bool>(node.compare(comparison, constant))
  }

  fileprivate func compare<U>(_ comparison: Comparison, _ other: Query<U>) -> Query<Bool> {
    Query<Bool>(node.compare(comparison, other.node))
  }

  fileprivate func isIn(_ constants: [_Constant]) -> Query<Bool> { Query<Bool>(node.isIn(constants)) }

  fileprivate func text(_ operation: TextOperator, _ constant: _Constant, _ options: StringOptions) -> Query<Bool> {
    Query<Bool>(node.text(operation, constant, options))
  }
}

/// How texts are compared.
public struct StringOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int8

  /// Options from their bits.
  public init(rawValue: Int8) { self.rawValue = rawValue }

  /// Upper and lower case are the same.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Letters with and without marks are the same.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

// MARK: - Members

extension Query where T: ObjectBase {
  /// A property of the object.
  @inlinable
  public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> { Query<V>(node.member(keyPath, of: T.self)) }
}

extension Query {
  /// A property of the object that a link leads to.
  @inlinable
  public subscript<V, U: ObjectBase>(dynamicMember keyPath: KeyPath<U, V>) -> Query<V> where T == U? {
    Query<V>(node.member(keyPath, of: U.self))
  }
}

extension Query where T: PersistableEnum {
  /// The stored value.
  public var rawValue: Query<T.RawValue> { _retyped() }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The stored value.
  public var rawValue: Query<T.Wrapped.RawValue?> { _retyped() }
}

extension Query where T: PersistableRawRepresentable {
  /// The stored value.
  public var rawValue: Query<T.RawValue> { _retyped() }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableRawRepresentable {
  /// The stored value.
  public var rawValue: Query<T.Wrapped.RawValue?> { _retyped() }
}

extension Query where T: _HasPersistedType {
  /// The stored value: the raw value of an enumeration, what a custom type is stored as, else the property itself.
  public var persistableValue: Query<T.PersistedType> { _retyped() }
}

// MARK: - Equality

extension Query where T: _QueryOperand {
  /// Whether the property equals a value. Floating-point numbers compare exactly.
  @inlinable
  public static func == (lhs: Query, rhs: T) -> Query<Bool> { Query<Bool>(lhs.node.isEqual(to: rhs._constant)) }
  /// Whether the property does not equal a value; true of nil, unless the value is nil.
  public static func != (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.notEqual, rhs._constant) }
  /// Whether two properties of the object are equal.
  public static func == (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.equal, rhs) }
  /// Whether two properties of the object differ.
  public static func != (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.notEqual, rhs) }

  /// Whether the property equals one of the values.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
    isIn(collection.map(\._constant))
  }
}

// MARK: - Order

extension Query where T: _QueryOperand & _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Whether the property is less than a value. Never true of nil.
  public static func < (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.less, rhs._constant) }
  /// Whether the property is at most a value.
  public static func <= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs._constant) }
  /// Whether the property is greater than a value. Never true of nil.
  public static func > (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greater, rhs._constant) }
  /// Whether the property is at least a value.
  public static func >= (lhs: Query, rhs: T) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs._constant) }
  /// Whether a property is less than another one of the object.
  public static func < (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.less, rhs) }
  /// Whether a property is at most another one of the object.
  public static func <= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
  /// Whether a property is greater than another one of the object.
  public static func > (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greater, rhs) }
  /// Whether a property is at least another one of the object.
  public static func >= (lhs: Query, rhs: Query) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }
}

extension Query where T: Comparable & _QueryOperand & _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Whether the property lies in a range.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    compare(.greaterOrEqual, range.lowerBound._constant) && compare(.less, range.upperBound._constant)
  }

  /// Whether the property lies in a range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    compare(.greaterOrEqual, range.lowerBound._constant) && compare(.lessOrEqual, range.upperBound._constant)
  }
}

extension Query {
  /// Whether the property is not nil and lies in a range.
  public func contains<U: Comparable & _QueryOperand & _HasPersistedType>(_ range: Range<U>) -> Query<Bool>
  where T == U?, U.PersistedType: _QueryOrdered {
    isNotNull && compare(.greaterOrEqual, range.lowerBound._constant) && compare(.less, range.upperBound._constant)
  }

  /// Whether the property is not nil and lies in a range.
  public func contains<U: Comparable & _QueryOperand & _HasPersistedType>(_ range: ClosedRange<U>) -> Query<Bool>
  where T == U?, U.PersistedType: _QueryOrdered {
    isNotNull && compare(.greaterOrEqual, range.lowerBound._constant)
      && compare(.lessOrEqual, range.upperBound._constant)
  }

  private var isNotNull: Query<Bool> { Query<Bool>(Predicate.compare(path, .notEqual, .null)) }
}

// MARK: - Text

extension Query where T: _QueryOperand & _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Whether the text contains another. Nothing contains an empty one.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    text(.contains, value._constant, options)
  }

  /// Whether the text begins with another. Nothing begins with an empty one.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    text(.beginsWith, value._constant, options)
  }

  /// Whether the text ends with another. Nothing ends with an empty one.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    text(.endsWith, value._constant, options)
  }

  /// Whether the text equals another, with options.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    text(.equal, value._constant, options)
  }

  /// Whether the text differs from another, with options.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    text(.notEqual, value._constant, options)
  }
}

extension Query where T: _QueryOperand & _HasPersistedType, T.PersistedType: _QueryString {
  /// Whether the whole text matches a pattern, in which `?` stands for one character and `*` for any number.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    text(.like, value._constant, caseInsensitive ? .caseInsensitive : [])
  }
}

// MARK: - Logic

extension Query where T == Bool {
  /// Whether the condition does not hold.
  public static prefix func ! (query: Query) -> Query<Bool> { Query(Predicate.not(query.predicate)) }

  /// Whether both conditions hold.
  public static func && (lhs: Query, rhs: Query) -> Query<Bool> {
    guard case .and(let parts) = lhs.predicate else { return Query(.and([lhs.predicate, rhs.predicate])) }
    return Query(.and(parts + [rhs.predicate]))
  }

  /// Whether at least one of the conditions holds.
  public static func || (lhs: Query, rhs: Query) -> Query<Bool> {
    guard case .or(let parts) = lhs.predicate else { return Query(.or([lhs.predicate, rhs.predicate])) }
    return Query(.or(parts + [rhs.predicate]))
  }

  fileprivate var predicate: Predicate { node.predicate }
}
