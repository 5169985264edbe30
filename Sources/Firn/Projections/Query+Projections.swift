internal import FirnEngine

extension Query where T: ProjectionObservable {
  /// A member of the projection, which stands for the stored property that it projects.
  public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> { Query<V>(T.member(keyPath, of: node)) }
}

// Conditions on projected collections hold if they do for some element, as those on collections.
extension Query where T: ProjectedElements {
  /// Whether some element equals a value.
  public func contains(_ value: T.Element) -> Query<Bool> { compare(.equal, value) }

  /// Whether some element equals one of the values.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element {
    isIn(collection.map { $0 })
  }

  /// Whether some element equals a value.
  public static func == (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.equal, rhs) }
  /// Whether some element differs from a value; never true of an empty collection.
  public static func != (lhs: Query, rhs: T.Element) -> Query<Bool> { lhs.compare(.notEqual, rhs) }
}

extension Query where T: ProjectedElements, T.Element: _HasPersistedType, T.Element.PersistedType: _QueryNumeric {
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
