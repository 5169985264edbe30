internal import FirnEngine

/// Queries over the objects of a map.
extension Map where Value: OptionalProtocol, Value.Wrapped: Object {
  /// The objects in the map that satisfy a condition, live, in the order of the keys. Values that are nil satisfy none.
  ///
  /// Traps for an unmanaged map, and for a property that the realm does not store.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    let core = _elementQuery()
    return Results(core: core.filtered(isIncluded(Query(QueryNode(core))).node))
  }

  /// The objects in the order of descriptors, live; the first is the primary one, objects equal in all keep the order of
  /// the keys. Values that are nil come first. See `sorted(by:)`.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor {
    let core = _elementQuery()
    return Results(core: core.sorted(sortDescriptors.map { core.sortKey($0.keyPath, ascending: $0.ascending) }))
  }

  /// The objects in the order of a property, live; see `sorted(by:)`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects in the order of a property, live; see `sorted(by:)`.
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool) -> Results<Value> {
    let core = _elementQuery()
    return Results(core: core.sorted([core.sortKey(keyPath, ascending: ascending)]))
  }

  /// The least value of a property of the objects; nil when there is none. Nulls and NaN are passed over.
  ///
  /// Traps for an unmanaged map, and for a property that has no order of this kind, or does not exist.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    aggregate(.min) { $0.column(keyPath) }
  }

  /// The greatest value of a property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    aggregate(.max) { $0.column(keyPath) }
  }

  /// The sum of a property of the objects, 0 of nothing. Nulls and NaN are passed over; integers wrap around in 64 bits.
  public func sum<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T {
    sum(aggregate(.sum) { $0.column(keyPath) })
  }

  /// The average of a property of the objects, nil of nothing. Nulls and NaN are passed over.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    aggregate(.average) { $0.column(keyPath) }
  }

  /// The least value of a property of the objects; see `min(of:)`.
  public func min<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? {
    aggregate(.min) { $0.column(named: property) }
  }

  /// The greatest value of a property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? {
    aggregate(.max) { $0.column(named: property) }
  }

  /// The sum of a property of the objects; see `sum(of:)`.
  public func sum<T: AddableType & _AggregateResult>(ofProperty property: String) -> T {
    sum(aggregate(.sum) { $0.column(named: property) })
  }

  /// The average of a property of the objects; see `average(of:)`.
  public func average<T: AddableType & _AggregateResult>(ofProperty property: String) -> T? {
    aggregate(.average) { $0.column(named: property) }
  }

  private func sum<T>(_ value: T?) -> T {
    guard let value else { fatalError("Could not convert a sum to type '\(T.self)'.") }
    return value
  }

  private func aggregate<T: _AggregateResult>(_ aggregate: Aggregate, _ column: (ResultsCore) -> ColumnID) -> T? {
    let core = _elementQuery()
    return core.aggregate(aggregate, column(core)).flatMap { T._result($0) }
  }
}
