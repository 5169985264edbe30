public import Firn
internal import Foundation

/// The stored form of a mapped property in conditions, read as the type that its `columnType` names.
extension Query where T: ColumnCodable {
  /// The stored integer.
  public var int64Value: Query<Int64> { _retyped() }
  /// The stored floating-point number.
  public var doubleValue: Query<Double> { _retyped() }
  /// The stored text.
  public var stringValue: Query<String> { _retyped() }
  /// The stored bytes.
  public var dataValue: Query<Data> { _retyped() }
}

extension Query where T: OptionalProtocol, T.Wrapped: ColumnCodable {
  /// The stored integer, or nil.
  public var int64Value: Query<Int64?> { _retyped() }
  /// The stored floating-point number, or nil.
  public var doubleValue: Query<Double?> { _retyped() }
  /// The stored text, or nil.
  public var stringValue: Query<String?> { _retyped() }
  /// The stored bytes, or nil.
  public var dataValue: Query<Data?> { _retyped() }
}
