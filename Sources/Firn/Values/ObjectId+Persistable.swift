internal import FirnEngine

extension ObjectId: _PersistableScalar, _PersistableInsideOptional, _PrimaryKey, _Indexable {
  public static func _default() -> ObjectId { generate() }

  public static var _shape: _PropertyShape { _PropertyShape(.objectId) }

  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> ObjectId {
    ObjectId(FixedLeaf.load(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row, as: Bytes12.self))
  }

  @inlinable
  public static func _store(
    _ value: ObjectId, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { value._storeBytes(cluster, row, slot, version) }

  @usableFromInline
  func _storeBytes(_ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64) -> Bool {
    _storeFixed(bytes, cluster, row, slot, version)
  }

  public static func _write(_ value: ObjectId, to cell: _Cell) {
    cell.writer.setBytes12(cell.column, of: cell.key, in: cell.table, to: value.bytes)
  }

  public static func _insert(_ value: ObjectId, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setBytes12(ColumnID(column), value.bytes)
  }

  public static func _make(_ stored: _StoredValue) -> ObjectId? {
    if case .objectID(let value) = stored.value { ObjectId(value) } else { nil }
  }
}

extension ObjectId: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 12 }
  }

  public static func _loadElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> ObjectId { ObjectId(address.loadUnaligned(as: Bytes12.self)) }

  public static func _storeElement(
    _ value: ObjectId, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: value.bytes, as: Bytes12.self)
    return true
  }
}

extension ObjectId: _QueryOperand {
  public var _constant: _Constant { _Constant(.objectID(bytes)) }
}
