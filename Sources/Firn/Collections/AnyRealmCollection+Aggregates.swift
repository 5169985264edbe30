extension AnyRealmCollection where Element: MinMaxType {
  /// The smallest value; nil when there is none. Skips nil and NaN.
  public func min() -> Element? { ElementAggregates.min(of: self) }

  /// The largest value; nil when there is none. Skips nil and NaN.
  public func max() -> Element? { ElementAggregates.max(of: self) }
}

extension AnyRealmCollection where Element: AddableType {
  /// The sum of the values; zero when there is none. Skips nil and NaN; integers wrap around at 64 bits.
  public func sum() -> Element { Element._sum(self) }

  /// The mean of the values; nil when there is none. Skips nil and NaN.
  public func average<T: AddableType>() -> T? { ElementAggregates.average(of: self) }
}
