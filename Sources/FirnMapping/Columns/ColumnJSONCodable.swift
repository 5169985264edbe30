internal import Foundation

/// A type that is stored as JSON.
public protocol ColumnJSONEncodable: ColumnEncodable {}

/// A type that is read from JSON.
public protocol ColumnJSONDecodable: ColumnDecodable {}

/// A `Codable` type that is stored as JSON, without more to be written.
///
///     struct Place: ColumnJSONCodable {
///         var city = ""
///         var street = ""
///     }
///
/// The keys of the JSON are sorted, so equal values are stored as equal bytes and may be compared in queries.
public protocol ColumnJSONCodable: ColumnCodable, ColumnJSONEncodable, ColumnJSONDecodable {}

extension ColumnCodableBase where Self: ColumnJSONEncodable {
  /// Bytes.
  public static var columnType: ColumnType { .BLOB }
}

extension ColumnCodableBase where Self: ColumnJSONDecodable {
  /// Bytes.
  public static var columnType: ColumnType { .BLOB }
}

extension ColumnCodableBase where Self: ColumnJSONEncodable & ColumnJSONDecodable {
  /// Bytes.
  public static var columnType: ColumnType { .BLOB }
}

extension ColumnJSONEncodable {
  /// The value as JSON with sorted keys; null when it cannot be encoded.
  public func archivedValue() -> Value {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { Value($0) } ?? Value(nil)
  }
}

extension ColumnJSONDecodable {
  /// Reads the value from JSON; nil when that cannot be decoded.
  public init?(with value: Value) {
    guard let decoded = try? JSONDecoder().decode(Self.self, from: value.dataValue) else { return nil }
    self = decoded
  }
}
