// Conditions on collections hold if they do for some element, where nothing else is said.
extension Query where T: RealmCollection {
  /// A property of the objects in the collection.
  public subscript<V>(dynamicMember keyPath: KeyPath<T.Element, V>) -> Query<V> where T.Element: ObjectBase {
    Query<V>(node.member(keyPath, of: T.Element.self))
  }

  /// The number of elements.
  public var count: Query<Int> { Query<Int>(node.aggregate(.count)) }

  /// Whether some element equals a value.
  public func contains(_ value: T.Element) -> Query<Bool> { Query<Bool>(node.hasElement(value)) }

  /// Whether some element equals one of the values.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
    isIn(collection.map { $0 })
  }

  /// Whether some element equals a value.
  public static func == (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.equal, rhs) }
  /// Whether some element differs from a value; never true of an empty collection.
  public static func != (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// Whether all elements lie in a range; never true of an empty collection. Nil is passed over.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> { hasAll(in: range) }

  /// Whether all elements lie in a range; never true of an empty collection. Nil is passed over.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> { hasAll(in: range) }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// Whether all elements lie in a range; never true of an empty collection. Nil is passed over.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> { hasAll(in: range) }

  /// Whether all elements lie in a range; never true of an empty collection. Nil is passed over.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> { hasAll(in: range) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// The least element; nil of nothing. Nil and NaN are passed over, also by the following.
  public var min: Query<T.Element> { Query<T.Element>(node.aggregate(.min)) }
  /// The greatest element; nil of nothing.
  public var max: Query<T.Element> { Query<T.Element>(node.aggregate(.max)) }
  /// The average of the elements; nil of nothing.
  public var avg: Query<T.Element> { Query<T.Element>(node.aggregate(.average)) }
  /// The sum of the elements; 0 of nothing.
  public var sum: Query<T.Element> { Query<T.Element>(node.aggregate(.sum)) }

  /// Whether some element is less than a value.
  public static func < (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.less, rhs) }
  /// Whether some element is at most a value.
  public static func <= (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.lessOrEqual, rhs) }
  /// Whether some element is greater than a value.
  public static func > (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.greater, rhs) }
  /// Whether some element is at least a value.
  public static func >= (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.greaterOrEqual, rhs) }
}

// MARK: - Aggregates of a property

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// The least value of a property of the objects in a collection: `$0.dogs.age.min`. Nil of nothing; nil and NaN are
  /// passed over, also by the following. Traps where the path leads through no collection.
  public var min: Query<T> { Query(node.aggregate(.min)) }
  /// The greatest value of a property of the objects in a collection; nil of nothing.
  public var max: Query<T> { Query(node.aggregate(.max)) }
  /// The average of a property of the objects in a collection; nil of nothing.
  public var avg: Query<T> { Query(node.aggregate(.average)) }
  /// The sum of a property of the objects in a collection; 0 of nothing.
  public var sum: Query<T> { Query(node.aggregate(.sum)) }
}

// MARK: - Maps

// Conditions on maps are about their values.
extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> { Query<Int>(node.aggregate(.count)) }

  /// Any value.
  public var values: Query<T.Value> { Query<T.Value>(node.appending(.allValues)) }

  /// Any key.
  public var keys: Query<String> { Query<String>(node.appending(.allKeys)) }

  /// Whether some value equals one.
  public func contains(_ value: T.Value) -> Query<Bool> { Query<Bool>(node.hasElement(value)) }

  /// Whether some value equals one of several.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Value {
    isIn(collection.map { $0 })
  }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
  /// The value for a key; nil when there is none.
  public subscript(key: String) -> Query<T.Value> { Query<T.Value>(node.appending(.key(key))) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// Whether all values lie in a range; never true of an empty map. Nil is passed over.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> { hasAll(in: range) }

  /// Whether all values lie in a range; never true of an empty map. Nil is passed over.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> { hasAll(in: range) }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// Whether all values lie in a range; never true of an empty map. Nil is passed over.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> { hasAll(in: range) }

  /// Whether all values lie in a range; never true of an empty map. Nil is passed over.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> { hasAll(in: range) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// The least value; nil of nothing. Nil and NaN are passed over, also by the following.
  public var min: Query<T.Value> { Query<T.Value>(node.aggregate(.min)) }
  /// The greatest value; nil of nothing.
  public var max: Query<T.Value> { Query<T.Value>(node.aggregate(.max)) }
  /// The average of the values; nil of nothing.
  public var avg: Query<T.Value> { Query<T.Value>(node.aggregate(.average)) }
  /// The sum of the values; 0 of nothing.
  public var sum: Query<T.Value> { Query<T.Value>(node.aggregate(.sum)) }
}

extension Query {
  private func hasAll<Bound>(in range: Range<Bound>) -> Query<Bool> {
    hasAll(from: range.lowerBound, .less, range.upperBound, beyond: .greaterOrEqual)
  }

  private func hasAll<Bound>(in range: ClosedRange<Bound>) -> Query<Bool> {
    hasAll(from: range.lowerBound, .lessOrEqual, range.upperBound, beyond: .greater)
  }

  private func hasAll<Bound>(
    from low: Bound, _ operation: QueryOperator, _ high: Bound, beyond: QueryOperator
  ) -> Query<Bool> {
    if TextBounds.areTexts(Bound.self) {
      return compare(.greaterOrEqual, low) && !(compare(.less, low) || compare(beyond, high))
    }
    return Query<Bound>(node.aggregate(.min)).compare(.greaterOrEqual, low)
      && Query<Bound>(node.aggregate(.max)).compare(operation, high)
  }
}
