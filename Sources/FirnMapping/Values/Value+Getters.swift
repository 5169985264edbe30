public import Foundation

/// A value can be read as any type: texts as the numbers that they spell and bytes as UTF-8; what cannot be read is 0, ""
/// or empty, and so is null. Nothing traps.
extension Value {
  /// As an integer. A floating-point number loses its fraction; one beyond all integers gives the nearest, NaN gives 0.
  public var intValue: Int { Int(int64Value) }

  /// As an integer of 64 bits; see ``intValue``.
  public var int64Value: Int64 {
    switch content {
    case .null: 0
    case .integer32(let value): Int64(value)
    case .integer64(let value): value
    case .float(let value): Self.clamped(value)
    case .text(let text): Int64(text) ?? 0
    case .blob: Int64(stringValue) ?? 0
    }
  }

  /// As an integer of 32 bits: of a wider one the lowest bits; else see ``intValue``.
  public var int32Value: Int32 {
    switch content {
    case .float(let value): Self.clamped(value)
    case .text, .blob: Int32(stringValue) ?? 0
    case .null, .integer32, .integer64: Int32(truncatingIfNeeded: int64Value)
    }
  }

  /// As a floating-point number.
  public var doubleValue: Double {
    switch content {
    case .null: 0
    case .integer32(let value): Double(value)
    case .integer64(let value): Double(value)
    case .float(let value): value
    case .text, .blob: Double(stringValue) ?? 0
    }
  }

  /// As a text: numbers as Swift writes them; bytes that are not UTF-8 give "".
  public var stringValue: String {
    switch content {
    case .null: ""
    case .integer32(let value): "\(value)"
    case .integer64(let value): "\(value)"
    case .float(let value): "\(value)"
    case .text(let text): text
    case .blob(let bytes): String(validating: bytes, as: UTF8.self) ?? ""
    }
  }

  /// As bytes: those of the text.
  public var dataValue: Data {
    switch content {
    case .null: Data()
    case .blob(let bytes): bytes
    case .integer32, .integer64, .float, .text: Data(stringValue.utf8)
    }
  }

  private static func clamped<Integer: FixedWidthInteger>(_ value: Double) -> Integer {
    if value.isNaN { return 0 }
    return Integer(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }
}
