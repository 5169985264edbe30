/// Aggregates of custom types go by what is stored for them, and give what is made of the result.
extension List where Element: _CustomPersistable, Element.PersistedType: MinMaxType {
  /// The element that is stored as the smallest value; nil when there is none. Skips NaN.
  public func min() -> Element? { best { Element.PersistedType._precedes($0, $1) } }

  /// The element that is stored as the largest value; nil when there is none. Skips NaN.
  public func max() -> Element? { best { Element.PersistedType._precedes($1, $0) } }

  private func best(_ precedes: (Element.PersistedType, Element.PersistedType) -> Bool) -> Element? {
    var best: Element.PersistedType?
    for element in self {
      let value = element.persistableValue
      guard value._isComparable else { continue }
      if best.map({ precedes(value, $0) }) ?? true { best = value }
    }
    return best.flatMap { Element._fromPersisted($0) }
  }
}

extension List where Element: _CustomPersistable, Element.PersistedType: AddableType {
  /// What is made of the sum of the stored values; see the sum of numbers. Traps when nothing can be made of it.
  public func sum() -> Element {
    let sum = Element.PersistedType._sum(lazy.map(\.persistableValue))
    guard let element = Element._fromPersisted(sum) else {
      fatalError("Could not convert a sum to type '\(Element.self)'.")
    }
    return element
  }

  /// The mean of the stored values; nil when there is none. Skips NaN.
  public func average<T: _AggregateResult>() -> T? {
    Element.PersistedType._average(lazy.map(\.persistableValue)).flatMap { T._result($0) }
  }
}
