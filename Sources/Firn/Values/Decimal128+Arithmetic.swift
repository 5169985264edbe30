internal import FirnEngine

extension Decimal128: Numeric, Comparable, Hashable {
  public typealias Magnitude = Decimal128

  /// Makes the number that an integer is; nil when it has more than 34 digits that matter.
  public convenience init?<T: BinaryInteger>(exactly source: T) {
    guard let number = DecimalFloat(exactly: source) else { return nil }
    self.init(number)
  }

  /// The number without its sign.
  public var magnitude: Decimal128 { Decimal128(number.magnitude) }

  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number + rhs.number) }

  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number - rhs.number) }

  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number * rhs.number) }

  public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }

  /// The quotient, with 34 digits. A number divided by zero is an infinity, zero by zero NaN.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { Decimal128(lhs.number / rhs.number) }

  /// Whether both are the same number, however many zeros they were written with; NaN equals NaN.
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number == rhs.number }

  /// By value; NaN is below all numbers.
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.number.order(to: rhs.number) < 0 }

  /// Equal numbers hash alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The distance between two numbers is a number of the same kind.
  public typealias Stride = Decimal128

  /// The difference `other - self`.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// The sum `self + n`.
  public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  public convenience init(integerLiteral value: Int64) { self.init(DecimalFloat(value)) }

  /// Makes the number that the shortest text of `value` stands for: 0.1 is 0.1.
  public convenience init(floatLiteral value: Double) { self.init(DecimalFloat(value)) }

  /// Makes the number that a text stands for, NaN when it stands for none; see ``init(string:)``.
  public convenience init(stringLiteral value: String) { self.init(DecimalFloat(value) ?? .nan) }

  /// The same as ``stringValue``.
  public var description: String { stringValue }
}
