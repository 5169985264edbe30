public import FirnEngine
public import Foundation

/// Integers of every width, stored in 64 bits.
public protocol _PersistableInteger: _PersistableScalar, _PersistableInsideOptional, FixedWidthInteger, _PrimaryKey,
  _Indexable
{}

extension _PersistableInteger {
  @inlinable
  public static func _default() -> Self { 0 }

  public static var _shape: _PropertyShape {
    var shape = _PropertyShape(.int)
    shape.bitWidth = bitWidth
    return shape
  }

  @inlinable @inline(__always)
  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self {
    Self(IntLeaf.value(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row))
  }

  @inlinable @inline(__always)
  public static func _store(
    _ value: Self, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool {
    let leaf = UnsafeMutableRawPointer(mutating: Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)))
    return leaf.blockBirth == version && IntLeaf.storeInPlace(leaf, row, Int64(value))
  }

  public static func _write(_ value: Self, to cell: _Cell) {
    cell.writer.setInt(cell.column, of: cell.key, in: cell.table, to: Int64(value))
  }

  public static func _insert(_ value: Self, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setInt(ColumnID(column), Int64(value))
  }

  public static func _make(_ stored: _StoredValue) -> Self? {
    if case .int(let value) = stored.value { Self(exactly: value) } else { nil }
  }
}

extension Int: _PersistableInteger {}
extension Int8: _PersistableInteger {}
extension Int16: _PersistableInteger {}
extension Int32: _PersistableInteger {}
extension Int64: _PersistableInteger {}

extension Bool: _PersistableScalar, _PersistableInsideOptional, _PrimaryKey, _Indexable {
  @inlinable
  public static func _default() -> Bool { false }

  public static var _shape: _PropertyShape { _PropertyShape(.bool) }

  @inlinable @inline(__always)
  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Bool { Cluster.bit(cluster, PropertySlot.leafOffset(slot), row) }

  @inlinable @inline(__always)
  public static func _store(
    _ value: Bool, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool {
    let word = (cluster + PropertySlot.leafOffset(slot)).assumingMemoryBound(to: UInt64.self) + row &>> 6
    let bit: UInt64 = 1 &<< UInt64(row & 63)
    word.pointee = value ? word.pointee | bit : word.pointee & ~bit
    return true
  }

  public static func _write(_ value: Bool, to cell: _Cell) {
    cell.writer.setBool(cell.column, of: cell.key, in: cell.table, to: value)
  }

  public static func _insert(_ value: Bool, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setBool(ColumnID(column), value)
  }

  public static func _make(_ stored: _StoredValue) -> Bool? {
    if case .bool(let value) = stored.value { value } else { nil }
  }
}

/// Values that are stored in a fixed number of bytes, in cells as in collections. Not to be conformed to directly.
public protocol _PersistableFixed: _PersistableScalar, _PersistableInsideOptional {
  /// The bytes.
  associatedtype _Stored: BitwiseCopyable
  /// The value that is stored as these bytes.
  static func _value(of stored: _Stored) -> Self
  var _stored: _Stored { get }
}

extension _PersistableFixed {
  @inlinable @inline(__always)
  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Self {
    _value(of: FixedLeaf.load(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row, as: _Stored.self))
  }

  @inlinable @inline(__always)
  public static func _store(
    _ value: Self, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool {
    let leaf = UnsafeMutableRawPointer(mutating: Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)))
    guard leaf.blockBirth == version else { return false }
    leaf.storeBytes(of: value._stored, toByteOffset: 16 &+ row &* MemoryLayout<_Stored>.size, as: _Stored.self)
    return true
  }
}

extension Float: _PersistableFixed {
  @inlinable
  public static func _default() -> Float { 0 }

  public static var _shape: _PropertyShape { _PropertyShape(.float) }

  @inlinable @inline(__always)
  public static func _value(of stored: Float) -> Float { stored }

  public var _stored: Float {
    @inlinable @inline(__always) get { self }
  }

  public static func _write(_ value: Float, to cell: _Cell) {
    cell.writer.setFloat(cell.column, of: cell.key, in: cell.table, to: value)
  }

  public static func _insert(_ value: Float, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setFloat(ColumnID(column), value)
  }

  public static func _make(_ stored: _StoredValue) -> Float? {
    if case .float(let value) = stored.value { value } else { nil }
  }
}

extension Double: _PersistableFixed {
  @inlinable
  public static func _default() -> Double { 0 }

  public static var _shape: _PropertyShape { _PropertyShape(.double) }

  @inlinable @inline(__always)
  public static func _value(of stored: Double) -> Double { stored }

  public var _stored: Double {
    @inlinable @inline(__always) get { self }
  }

  public static func _write(_ value: Double, to cell: _Cell) {
    cell.writer.setDouble(cell.column, of: cell.key, in: cell.table, to: value)
  }

  public static func _insert(_ value: Double, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setDouble(ColumnID(column), value)
  }

  public static func _make(_ stored: _StoredValue) -> Double? {
    if case .double(let value) = stored.value { value } else { nil }
  }
}

extension Date: _PersistableFixed, _Indexable {
  @inlinable
  public static func _default() -> Date { Date() }

  public static var _shape: _PropertyShape { _PropertyShape(.date) }

  @inlinable @inline(__always)
  public static func _value(of stored: Double) -> Date { Date(timeIntervalSinceReferenceDate: stored) }

  public var _stored: Double {
    @inlinable @inline(__always) get { timeIntervalSinceReferenceDate }
  }

  public static func _write(_ value: Date, to cell: _Cell) {
    cell.writer.setDouble(cell.column, of: cell.key, in: cell.table, to: value._stored)
  }

  public static func _insert(_ value: Date, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setDouble(ColumnID(column), value._stored)
  }

  public static func _make(_ stored: _StoredValue) -> Date? {
    if case .date(let value) = stored.value { _value(of: value) } else { nil }
  }
}

extension UUID: _PersistableFixed, _PrimaryKey, _Indexable {
  @inlinable
  public static func _default() -> UUID { UUID() }

  public static var _shape: _PropertyShape { _PropertyShape(.UUID) }

  @inlinable @inline(__always)
  public static func _value(of stored: uuid_t) -> UUID { UUID(uuid: stored) }

  public var _stored: uuid_t {
    @inlinable @inline(__always) get { uuid }
  }

  public static func _write(_ value: UUID, to cell: _Cell) {
    cell.writer.setBytes16(cell.column, of: cell.key, in: cell.table, to: value.bytes16)
  }

  public static func _insert(_ value: UUID, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setBytes16(ColumnID(column), value.bytes16)
  }

  public static func _make(_ stored: _StoredValue) -> UUID? {
    if case .uuid(let value) = stored.value { UUID(uuid: unsafeBitCast(value, to: uuid_t.self)) } else { nil }
  }

  package var bytes16: Bytes16 { unsafeBitCast(uuid, to: Bytes16.self) }
}
