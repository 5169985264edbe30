internal import FirnEngine
public import Foundation

/// Values that have a minimum and a maximum.
public protocol MinMaxType {
  static func _precedes(_ lhs: Self, _ rhs: Self) -> Bool
  /// False for nil and NaN, which aggregates skip.
  var _isComparable: Bool { get }
}

/// Values that can be added up.
public protocol AddableType: _AggregateResult {
  /// The sum without nil and NaN. Integers wrap around at 64 bits, floats are added as doubles.
  static func _sum(_ values: some Sequence<Self>) -> Self
  /// The mean without nil and NaN, a double or a decimal; nil of nothing.
  static func _average(_ values: some Sequence<Self>) -> _Constant?
  /// The value as a double; nil for nil and NaN.
  var _summand: Double? { get }
}

extension AddableType {
  public static func _average(_ values: some Sequence<Self>) -> _Constant? {
    var sum: Double = 0
    var count = 0
    for value in values {
      guard let summand = value._summand else { continue }
      sum += summand
      count += 1
    }
    return count == 0 ? nil : _Constant(.double(sum / Double(count)))
  }
}

extension MinMaxType where Self: Comparable {
  public static func _precedes(_ lhs: Self, _ rhs: Self) -> Bool { lhs < rhs }
  public var _isComparable: Bool { self == self }
}

extension _PersistableInteger {
  public static func _sum(_ values: some Sequence<Self>) -> Self {
    var sum: Int64 = 0
    for value in values { sum &+= Int64(value) }
    return Self(truncatingIfNeeded: sum)
  }

  public var _summand: Double? { Double(Int64(self)) }
}

extension BinaryFloatingPoint where Self: AddableType {
  public static func _sum(_ values: some Sequence<Self>) -> Self {
    var sum: Double = 0
    for value in values where !value.isNaN { sum += Double(value) }
    return Self(sum)
  }

  public var _summand: Double? { isNaN ? nil : Double(self) }
}

extension Int: MinMaxType, AddableType {}
extension Int8: MinMaxType, AddableType {}
extension Int16: MinMaxType, AddableType {}
extension Int32: MinMaxType, AddableType {}
extension Int64: MinMaxType, AddableType {}
extension Float: MinMaxType, AddableType {}
extension Double: MinMaxType, AddableType {}
extension Date: MinMaxType {}

extension Optional: MinMaxType where Wrapped: MinMaxType {
  public static func _precedes(_ lhs: Wrapped?, _ rhs: Wrapped?) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs != nil }
    return Wrapped._precedes(lhs, rhs)
  }

  public var _isComparable: Bool { self?._isComparable ?? false }
}

extension Optional: AddableType where Wrapped: AddableType {
  public static func _sum(_ values: some Sequence<Wrapped?>) -> Wrapped? {
    Wrapped._sum(values.lazy.compactMap { $0 })
  }

  public static func _average(_ values: some Sequence<Wrapped?>) -> _Constant? {
    Wrapped._average(values.lazy.compactMap { $0 })
  }

  public var _summand: Double? { self?._summand }
}

extension List where Element: MinMaxType {
  /// The smallest element; nil when there is none. Skips nil and NaN.
  public func min() -> Element? { ElementAggregates.min(of: self) }

  /// The largest element; nil when there is none. Skips nil and NaN.
  public func max() -> Element? { ElementAggregates.max(of: self) }
}

extension List where Element: AddableType {
  /// The sum of the elements; zero when there is none. Skips nil and NaN; integers wrap around at 64 bits.
  public func sum() -> Element { Element._sum(self) }

  /// The mean of the elements; nil when there is none. Skips nil and NaN.
  public func average<T: AddableType>() -> T? { ElementAggregates.average(of: self) }
}
