internal import FirnEngine

/// A condition, or a property, inside of `where { }`.
///
///     realm.objects(Flight.self).where {
///         ($0.delay > 30 || $0.status == .cancelled) && $0.from.city == "Boston"
///     }
///
/// Properties are written as on an object; links may be followed, and a nil link on the way makes the property nil.
/// `&&`, `||` and `!` combine conditions; a Bool property is a condition by itself. A chain of one operator may have
/// any length; over 100 conditions within each other trap.
///
/// Where a path leads through a collection, or ends in one, the condition holds if it does for some element:
/// `$0.crew.name == "Ann"`. Two such conditions may hold for two elements; `(condition).count > 0` is about one element.
///
/// Null: `== nil` and `!= nil` work on optionals, `!=` a value holds for nil too. `<` and `>` never hold with nil on a
/// side; `<=` and `>=` hold when both sides are nil. Strings of the class itself are the exception: nil sorts below all.
///
/// NaN: one of a `Double` or `Float` differs from everything, itself too, and is neither less nor greater. One of a
/// ``Decimal128`` equals itself and is less than all numbers.
@dynamicMemberLookup
public struct Query<T> {
  @usableFromInline let node: QueryNode

  @inlinable
  init(_ node: QueryNode) { self.node = node }

  /// A query that belongs to no realm: what is made of it can be printed, and nothing else.
  public static func _constructForTesting() -> Query<T> { Query(.unbound) }

  /// The condition as the format of a predicate and its arguments; nil comes as `NSNull`, all else as it was given.
  public func _constructPredicate() -> (String, [Any]) { QueryPrinter.format(of: node.expression) }

  /// The same expression read as another type.
  package func _retyped<V>() -> Query<V> { Query<V>(node.value) }
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

// MARK: - Logic

extension Query where T == Bool {
  /// Whether the condition does not hold.
  public static prefix func ! (query: Query) -> Query<Bool> { Query(QueryNode(query.node.expression.negated)) }

  /// Whether both conditions hold.
  public static func && (lhs: Query, rhs: Query) -> Query<Bool> {
    Query(QueryNode(.joined(QueryJunction(lhs.node.expression, .and, rhs.node.expression))))
  }

  /// Whether at least one of the conditions holds.
  public static func || (lhs: Query, rhs: Query) -> Query<Bool> {
    Query(QueryNode(.joined(QueryJunction(lhs.node.expression, .or, rhs.node.expression))))
  }

  /// How many elements of a collection satisfy the condition, all of it: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count`.
  ///
  /// The condition uses one collection. Paths in it that do not begin with that collection are looked for in the elements.
  /// Traps for conditions without a collection and with several ones, and for subscripts and keys of maps.
  public var count: Query<Int> { Query<Int>(QueryNode(ElementRewriting.subquery(node.expression))) }
}
