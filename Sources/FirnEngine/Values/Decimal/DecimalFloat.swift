/// A decimal floating-point number taken apart: IEEE 754-2008 decimal128 with 34 digits, as arithmetic works on it.
///
/// ±coefficient × 10^exponent, an infinity, or a NaN. There is one NaN, quiet and without payload. Numbers of one value
/// may differ in coefficient and exponent (1.0 and 1.00); they are equal and hash alike. Arithmetic keeps the exponent
/// that the standard prefers, rounds half to even, and never traps.
///
/// Invariants: the coefficient is below 10^34, the exponent between `exponentMin` and `exponentMax`; both are 0 unless
/// the number is finite.
package struct DecimalFloat: Sendable, BitwiseCopyable {
  package enum Kind: Sendable, BitwiseCopyable { case notANumber, infinite, finite }

  package let kind: Kind
  package let isNegative: Bool
  package let exponent: Int
  package let coefficient: UInt128

  /// The digits of a coefficient.
  package static let precision = 34
  package static let exponentMin = -6176
  package static let exponentMax = 6111

  /// A number whose parts are within the bounds.
  init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    kind = .finite
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  private init(_ kind: Kind, isNegative: Bool) {
    self.kind = kind
    self.isNegative = isNegative
    coefficient = 0
    exponent = 0
  }

  package static let zero = DecimalFloat(isNegative: false, coefficient: 0, exponent: 0)
  package static let nan = DecimalFloat(.notANumber, isNegative: false)
  package static let greatestFinite = DecimalFloat(
    isNegative: false, coefficient: DecimalPowers.power(precision) - 1, exponent: exponentMax)

  package static func infinity(isNegative: Bool) -> DecimalFloat { DecimalFloat(.infinite, isNegative: isNegative) }

  package var isNaN: Bool { kind == .notANumber }
  package var isZero: Bool { kind == .finite && coefficient == 0 }

  // MARK: Stored form

  /// Reads the binary integer decimal encoding (IEEE 754-2008, 3.5), low word first. Every pattern is a number: a
  /// coefficient beyond 34 digits, as the long form of the encoding has it, stands for zero.
  package init(_ bits: Bytes16) {
    let high = bits.high
    let isNegative = high >> 63 != 0
    let combination = (high >> 58) & 0x1F
    if combination == 0x1F {
      self = .nan
    } else if combination == 0x1E {
      self = .infinity(isNegative: isNegative)
    } else if combination >> 3 == 3 {
      self.init(isNegative: isNegative, coefficient: 0, exponent: Int((high >> 47) & 0x3FFF) + Self.exponentMin)
    } else {
      let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bits.low)
      self.init(
        isNegative: isNegative, coefficient: digits < DecimalPowers.power(Self.precision) ? digits : 0,
        exponent: Int((high >> 49) & 0x3FFF) + Self.exponentMin)
    }
  }

  /// The encoding that a column stores.
  package var bits: Bytes16 {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    switch kind {
    case .notANumber: return Bytes16(low: 0, high: 0x7C00_0000_0000_0000)
    case .infinite: return Bytes16(low: 0, high: sign | 0x7800_0000_0000_0000)
    case .finite:
      return Bytes16(
        low: UInt64(truncatingIfNeeded: coefficient),
        high: sign | UInt64(exponent - Self.exponentMin) << 49 | UInt64(truncatingIfNeeded: coefficient >> 64))
    }
  }
}
