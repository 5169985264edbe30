internal import FirnEngine

extension Decimal128: _PersistableScalar, _PersistableInsideOptional {
  public static func _default() -> Decimal128 { Decimal128() }

  public static var _shape: _PropertyShape { _PropertyShape(.decimal128) }

  public static func _load(
    _ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64, _ object: ObjectBase, _ root: UnsafeRawPointer?
  ) -> Decimal128 {
    Decimal128(FixedLeaf.load(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row, as: Bytes16.self))
  }

  @inlinable
  public static func _store(
    _ value: Decimal128, _ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64
  ) -> Bool { value._storeBits(cluster, row, slot, version) }

  @usableFromInline
  func _storeBits(_ cluster: UnsafeMutableRawPointer, _ row: Int, _ slot: UInt64, _ version: UInt64) -> Bool {
    _storeFixed(bits, cluster, row, slot, version)
  }

  public static func _write(_ value: Decimal128, to cell: _Cell) {
    cell.writer.setBytes16(cell.column, of: cell.key, in: cell.table, to: value.bits)
  }

  public static func _insert(_ value: Decimal128, into row: _NewRow, _ column: Int) {
    row.inserter.pointee.setBytes16(ColumnID(column), value.bits)
  }

  public static func _make(_ stored: _StoredValue) -> Decimal128? {
    if case .decimal128(let value) = stored.value { Decimal128(value) } else { nil }
  }
}

extension Decimal128: _RealmCollectionValueInsideOptional {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 16 }
  }

  public static func _loadElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> Decimal128 { Decimal128(address.loadUnaligned(as: Bytes16.self)) }

  public static func _storeElement(
    _ value: Decimal128, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    address.storeBytes(of: value.bits, as: Bytes16.self)
    return true
  }
}

extension Decimal128: _QueryOrdered {
  public var _constant: _Constant { _Constant(.decimal128(bits)) }
}

extension Decimal128: MinMaxType, AddableType {
  public var _isComparable: Bool { !isNaN }

  public static func _sum(_ values: some Sequence<Decimal128>) -> Decimal128 {
    var sum = DecimalFloat.zero
    for value in values where !value.isNaN { sum = sum + value.number }
    return Decimal128(sum)
  }

  public var _summand: Double? { isNaN ? nil : doubleValue }

  public static func _average(_ values: some Sequence<Decimal128>) -> _Constant? {
    var sum = DecimalFloat.zero
    var count: Int64 = 0
    for value in values where !value.isNaN {
      sum = sum + value.number
      count += 1
    }
    return count == 0 ? nil : _Constant(.decimal128((sum / DecimalFloat(count)).bits))
  }

  public static func _result(_ aggregate: _Constant) -> Decimal128? {
    switch aggregate.value {
    case .int(let value): Decimal128(DecimalFloat(value))
    case .float(let value): Decimal128(DecimalFloat(value))
    case .double(let value): Decimal128(DecimalFloat(value))
    case .decimal128(let bits): Decimal128(bits)
    default: nil
    }
  }
}
