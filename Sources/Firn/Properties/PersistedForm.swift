public import Foundation

/// What values of custom types may be stored as. Not to be conformed to directly.
public protocol _PersistedForm: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _QueryOperand, Hashable
{
  /// What the schema says of a required property of a custom type.
  static func _customShape(_ type: any _CustomPersistable.Type) -> _PropertyShape
  /// What a custom type makes its default from.
  static func _freshValue() -> Self
  /// Reads a property of a custom type at home, or frozen; nil for null.
  static func _customRead(_ object: ObjectBase, _ slot: UInt64) -> Self?
  /// Reads a property of a custom type on any thread, all of it from one version; nil for null.
  static func _customReadAway(_ object: ObjectBase, _ slot: UInt64) -> Self?
  /// Reads what an element of a custom type, which is not null, is made from: all of it from one version.
  static func _customLoadElement(_ address: UnsafeRawPointer, _ source: _ElementSource) -> Self
  /// Writes a property of a custom type.
  static func _customSet(_ value: Self?, on object: ObjectBase, _ slot: UInt64)
  /// Hashes what makes two values of a custom type equal.
  func _customHash(into hasher: inout Hasher)
}

extension _PersistedForm where Self: _PersistableScalar {
  public static func _customShape(_ type: any _CustomPersistable.Type) -> _PropertyShape {
    var shape = _shape
    shape.converted = type
    return shape
  }

  @inlinable
  public static func _freshValue() -> Self { _default() }

  @inlinable
  public static func _customRead(_ object: ObjectBase, _ slot: UInt64) -> Self? { _readOptional(object, slot) }

  @inlinable
  public static func _customReadAway(_ object: ObjectBase, _ slot: UInt64) -> Self? { _readOptionalAway(object, slot) }

  @inlinable @inline(__always)
  public static func _customLoadElement(_ address: UnsafeRawPointer, _ source: _ElementSource) -> Self {
    _loadElement(address, false, source)
  }

  @inlinable
  public static func _customSet(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    _setOptional(value, on: object, slot)
  }

  public func _customHash(into hasher: inout Hasher) { hasher.combine(self) }
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
