internal import FirnEngine
public import Foundation
internal import Synchronization

/// A decimal number with 34 significant digits: IEEE 754-2008 decimal128, exponents from −6143 to 6144.
///
///     class Invoice: Object {
///         @Persisted var total: Decimal128
///     }
///
///     invoice.total = "19.99"
///     invoice.total *= 1.2
///
/// Results are rounded to 34 digits, halves to the even digit. Dividing by zero gives an infinity or NaN, and nothing
/// traps. The order is total: NaN equals itself and is below every number; the zeros are equal, and so are numbers that
/// differ in trailing zeros only (1.0 and 1.00), which hash alike.
///
/// May be used from any thread. An instance changes by ``negate()`` only.
public final class Decimal128: Sendable {
  // The encoding, low and high word. Negation flips one bit of the high word.
  private let low: UInt64
  private let high: Atomic<UInt64>

  /// The encoding that columns store.
  var bits: Bytes16 { Bytes16(low: low, high: high.load(ordering: .relaxed)) }

  var number: DecimalFloat { DecimalFloat(bits) }

  init(_ bits: Bytes16) {
    low = bits.low
    high = Atomic(bits.high)
  }

  convenience init(_ number: DecimalFloat) { self.init(number.bits) }

  /// Makes zero.
  public convenience init() { self.init(DecimalFloat.zero) }

  /// Makes the number that a value stands for: an integer, a floating-point number (by its shortest text, so that 0.1 is
  /// 0.1), a `Decimal`, an `NSNumber`, a Boolean as 0 or 1, a ``Decimal128``, or a text as ``init(string:)`` reads it.
  /// `NSNull` and nil are NaN. Digits beyond the 34th are rounded.
  ///
  /// Traps for a value of any other type.
  public convenience init(value: Any) {
    guard let value = Unwrapping.value(value) else {
      self.init(DecimalFloat.nan)
      return
    }
    if let text = value as? String {
      self.init(DecimalFloat(text) ?? .nan)
    } else if let number = DecimalFloat(anyNumber: value) {
      self.init(number)
    } else {
      fatalError("Cannot convert value '\(value)' of type '\(type(of: value))' to Decimal128.")
    }
  }

  /// Makes the number that an `NSNumber` holds.
  public convenience init(number: NSNumber) { self.init(DecimalFloat(number)) }

  /// Reads digits with an optional sign, point and exponent, or `inf`, `infinity`, `nan` in any case. Any other text is
  /// NaN. Digits beyond the 34th are rounded.
  ///
  /// Never throws.
  public convenience init(string: String) throws { self.init(DecimalFloat(string) ?? .nan) }

  /// The greatest finite number, 9.999999999999999999999999999999999 × 10^6144.
  public static var max: Decimal128 { Decimal128(DecimalFloat.greatestFinite) }

  /// The least finite number, the negative of ``max``.
  public static var min: Decimal128 { Decimal128(-DecimalFloat.greatestFinite) }

  /// Whether this is not a number.
  public var isNaN: Bool { number.isNaN }

  /// The same as ``isNaN``: there is one kind of NaN.
  public var isSignaling: Bool { isNaN }

  /// The same as ``isNaN``: there is one kind of NaN.
  public var isSignalingNaN: Bool { isNaN }

  /// Changes the sign of this very instance, and so the number that everybody who refers to it sees.
  public func negate() {
    if isNaN { return }
    high.bitwiseXor(1 << 63, ordering: .relaxed)
  }

  // MARK: Other forms

  /// The shortest usual text: no zeros at the end of a fraction; very large and very small numbers as `1.23E45`. `NaN`,
  /// `Inf` and `-Inf` for what is not finite.
  public var stringValue: String { number.description }

  /// The nearest `Double`; infinity when the number is beyond all of them.
  public var doubleValue: Double { number.double }

  /// The nearest `Decimal`; NaN when the number has more than 127 zeros behind its last other digit, or is not finite.
  public var decimalValue: Decimal { number.foundationDecimal }
}

extension Decimal128: Codable {
  /// Decodes a single string, integer or floating-point number. Throws `DecodingError` for a text that is no number.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let integer = try? container.decode(Int64.self) {
      self.init(DecimalFloat(integer))
    } else if let integer = try? container.decode(UInt64.self), let number = DecimalFloat(exactly: integer) {
      self.init(number)
    } else if let double = try? container.decode(Double.self) {
      self.init(DecimalFloat(double))
    } else {
      let text = try container.decode(String.self)
      guard let number = DecimalFloat(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no decimal number.")
      }
      self.init(number)
    }
  }

  /// Encodes ``stringValue``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
