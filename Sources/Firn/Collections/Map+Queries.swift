internal import FirnEngine

/// Queries over the objects of a map.
extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
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
  /// Traps for a property that has no order of this kind, or does not exist.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects { return ElementAggregates.min(of: objects.lazy.map { $0[keyPath: keyPath] }) }
    return aggregate(.min) { $0.column(keyPath) }
  }

  /// The greatest value of a property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects { return ElementAggregates.max(of: objects.lazy.map { $0[keyPath: keyPath] }) }
    return aggregate(.max) { $0.column(keyPath) }
  }

  /// The sum of a property of the objects, 0 of nothing. Nulls and NaN are passed over; integers wrap around in 64 bits.
  public func sum<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T {
    if let objects = unmanagedObjects { return T._sum(objects.lazy.map { $0[keyPath: keyPath] }) }
    return sum(aggregate(.sum) { $0.column(keyPath) })
  }

  /// The average of a property of the objects, nil of nothing. Nulls and NaN are passed over.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects {
      return ElementAggregates.average(of: objects.lazy.map { $0[keyPath: keyPath] })
    }
    return aggregate(.average) { $0.column(keyPath) }
  }

  /// The least value of a property of the objects; see `min(of:)`.
  public func min<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? {
    if let values: [T] = unmanagedValues(of: property) { return ElementAggregates.min(of: values) }
    return aggregate(.min) { $0.column(named: property) }
  }

  /// The greatest value of a property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? {
    if let values: [T] = unmanagedValues(of: property) { return ElementAggregates.max(of: values) }
    return aggregate(.max) { $0.column(named: property) }
  }

  /// The sum of a property of the objects; see `sum(of:)`.
  public func sum<T: AddableType & _AggregateResult>(ofProperty property: String) -> T {
    if let values: [T] = unmanagedValues(of: property) { return T._sum(values) }
    return sum(aggregate(.sum) { $0.column(named: property) })
  }

  /// The average of a property of the objects; see `average(of:)`.
  public func average<T: AddableType & _AggregateResult>(ofProperty property: String) -> T? {
    if let values: [T] = unmanagedValues(of: property) { return ElementAggregates.average(of: values) }
    return aggregate(.average) { $0.column(named: property) }
  }

  /// The objects of an unmanaged map; nil of a managed one.
  private var unmanagedObjects: [Value.Wrapped]? {
    _context == nil ? _entries.values.compactMap { $0 as Any as? Value.Wrapped } : nil
  }

  private func unmanagedValues<T: _AggregateResult>(of property: String) -> [T]? {
    unmanagedObjects.map { ElementAggregates.values(of: property, in: $0) }
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
