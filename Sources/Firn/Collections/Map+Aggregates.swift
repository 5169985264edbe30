extension Map where Value: MinMaxType {
  /// The smallest value; nil when there is none. Skips nil and NaN.
  public func min() -> Value? { ElementAggregates.min(of: values) }

  /// The largest value; nil when there is none. Skips nil and NaN.
  public func max() -> Value? { ElementAggregates.max(of: values) }
}

extension Map where Value: AddableType {
  /// The sum of the values; zero when there is none. Skips nil and NaN; integers wrap around at 64 bits.
  public func sum() -> Value { Value._sum(values) }

  /// The mean of the values; nil when there is none. Skips nil and NaN.
  public func average<T: AddableType>() -> T? { ElementAggregates.average(of: values) }
}
