public import Foundation

/// What values of custom types may be stored as. Not to be conformed to directly.
public protocol _PersistedForm: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _QueryOperand, Hashable
{
  /// What the schema says of a required property of a custom type.
  static var _customShape: _PropertyShape { get }
  /// What a custom type makes its default from.
  static func _freshValue() -> Self
  /// Reads a property of a custom type at home, or frozen; nil for null.
  static func _customRead(_ object: ObjectBase, _ slot: UInt64) -> Self?
}

extension _PersistedForm where Self: _PersistableScalar {
  public static var _customShape: _PropertyShape { _shape }

  @inlinable
  public static func _freshValue() -> Self { _default() }

  @inlinable
  public static func _customRead(_ object: ObjectBase, _ slot: UInt64) -> Self? { _readOptional(object, slot) }
}

extension Bool: _PersistedForm {}
extension Int: _PersistedForm {}
extension Int8: _PersistedForm {}
extension Int16: _PersistedForm {}
extension Int32: _PersistedForm {}
extension Int64: _PersistedForm {}
extension Float: _PersistedForm {}
extension Double: _PersistedForm {}
extension Decimal128: _PersistedForm {}
extension String: _PersistedForm {}
extension Data: _PersistedForm {}
extension Date: _PersistedForm {}
extension ObjectId: _PersistedForm {}
extension UUID: _PersistedForm {}
