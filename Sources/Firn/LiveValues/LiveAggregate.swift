internal import FirnEngine
internal import FirnReactive

/// What a property of many objects comes to: their number, or a sum, average, minimum or maximum. Made by ``LiveAggregates``.
public struct LiveAggregate<Element: ObjectBase, Value> {
  /// Nil for the number of objects.
  let operand: (aggregate: Aggregate, keyPath: PartialKeyPath<Element>)?
  /// Makes the value of the number of objects and of what is stored.
  let value: (ResultsCore, Int, FirnEngine.Value) -> Value

  fileprivate init(
    _ aggregate: Aggregate, _ keyPath: PartialKeyPath<Element>,
    _ value: @escaping (ResultsCore, FirnEngine.Value) -> Value
  ) {
    operand = (aggregate, keyPath)
    self.value = { core, _, stored in value(core, stored) }
  }

  fileprivate init(_ value: @escaping (Int) -> Value) {
    operand = nil
    self.value = { _, count, _ in value(count) }
  }

  /// What is asked of the groups of a query; nil for the number of objects. Traps for a property that has no such aggregate.
  func measure(in rows: ResultsCore) -> GroupQuery.Measure? {
    guard let operand else { return nil }
    let path = rows.valuePath(operand.keyPath, to: "aggregate")
    let type = rows.instance.store.graph.layout.type(at: path, from: rows.table.table)
    if !GroupQuery.Measure.isSupported(operand.aggregate, type) {
      fatalError(
        "'\(operand.aggregate)' is not supported for property '\(rows.name(of: path))' of '\(rows.table.model.name)'.")
    }
    return GroupQuery.Measure(operand.aggregate, of: path)
  }
}

/// The aggregates there are, for the blocks of ``RealmCollection/liveValue(_:)`` and `grouped(by:with:)`.
///
/// Key paths lead to properties of the class, or through links to those of other classes: `\.airline?.fee`. Null values and
/// NaN are passed over, also behind a null link. A property that has no such aggregate traps.
public struct LiveAggregates<Element: ObjectBase> {
  /// The number of objects.
  public var count: LiveAggregate<Element, Int> { LiveAggregate { $0 } }

  /// The sum of a property, 0 of nothing.
  ///
  /// Integers wrap around in 64 bits. The sum of floating-point numbers is the exact one, rounded once, whatever their
  /// order; `sum(of:)` of a collection rounds at each step and may differ in the last digits. With infinities the sum is
  /// infinite, with both it is NaN.
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T> {
    LiveAggregate(.sum, keyPath) { AggregateFailure.sum(LiveAggregates.result($0, $1)) }
  }

  /// The sum of an optional property, 0 of nothing. Nulls are passed over.
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T?>) -> LiveAggregate<Element, T> {
    LiveAggregate(.sum, keyPath) { AggregateFailure.sum(LiveAggregates.result($0, $1)) }
  }

  /// The average of a property; nil of nothing. The exact sum divided by the number of values, rounded once.
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, Double?> {
    LiveAggregate(.average, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The average of a decimal property; nil of nothing.
  public func average(of keyPath: KeyPath<Element, Decimal128>) -> LiveAggregate<Element, Decimal128?> {
    LiveAggregate(.average, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The average of an optional decimal property; nil of nothing.
  public func average(of keyPath: KeyPath<Element, Decimal128?>) -> LiveAggregate<Element, Decimal128?> {
    LiveAggregate(.average, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The average of the numbers in a mixed property; nil of nothing.
  public func average(of keyPath: KeyPath<Element, AnyRealmValue>) -> LiveAggregate<Element, Decimal128?> {
    LiveAggregate(.average, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The least value of a property; nil when there is none.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T?> {
    LiveAggregate(.min, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The least value of an optional property; nil when there is none.
  public func min<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T?>) -> LiveAggregate<Element, T?> {
    LiveAggregate(.min, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The greatest value of a property; nil when there is none.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T?> {
    LiveAggregate(.max, keyPath) { LiveAggregates.result($0, $1) }
  }

  /// The greatest value of an optional property; nil when there is none.
  public func max<T: MinMaxType & _AggregateResult>(of keyPath: KeyPath<Element, T?>) -> LiveAggregate<Element, T?> {
    LiveAggregate(.max, keyPath) { LiveAggregates.result($0, $1) }
  }

  private static func result<T: _AggregateResult>(_ core: ResultsCore, _ stored: FirnEngine.Value) -> T? {
    stored == .null ? nil : core.result(_Constant(stored))
  }
}

/// Properties of custom types go by what is stored for them.
extension LiveAggregates {
  /// The sum of a property of a custom type, by what is stored.
  @_disfavoredOverload
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T>
  where T.PersistedType: AddableType {
    LiveAggregate(.sum, keyPath) { AggregateFailure.sum(LiveAggregates.result($0, $1)) }
  }

  /// The average of a property of a custom type, by what is stored; nil of nothing.
  @_disfavoredOverload
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, Double?>
  where T.PersistedType: AddableType { LiveAggregate(.average, keyPath) { LiveAggregates.result($0, $1) } }

  /// The least value of a property of a custom type, by what is stored; nil when there is none.
  @_disfavoredOverload
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T?>
  where T.PersistedType: MinMaxType { LiveAggregate(.min, keyPath) { LiveAggregates.result($0, $1) } }

  /// The greatest value of a property of a custom type, by what is stored; nil when there is none.
  @_disfavoredOverload
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> LiveAggregate<Element, T?>
  where T.PersistedType: MinMaxType { LiveAggregate(.max, keyPath) { LiveAggregates.result($0, $1) } }
}
