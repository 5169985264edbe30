/// Aggregates of custom types go by what is stored for them, and give what is made of the result.
private enum CustomAggregates {
  static func min<Element: _CustomPersistable>(of elements: some Sequence<Element>) -> Element?
  where Element.PersistedType: MinMaxType {
    ElementAggregates.min(of: elements.map(\.persistableValue)).flatMap { Element._fromPersisted($0) }
  }

  static func max<Element: _CustomPersistable>(of elements: some Sequence<Element>) -> Element?
  where Element.PersistedType: MinMaxType {
    ElementAggregates.max(of: elements.map(\.persistableValue)).flatMap { Element._fromPersisted($0) }
  }

  static func sum<Element: _CustomPersistable>(of elements: some Sequence<Element>) -> Element
  where Element.PersistedType: AddableType {
    let sum = Element.PersistedType._sum(elements.map(\.persistableValue))
    guard let element = Element._fromPersisted(sum) else {
      fatalError("Could not convert a sum to type '\(Element.self)'.")
    }
    return element
  }

  static func average<Element: _CustomPersistable, T: _AggregateResult>(of elements: some Sequence<Element>) -> T?
  where Element.PersistedType: AddableType {
    Element.PersistedType._average(elements.map(\.persistableValue)).flatMap { T._result($0) }
  }
}

extension List where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// The element that is stored as the smallest one; nil when there is none. Skips NaN.
  public func min() -> Element? { CustomAggregates.min(of: self) }

  /// The element that is stored as the largest one; nil when there is none. Skips NaN.
  public func max() -> Element? { CustomAggregates.max(of: self) }
}

extension List where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// What is made of the sum of what is stored. Traps when nothing can be made of it.
  public func sum() -> Element { CustomAggregates.sum(of: self) }

  /// The mean of what is stored; nil when there is none. Skips NaN.
  public func average<T: _AggregateResult>() -> T? { CustomAggregates.average(of: self) }
}

extension MutableSet where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// The element that is stored as the smallest one; nil when there is none. Skips NaN.
  public func min() -> Element? { CustomAggregates.min(of: self) }

  /// The element that is stored as the largest one; nil when there is none. Skips NaN.
  public func max() -> Element? { CustomAggregates.max(of: self) }
}

extension MutableSet where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// What is made of the sum of what is stored. Traps when nothing can be made of it.
  public func sum() -> Element { CustomAggregates.sum(of: self) }

  /// The mean of what is stored; nil when there is none. Skips NaN.
  public func average<T: _AggregateResult>() -> T? { CustomAggregates.average(of: self) }
}

extension Results where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// The value that is stored as the smallest one; nil when there is none. Skips NaN.
  public func min() -> Element? { CustomAggregates.min(of: self) }

  /// The value that is stored as the largest one; nil when there is none. Skips NaN.
  public func max() -> Element? { CustomAggregates.max(of: self) }
}

extension Results where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// What is made of the sum of what is stored. Traps when nothing can be made of it.
  public func sum() -> Element { CustomAggregates.sum(of: self) }

  /// The mean of what is stored; nil when there is none. Skips NaN.
  public func average<T: _AggregateResult>() -> T? { CustomAggregates.average(of: self) }
}

extension Map where Value: _CustomPersistable, Value.PersistedType: MinMaxType {
  /// The value that is stored as the smallest one; nil when there is none. Skips NaN.
  public func min() -> Value? { CustomAggregates.min(of: values) }

  /// The value that is stored as the largest one; nil when there is none. Skips NaN.
  public func max() -> Value? { CustomAggregates.max(of: values) }
}

extension Map where Value: _CustomPersistable, Value.PersistedType: AddableType {
  /// What is made of the sum of what is stored. Traps when nothing can be made of it.
  public func sum() -> Value { CustomAggregates.sum(of: values) }

  /// The mean of what is stored; nil when there is none. Skips NaN.
  public func average<T: _AggregateResult>() -> T? { CustomAggregates.average(of: values) }
}
