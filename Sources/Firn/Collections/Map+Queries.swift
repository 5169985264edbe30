internal import FirnEngine

extension Map {
  /// The values in the map that satisfy a condition, live, in the order of the keys.
  ///
  /// Nil satisfies no condition on properties of objects. Traps for an unmanaged map, and for a condition that does not
  /// suit the class.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    let core = _elementQuery()
    return Results(core: core.filtered(isIncluded(Query(QueryNode(core))).node))
  }
}

/// Queries over the objects of a map.
extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The objects in the order of a property, live; see `sorted(by:)`.
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool) -> Results<Value> {
    let core = _elementQuery()
    return Results(core: core.sorted(by: keyPath, ascending: ascending))
  }

  /// The least value of a property of the objects; nil when there is none. Nulls and NaN are passed over.
  ///
  /// Traps for a property that has no order of this kind, or does not exist.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects { return ElementAggregates.min(of: objects.lazy.map { $0[keyPath: keyPath] }) }
    return aggregate(.min, keyPath)
  }

  /// The greatest value of a property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects { return ElementAggregates.max(of: objects.lazy.map { $0[keyPath: keyPath] }) }
    return aggregate(.max, keyPath)
  }

  /// The sum of a property of the objects, 0 of nothing. Nulls and NaN are passed over; integers wrap around in 64 bits.
  public func sum<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T {
    if let objects = unmanagedObjects { return T._sum(objects.lazy.map { $0[keyPath: keyPath] }) }
    return AggregateFailure.sum(aggregate(.sum, keyPath))
  }

  /// The average of a property of the objects, nil of nothing. Nulls and NaN are passed over.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    if let objects = unmanagedObjects {
      return ElementAggregates.average(of: objects.lazy.map { $0[keyPath: keyPath] })
    }
    return aggregate(.average, keyPath)
  }

  /// The least value of an optional property of the objects; see `min(of:)`.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T? {
    if let objects = unmanagedObjects {
      return ElementAggregates.min(of: objects.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.min, keyPath)
  }

  /// The greatest value of an optional property of the objects; see `min(of:)`.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T? {
    if let objects = unmanagedObjects {
      return ElementAggregates.max(of: objects.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.max, keyPath)
  }

  /// The average of an optional property of the objects, nil of nothing; see `min(of:)`.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T? {
    if let objects = unmanagedObjects {
      return ElementAggregates.average(of: objects.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.average, keyPath)
  }

  /// The least value of a property of a custom type, by what is stored; see `min(of:)`.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType { stored(.min, keyPath) }

  /// The greatest value of a property of a custom type, by what is stored; see `min(of:)`.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: MinMaxType { stored(.max, keyPath) }

  /// The value made of the sum of what is stored for a property of a custom type; see `sum(of:)`.
  @_disfavoredOverload
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
  where T.PersistedType: AddableType { AggregateFailure.sum(stored(.sum, keyPath)) }

  /// The average of what is stored for a property of a custom type; see `average(of:)`.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T.PersistedType: AddableType { stored(.average, keyPath) }

  /// The least value of an optional property of a custom type, by what is stored; see `min(of:)`.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T?
  where T.PersistedType: MinMaxType { stored(.min, keyPath) }

  /// The greatest value of an optional property of a custom type, by what is stored; see `min(of:)`.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T?
  where T.PersistedType: MinMaxType { stored(.max, keyPath) }

  /// The objects of an unmanaged map; nil of a managed one.
  private var unmanagedObjects: [Value.Wrapped]? {
    _context == nil ? _entries.values.compactMap { $0 as Any as? Value.Wrapped } : nil
  }

  private func stored<T: _AggregateResult>(_ aggregate: Aggregate, _ keyPath: PartialKeyPath<Value.Wrapped>) -> T? {
    if _context != nil { return self.aggregate(aggregate, keyPath) }
    return StoredAggregate.result(aggregate, of: ResultsCore.property(keyPath, of: Value.Wrapped.self), in: values)
  }

  private func aggregate<T: _AggregateResult>(_ aggregate: Aggregate, _ keyPath: PartialKeyPath<Value.Wrapped>) -> T? {
    let core = _elementQuery()
    return core.result(core.aggregate(aggregate, core.column(keyPath)))
  }
}

extension Map {
  /// The values in the order of descriptors, live; the first is the primary one, values equal in all keep the order of
  /// the keys. Values that are nil come first, with ``SortDescriptor/nilsLast`` of the first descriptor last.
  ///
  /// Traps for an unmanaged map, and for a key path that does not lead to a sortable property. Values that are no objects
  /// have one descriptor at most, for `self`.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor {
    Results(core: _elementQuery().sorted(by: Array(sortDescriptors)))
  }

  /// The values in the order of a property of theirs, live; see `sorted(by:)`.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The least value of a property of the values; of values that are no objects, for the name `self`. Nil when there is
  /// none; nulls and NaN are passed over.
  ///
  /// Traps for a property that has no order of this kind, or does not exist.
  public func min<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? { aggregate(.min, property) }

  /// The greatest value of a property; see `min(ofProperty:)`.
  public func max<T: MinMaxType & _AggregateResult>(ofProperty property: String) -> T? { aggregate(.max, property) }

  /// The sum of a property, 0 of nothing; see `min(ofProperty:)`. Integers wrap around in 64 bits.
  public func sum<T: AddableType & _AggregateResult>(ofProperty property: String) -> T {
    AggregateFailure.sum(aggregate(.sum, property))
  }

  /// The average of a property, nil of nothing; see `min(ofProperty:)`.
  public func average<T: AddableType & _AggregateResult>(ofProperty property: String) -> T? {
    aggregate(.average, property)
  }

  func aggregate<T: _AggregateResult>(_ aggregate: Aggregate, _ property: String) -> T? {
    if Value._isLinkElement, _context != nil {
      let core = _elementQuery()
      return core.result(core.aggregate(aggregate, core.column(named: property)))
    }
    return StoredAggregate.result(aggregate, of: property, in: values)
  }
}

extension Map where Value.PersistedType: SortableType {
  /// The values in their order, live; equal ones keep the order of the keys.
  ///
  /// Nil comes first, then NaN, and descending last; see ``SortableType``. With `nilsLast` nil comes last in both
  /// directions. Enumerations and custom types go by what is stored for them.
  ///
  /// - Complexity: O(n log n) for each version that is looked at, and for each change that an observer is told of.
  public func sorted(ascending: Bool = true, nilsLast: Bool = false) -> Results<Value> {
    Results(core: _elementQuery().sortedValues(ascending: ascending, nilsLast: nilsLast))
  }
}
