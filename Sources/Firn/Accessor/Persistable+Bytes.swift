public import FirnEngine
public import Foundation

extension String {
  public static func _make(_ stored: _StoredValue) -> String? {
    if case .string(let value) = stored.value { String(decoding: value, as: UTF8.self) } else { nil }
  }
}

extension String: _PersistableScalar, _PersistableInsideOptional, _PrimaryKey, _Indexable {
  @inlinable
  public static func _default() -> String { "" }

  public static var _shape: _PropertyShape { _PropertyShape(.string) }

  @inlinable @inline(__always)
  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> String {
    if _slowPath(PropertySlot.isInterned(slot)) { return object._internedString(cluster, row, slot, root) }
    return BytesLeaf.string(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row)
  }

  public static func _write(_ value: String, to cell: _Cell) {
    var value = value
    value.withUTF8 { bytes in
      cell.writer.setBytes(cell.column, of: cell.key, in: cell.table, to: UnsafeRawBufferPointer(bytes))
    }
  }

  public static func _insert(_ value: String, into row: _NewRow, _ column: Int) {
    var value = value
    value.withUTF8 { bytes in row.inserter.pointee.setBytes(ColumnID(column), UnsafeRawBufferPointer(bytes)) }
  }
}

extension Data {
  public static func _make(_ stored: _StoredValue) -> Data? {
    if case .data(let value) = stored.value { Data(value) } else { nil }
  }
}

extension Data: _PersistableScalar, _PersistableInsideOptional {
  @inlinable
  public static func _default() -> Data { Data() }

  public static var _shape: _PropertyShape { _PropertyShape(.data) }

  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Data { Data(BytesLeaf.bytes(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row)) }

  public static func _write(_ value: Data, to cell: _Cell) {
    value.withUnsafeBytes { cell.writer.setBytes(cell.column, of: cell.key, in: cell.table, to: $0) }
  }

  public static func _insert(_ value: Data, into row: _NewRow, _ column: Int) {
    value.withUnsafeBytes { row.inserter.pointee.setBytes(ColumnID(column), $0) }
  }
}

extension ObjectBase {
  /// The string of an indexed column, which holds only the key of its entry.
  @usableFromInline
  final func _internedString(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ root: UnsafeRawPointer?
  ) -> String {
    let offset = PropertySlot.leafOffset(slot)
    if RowCopy.isCopy(cluster) {
      return RowCopy.internedBytes(cluster, offset).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    let entry = IntLeaf.value(Cluster.leaf(cluster, at: offset), row)
    let layout = _table.unsafelyUnwrapped.layout
    return GraphContents.internedString(
      entry, root: root.unsafelyUnwrapped, valueTable: Int(layout.columns[PropertySlot.column(slot)].target))
  }

  @usableFromInline
  final func _isInternedNull(_ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64) -> Bool {
    let offset = PropertySlot.leafOffset(slot)
    if RowCopy.isCopy(cluster) {
      return RowCopy.internedBytes(cluster, offset) == nil
    }
    return IntLeaf.value(Cluster.leaf(cluster, at: offset), row) == 0
  }
}
