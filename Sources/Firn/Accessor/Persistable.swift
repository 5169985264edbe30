public import FirnEngine

/// A type that a ``Persisted`` property may have.
///
/// Not to be conformed to directly: use ``CustomPersistable``, ``PersistableEnum``, or one of the types that conform.
public protocol _Persistable: _RealmSchemaDiscoverable, _HasPersistedType, SendableMetatype {
  associatedtype PersistedType = Self

  /// What a property without initial value starts with.
  static func _default() -> Self
  /// What the schema says of such a property.
  static var _shape: _PropertyShape { get }

  /// Reads through the accessor's cached cluster: at home, or frozen.
  static func _read(_ object: ObjectBase, _ slot: UInt64) -> Self
  /// Reads the last committed value, on any thread.
  static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Self
  /// Stores in place; false when that is not possible. The cluster is owned by `version`, the cell noted as written.
  static func _store(
    _ value: Self, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool
  /// Writes a managed property in the way that always works.
  static func _set(_ value: Self, on object: ObjectBase, _ slot: UInt64)
  /// Sets the column of a new row. Links and lists wait for `_setAfterInsert`.
  static func _insert(_ value: Self, into row: _NewRow, _ column: Int)
  /// Sets the column of a new row from the unmanaged wrapper at an address.
  static func _insert(from wrapper: UnsafeMutableRawPointer, into row: _NewRow, _ column: Int)
  /// Empties the unmanaged wrapper at an address and makes it managed.
  static func _promote(_ wrapper: UnsafeMutableRawPointer, _ slot: UInt64)
  /// Sets what `_insert` left out, once the row exists.
  static func _setAfterInsert(_ value: Self, on object: ObjectBase, _ slot: UInt64)
  /// What the property of a new object holds that is given a value by its declaration, or before `super.init()`.
  static func _initial(_ value: Self) -> Self
  /// What an unmanaged property holds after an assignment.
  static func _assigning(_ new: Self, over old: Self?) -> Self
  /// The value in its Swift type; nil when it is not one of the type's, and for links and lists.
  static func _make(_ stored: _StoredValue) -> Self?
}

/// A value as a column stores it.
public struct _StoredValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

extension _Persistable {
  // Inlinable, so that they are specialised for enumerations of other modules too.
  @inlinable
  public static func _insert(from wrapper: UnsafeMutableRawPointer, into row: _NewRow, _ column: Int) {
    let wrapper = wrapper.assumingMemoryBound(to: Persisted<Self>.self)
    if let value = wrapper.pointee.value {
      _insert(value, into: row, column)
    } else {
      _insert(_default(), into: row, column)
    }
  }

  @inlinable
  public static func _promote(_ wrapper: UnsafeMutableRawPointer, _ slot: UInt64) {
    let wrapper = wrapper.assumingMemoryBound(to: Persisted<Self>.self)
    wrapper.pointee.value = nil
    wrapper.pointee.slot = slot
  }

  @inlinable @inline(__always)
  public static func _store(
    _ value: Self, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { false }

  @inlinable
  public static func _setAfterInsert(_ value: Self, on object: ObjectBase, _ slot: UInt64) {}

  public static func _make(_ stored: _StoredValue) -> Self? { nil }

  @inlinable @inline(__always)
  public static func _initial(_ value: Self) -> Self { value }

  @inlinable @inline(__always)
  public static func _assigning(_ new: Self, over old: Self?) -> Self { new }
}

/// A persistable type whose value lies in one cell: no link, no collection.
public protocol _PersistableScalar: _Persistable {
  /// Reads a cell. `root` is nil when `cluster` is the copy of a row that is gone.
  static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self
  /// Writes a cell.
  static func _write(_ value: Self, to cell: _Cell)
}

extension _PersistableScalar {
  @inlinable @inline(__always)
  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> Self {
    _load(
      object._cluster.unsafelyUnwrapped, Int(object._slot), slot, object,
      object._context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer?.self))
  }

  @inlinable
  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Self {
    let row = object._beginAwayRead(slot)
    if _slowPath(row.cluster == nil) { return _default() }
    let value = _load(row.cluster.unsafelyUnwrapped, row.slot, slot, object, row.root)
    object._endAwayRead(row)
    return value
  }

  @inlinable
  public static func _set(_ value: Self, on object: ObjectBase, _ slot: UInt64) {
    _write(value, to: object._beginMutation(slot))
  }
}

/// The cell of a managed object that is about to be written.
public struct _Cell {
  package let writer: Writer
  package let table: TableID
  package let key: RowKey
  package let column: ColumnID
}

/// A row that is being inserted.
public struct _NewRow {
  package let inserter: UnsafeMutablePointer<RowInserter>
}

/// A row found on a thread that is not the realm's. `cluster` is nil while a key path is being traced.
@usableFromInline
package struct AwayRow {
  @usableFromInline package let cluster: UnsafeRawPointer?
  @usableFromInline package let slot: Int
  @usableFromInline package let root: UnsafeRawPointer?
}

/// What the schema says of a property of some Swift type.
public struct _PropertyShape: Sendable {
  package var type: PropertyType
  package var isOptional = false
  /// The kind of collection that holds such values; nil for a single value.
  package var collection: CollectionKind?
  /// The class that links lead to.
  package var target: ObjectBase.Type?
  /// The bits of an integer.
  package var bitWidth = 64
  /// The custom type whose values are stored as embedded objects; nil for all other types.
  package var custom: (any _CustomPersistable.Type)?
  /// The Swift type of single values, where not every value that the column may hold is one of its: enumerations and custom
  /// types.
  package var converted: (any _Persistable.Type)?
  /// Whether a null, which such a type has no value for, stands for its default.
  package var nullIsDefault = false

  package init(_ type: PropertyType, target: ObjectBase.Type? = nil) {
    self.type = type
    self.target = target
  }

  package var isCollection: Bool { collection != nil }

  package var optional: _PropertyShape {
    var shape = self
    shape.isOptional = true
    shape.nullIsDefault = false
    return shape
  }
}

/// A persistable type whose optional is persistable too.
public protocol _PersistableInsideOptional: _RealmSchemaDiscoverable, _HasPersistedType {
  static var _optionalShape: _PropertyShape { get }
  static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self?
  static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self?
  static func _storeOptional(
    _ value: Self?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool
  static func _setOptional(_ value: Self?, on object: ObjectBase, _ slot: UInt64)
  static func _insertOptional(_ value: Self?, into row: _NewRow, _ column: Int)
  static func _setOptionalAfterInsert(_ value: Self?, on object: ObjectBase, _ slot: UInt64)
}

extension _PersistableInsideOptional where Self: _PersistableScalar {
  public static var _optionalShape: _PropertyShape { _shape.optional }

  @inlinable @inline(__always)
  public static func _loadOptional(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self? {
    let nullOffset = PropertySlot.nullOffset(slot)
    if nullOffset != 0 {
      if Cluster.bit(cluster, nullOffset, row) { return nil }
    } else if _slowPath(PropertySlot.isInterned(slot)) {
      if object._isInternedNull(cluster, row, slot) { return nil }
    }
    return _load(cluster, row, slot, object, root)
  }

  @inlinable @inline(__always)
  public static func _readOptional(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    _loadOptional(
      object._cluster.unsafelyUnwrapped, Int(object._slot), slot, object,
      object._context.unsafelyUnwrapped.load(fromByteOffset: RealmContext.rootOffset, as: UnsafeRawPointer?.self))
  }

  @inlinable
  public static func _readOptionalAway(_ object: ObjectBase, _ slot: UInt64) -> Self? {
    let row = object._beginAwayRead(slot)
    if _slowPath(row.cluster == nil) { return _default() }
    let value = _loadOptional(row.cluster.unsafelyUnwrapped, row.slot, slot, object, row.root)
    object._endAwayRead(row)
    return value
  }

  @inlinable @inline(__always)
  public static func _storeOptional(
    _ value: Self?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool {
    guard let value, _store(value, cluster, row, slot, version) else { return false }
    let word = (cluster + PropertySlot.nullOffset(slot)).assumingMemoryBound(to: UInt64.self) + row &>> 6
    word.pointee &= ~(1 &<< UInt64(row & 63))
    return true
  }

  @inlinable
  public static func _setOptional(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {
    let cell = object._beginMutation(slot)
    if let value { _write(value, to: cell) } else { cell.setNull() }
  }

  @inlinable
  public static func _insertOptional(_ value: Self?, into row: _NewRow, _ column: Int) {
    if let value { _insert(value, into: row, column) } else { row.setNull(column) }
  }

  @inlinable
  public static func _setOptionalAfterInsert(_ value: Self?, on object: ObjectBase, _ slot: UInt64) {}
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
  public static func _make(_ stored: _StoredValue) -> Wrapped?? {
    if stored.value == .null { return .some(nil) }
    guard let type = Wrapped.self as? any _Persistable.Type else { return nil }
    return (type._make(stored) as? Wrapped).map { .some($0) }
  }

  @inlinable
  public static func _default() -> Wrapped? { nil }

  public static var _shape: _PropertyShape { Wrapped._optionalShape }

  @inlinable @inline(__always)
  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> Wrapped? { Wrapped._readOptional(object, slot) }

  @inlinable
  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> Wrapped? {
    Wrapped._readOptionalAway(object, slot)
  }

  @inlinable @inline(__always)
  public static func _store(
    _ value: Wrapped?, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { Wrapped._storeOptional(value, cluster, row, slot, version) }

  @inlinable
  public static func _set(_ value: Wrapped?, on object: ObjectBase, _ slot: UInt64) {
    Wrapped._setOptional(value, on: object, slot)
  }

  @inlinable
  public static func _insert(_ value: Wrapped?, into row: _NewRow, _ column: Int) {
    Wrapped._insertOptional(value, into: row, column)
  }

  @inlinable
  public static func _setAfterInsert(_ value: Wrapped?, on object: ObjectBase, _ slot: UInt64) {
    Wrapped._setOptionalAfterInsert(value, on: object, slot)
  }
}

/// Types that may be a primary key.
public protocol _PrimaryKey {}
/// Types that may be declared as indexed.
public protocol _Indexable: _Orderable {}
/// Types that may have an ordered index: those of single values.
public protocol _Orderable {}

extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Orderable where Wrapped: _Orderable {}
extension Optional: _Indexable where Wrapped: _Indexable {}
extension Float: _Orderable {}
extension Double: _Orderable {}
extension Data: _Orderable {}
extension Decimal128: _Orderable {}
extension AnyRealmValue: _Indexable {}

extension _Cell {
  @usableFromInline
  func setNull() { writer.setNull(column, of: key, in: table) }
}

extension _NewRow {
  @usableFromInline
  func setNull(_ column: Int) { inserter.pointee.setNull(ColumnID(column)) }
}
