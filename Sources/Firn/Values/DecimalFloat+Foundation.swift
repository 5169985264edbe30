internal import FirnEngine
internal import Foundation

extension DecimalFloat {
  /// The number that an integer, a floating-point number, a `Decimal`, an `NSNumber` or a ``Decimal128`` is, and 0 or 1 of
  /// a Boolean, which Foundation takes for a number; nil for anything else. Integers of more than 34 digits are rounded.
  init?(anyNumber value: Any) {
    switch value {
    case let value as Decimal128: self = value.number
    case let value as any BinaryInteger: self = DecimalFloat(exactly: value) ?? DecimalFloat(value.description) ?? .nan
    case let value as Float: self.init(value)
    case let value as any BinaryFloatingPoint: self.init(Double(value))
    case let value as Decimal: self.init(value)
    case let value as NSNumber: self.init(value)
    default: return nil
    }
  }

  init(_ number: Float) {
    self = number.isFinite ? DecimalFloat(number.description) ?? .nan : DecimalFloat(Double(number))
  }

  /// A `Decimal`, exactly unless it has more than 34 digits.
  init(_ number: Decimal) {
    // Written with digits and a point in every locale.
    self = number.isNaN ? .nan : DecimalFloat(number.description) ?? .nan
  }

  init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self.init(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"): self.init(number.doubleValue)
    case UInt8(ascii: "f"): self.init(number.floatValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): self = DecimalFloat(exactly: number.uint64Value) ?? .nan
    default: self.init(number.int64Value)
    }
  }

  /// The nearest `Decimal`, which has exponents from -128 to 127 and 38 digits.
  var foundationDecimal: Decimal {
    let number = normalized
    guard number.kind == .finite else { return .nan }
    var digits = String(number.coefficient)
    var exponent = number.exponent
    // Foundation makes NaN of larger ones, though it has room for their digits.
    if exponent > 127 { return .nan }
    if exponent < -128 {
      let dropped = -128 - exponent
      if dropped > digits.utf8.count { return 0 }
      digits = String(number.coefficient.rounded(droppingDigits: dropped))
      exponent = -128
    }
    var significand: Decimal = 0
    for digit in digits.utf8 { significand = significand * 10 + Decimal(Int(digit) - 48) }
    return Decimal(sign: number.isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}

extension UInt128 {
  /// The number divided by a power of ten, halves rounded to even.
  fileprivate func rounded(droppingDigits count: Int) -> UInt128 {
    var unit: UInt128 = 1
    for _ in 0..<count { unit *= 10 }
    let (kept, rest) = quotientAndRemainder(dividingBy: unit)
    return rest > unit / 2 || (rest == unit / 2 && kept & 1 == 1) ? kept + 1 : kept
  }
}
