internal import FirnEngine
internal import FirnReactive
public import Foundation

/// A value that an aggregate over a property can have.
public protocol _AggregateResult {
  /// The value of an aggregate; nil of nothing.
  static func _result(_ aggregate: _Constant) -> Self?
}

extension _PersistableInteger {
  public static func _result(_ aggregate: _Constant) -> Self? {
    switch aggregate.value {
    case .int(let value): Self(truncatingIfNeeded: value)
    case .double(let value): whole(value)
    case .float(let value): whole(Double(value))
    case .decimal128(let bits): whole(DecimalFloat(bits))
    default: nil
    }
  }

  private static func whole(_ value: DecimalFloat) -> Self? {
    let whole = value.truncated
    if Self.self == Int.self, whole.map({ DecimalFloat($0) }) != value {
      fatalError("Could not convert value '\(value)' to type 'Int'.")
    }
    return whole.map { Self(truncatingIfNeeded: $0) }
  }

  /// Drops the fraction, and bits that do not fit; `Int` needs an exact value.
  private static func whole(_ value: Double) -> Self? {
    if Self.self == Int.self {
      guard let exact = Self(exactly: value) else {
        fatalError("Could not convert value '\(value)' to type 'Int'.")
      }
      return exact
    }
    return Int64(exactly: value.rounded(.towardZero)).map { Self(truncatingIfNeeded: $0) }
  }
}

extension Int: _AggregateResult {}
extension Int8: _AggregateResult {}
extension Int16: _AggregateResult {}
extension Int32: _AggregateResult {}
extension Int64: _AggregateResult {}

extension Float: _AggregateResult {
  public static func _result(_ aggregate: _Constant) -> Float? { aggregate.double.map { Float($0) } }
}

extension Double: _AggregateResult {
  public static func _result(_ aggregate: _Constant) -> Double? { aggregate.double }
}

extension Date: _AggregateResult {
  public static func _result(_ aggregate: _Constant) -> Date? {
    guard case .date(let seconds) = aggregate.value else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension Optional: _AggregateResult where Wrapped: _AggregateResult {
  public static func _result(_ aggregate: _Constant) -> Wrapped?? { Wrapped._result(aggregate).map { .some($0) } }
}

extension _Constant {
  fileprivate var double: Double? {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal128(let bits): DecimalFloat(bits).double
    default: nil
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The least value of a property; nil when there is none. Nulls and NaN are passed over.
  ///
  /// Traps for a property that has no order of this kind, or does not exist.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.min(of: elements.lazy.map { $0[keyPath: keyPath] })
    }
    return aggregate(.min, keyPath)
  }

  /// The greatest value of a property; nil when there is none. Nulls and NaN are passed over.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.max(of: elements.lazy.map { $0[keyPath: keyPath] })
    }
    return aggregate(.max, keyPath)
  }

  /// The sum of a property, 0 of nothing. Nulls and NaN are passed over; integers wrap around in 64 bits.
  public func sum<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> T {
    if let elements = _unmanagedElements { return T._sum(elements.lazy.map { $0[keyPath: keyPath] }) }
    return AggregateFailure.sum(aggregate(.sum, keyPath))
  }

  /// The average of a property, nil of nothing. Nulls and NaN are passed over.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.average(of: elements.lazy.map { $0[keyPath: keyPath] })
    }
    return aggregate(.average, keyPath)
  }

  /// The least value of a property of a custom type, by what is stored. Nulls are passed over.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { aggregateStored(.min, keyPath) }

  /// The greatest value of a property; nil when there is none. Nulls and NaN are passed over.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType { aggregateStored(.max, keyPath) }

  /// The sum of a property, 0 of nothing. Nulls and NaN are passed over; integers wrap around in 64 bits.
  @_disfavoredOverload
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType { AggregateFailure.sum(aggregateStored(.sum, keyPath)) }

  /// The average of a property, nil of nothing. Nulls and NaN are passed over.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType { aggregateStored(.average, keyPath) }

  /// The least value of an optional property; nil when there is none. Nulls and NaN are passed over.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T?>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.min(of: elements.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.min, keyPath)
  }

  /// The greatest value of an optional property; nil when there is none. Nulls and NaN are passed over.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T?>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.max(of: elements.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.max, keyPath)
  }

  /// The average of an optional property, nil of nothing. Nulls and NaN are passed over.
  public func average<T: AddableType & _AggregateResult>(of keyPath: KeyPath<Element, T?>) -> T? {
    if let elements = _unmanagedElements {
      return ElementAggregates.average(of: elements.lazy.compactMap { $0[keyPath: keyPath] })
    }
    return aggregate(.average, keyPath)
  }

  /// The least value of an optional property of a custom type, by what is stored. Nulls are passed over.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { aggregateStored(.min, keyPath) }

  /// The greatest value of an optional property of a custom type, by what is stored. Nulls are passed over.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T?>) -> T?
  where T.PersistedType: MinMaxType { aggregateStored(.max, keyPath) }

  private func aggregateStored<T: _AggregateResult>(
    _ aggregate: Aggregate, _ keyPath: PartialKeyPath<Element>
  ) -> T? {
    guard let elements = _unmanagedElements else { return self.aggregate(aggregate, keyPath) }
    return StoredAggregate.result(aggregate, of: ResultsCore.property(keyPath, of: Element.self), in: elements)
  }

  private func aggregate<T: _AggregateResult>(_ aggregate: Aggregate, _ keyPath: PartialKeyPath<Element>) -> T? {
    let core = _query.core
    return core.result(core.aggregate(aggregate, core.column(keyPath)))
  }
}

extension RealmCollection {
  /// The least value of a property of the elements; of values, for the name `self`. Nil when there is none; nulls and NaN
  /// are passed over.
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

  /// The least value of a property of a custom type, by what is stored; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType { aggregate(.min, property) }

  /// The greatest value of a property of a custom type, by what is stored; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType { aggregate(.max, property) }

  /// The sum of what is stored for a property of a custom type; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
  where T.PersistedType: AddableType { AggregateFailure.sum(aggregate(.sum, property)) }

  /// The average of what is stored for a property of a custom type; see `min(ofProperty:)`.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
  where T.PersistedType: AddableType { aggregate(.average, property) }

  func aggregate<T: _AggregateResult>(_ aggregate: Aggregate, _ property: String) -> T? {
    if Element._isLinkElement, _unmanagedElements == nil {
      let core = _query.core
      return core.result(core.aggregate(aggregate, core.column(named: property)))
    }
    return StoredAggregate.result(aggregate, of: property, in: _unmanagedElements ?? Array(self))
  }
}

/// The same for code that is generic over the type of elements.
extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The least element by what is stored; nil when there is none. Nil and NaN are passed over.
  @_disfavoredOverload
  public func min() -> Element? { StoredAggregate.result(.min, of: "self", in: Array(self)) }

  /// The greatest element by what is stored; nil when there is none. Nil and NaN are passed over.
  @_disfavoredOverload
  public func max() -> Element? { StoredAggregate.result(.max, of: "self", in: Array(self)) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of what is stored, zero of nothing. Nil and NaN are passed over; integers wrap around in 64 bits.
  @_disfavoredOverload
  public func sum() -> Element { AggregateFailure.sum(StoredAggregate.result(.sum, of: "self", in: Array(self))) }

  /// The mean of what is stored; nil of nothing. Nil and NaN are passed over.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    StoredAggregate.result(.average, of: "self", in: Array(self))
  }
}

enum AggregateFailure {
  /// The sum, or a trap when it cannot be made.
  static func sum<T>(_ value: T?) -> T {
    guard let value else { fatalError("Could not convert a sum to type '\(T.self)'.") }
    return value
  }
}

extension ResultsCore {
  /// An aggregate in its Swift type.
  func result<T: _AggregateResult>(_ aggregate: _Constant?) -> T? {
    guard let aggregate else { return nil }
    // The only ones that may be objects or collections.
    if T.self == AnyRealmValue.self {
      return AnyRealmValue(aggregate.value, in: instance, isDynamic: table.isDynamic) as? T
    }
    return T._result(aggregate)
  }

  func column(_ keyPath: AnyKeyPath) -> ColumnID { column(named: Self.property(keyPath, of: table.model.type)) }

  /// The name of the property that a key path leads to. Traps for one that leads anywhere else.
  static func property(_ keyPath: AnyKeyPath, of type: ObjectBase.Type) -> String {
    let path = ClassPath.of(keyPath, on: type)
    guard path.components.count == 1, case .property(let name) = path.components[0], path.collections.isEmpty else {
      fatalError(
        "An aggregate over '\(QueryPrinter.text(of: QueryKeyPath(path)))': only properties of the class itself are "
          + "supported, which are no collections.")
    }
    return name
  }

  /// Nil when there is no value.
  func aggregate(_ aggregate: Aggregate, _ column: ColumnID) -> _Constant? {
    noteRead(counting: KeyPathFilter(paths: [[.column(column)]]))
    let value: Value?
    if isWholeTable {
      value = instance.read { $0.aggregate(aggregate, of: column, in: table.table) }
    } else {
      value = withEvaluation { evaluation, contents in
        if steps.isEmpty, evaluation.matches == nil, case .table = source, let compiled, !instance.isReadingTransaction
        {
          return contents.aggregate(aggregate, of: column, in: table.table, over: .matching(compiled))
        }
        let keys = steps.isEmpty ? evaluation.match(self, contents) : evaluation.ordered(self, contents)
        return contents.aggregate(
          aggregate, of: column, in: table.table,
          over: .keys(keys.filter { !showsNulls || $0 != Self.nullKey }))
      }
    }
    guard let value else {
      fatalError(
        "'\(aggregate)' is not supported for property '\(name(of: ColumnPath(column)))' of '\(table.model.name)'."
      )
    }
    return value == .null ? nil : _Constant(value)
  }
}
