public import Foundation

/// Integers of up to 32 bits; `UInt32` by its bits.
public protocol _ColumnInteger32: ColumnEncodable, ColumnDecodable, FixedWidthInteger {}

extension _ColumnInteger32 {
  /// An integer of 32 bits.
  public static var columnType: ColumnType { .integer32 }
  /// Makes the integer of a value's lowest bits.
  public init?(with value: Value) { self.init(truncatingIfNeeded: value.int32Value) }
  /// The integer in 32 bits.
  public func archivedValue() -> Value { Value(Int32(truncatingIfNeeded: self)) }
}

extension Int8: _ColumnInteger32 {}
extension Int16: _ColumnInteger32 {}
extension Int32: _ColumnInteger32 {}
extension UInt8: _ColumnInteger32 {}
extension UInt16: _ColumnInteger32 {}
extension UInt32: _ColumnInteger32 {}

/// Integers of 64 bits; unsigned ones by their bits.
public protocol _ColumnInteger64: ColumnEncodable, ColumnDecodable, FixedWidthInteger {}

extension _ColumnInteger64 {
  /// An integer of 64 bits.
  public static var columnType: ColumnType { .integer64 }
  /// Makes the integer of a value's bits.
  public init?(with value: Value) { self.init(truncatingIfNeeded: value.int64Value) }
  /// The integer in 64 bits.
  public func archivedValue() -> Value { Value(Int64(truncatingIfNeeded: self)) }
}

extension Int: _ColumnInteger64 {}
extension Int64: _ColumnInteger64 {}
extension UInt: _ColumnInteger64 {}
extension UInt64: _ColumnInteger64 {}

extension Bool: ColumnEncodable, ColumnDecodable {
  /// An integer of 32 bits.
  public static var columnType: ColumnType { .integer32 }
  /// True for every value but 0.
  public init?(with value: Value) { self = value.int32Value != 0 }
  /// 1 or 0.
  public func archivedValue() -> Value { Value(Int32(self ? 1 : 0)) }
}

extension Float: ColumnEncodable, ColumnDecodable {
  /// A floating-point number.
  public static var columnType: ColumnType { .float }
  /// Makes the nearest number.
  public init?(with value: Value) { self.init(value.doubleValue) }
  /// The number in double precision.
  public func archivedValue() -> Value { Value(Double(self)) }
}

extension Double: ColumnEncodable, ColumnDecodable {
  /// A floating-point number.
  public static var columnType: ColumnType { .float }
  /// Makes the number that a value is.
  public init?(with value: Value) { self = value.doubleValue }
  /// The number itself.
  public func archivedValue() -> Value { Value(self) }
}

extension Date: ColumnEncodable, ColumnDecodable {
  /// A floating-point number.
  public static var columnType: ColumnType { .float }
  /// Makes the date so many seconds after 1970.
  public init?(with value: Value) { self.init(timeIntervalSince1970: value.doubleValue) }
  /// The seconds since 1970.
  public func archivedValue() -> Value { Value(timeIntervalSince1970) }
}

extension String: ColumnEncodable, ColumnDecodable {
  /// A text.
  public static var columnType: ColumnType { .text }
  /// Makes the text of a value.
  public init?(with value: Value) { self = value.stringValue }
  /// The text itself.
  public func archivedValue() -> Value { Value(self) }
}

extension Data: ColumnEncodable, ColumnDecodable {
  /// Bytes.
  public static var columnType: ColumnType { .BLOB }
  /// Makes the bytes of a value.
  public init?(with value: Value) { self = value.dataValue }
  /// The bytes themselves.
  public func archivedValue() -> Value { Value(self) }
}

extension Array: ColumnCodableBase, ColumnEncodable, ColumnDecodable, ColumnJSONEncodable, ColumnJSONDecodable
where Element: Codable {}

extension Set: ColumnCodableBase, ColumnEncodable, ColumnDecodable, ColumnJSONEncodable, ColumnJSONDecodable
where Element: Codable {}

extension Dictionary: ColumnCodableBase, ColumnEncodable, ColumnDecodable, ColumnJSONEncodable, ColumnJSONDecodable
where Key: Codable, Value: Codable {}
