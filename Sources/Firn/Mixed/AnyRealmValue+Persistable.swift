internal import FirnEngine

extension AnyRealmValue: _Persistable {
  public typealias PersistedType = AnyRealmValue

  public static func _default() -> AnyRealmValue { .none }

  public static var _shape: _PropertyShape { _PropertyShape(.any) }

  public static func _read(_ object: ObjectBase, _ slot: UInt64) -> AnyRealmValue {
    let value = stored(object._cluster.unsafelyUnwrapped, Int(object._slot), slot)
    return AnyRealmValue(
      value, in: object._instance.unsafelyUnwrapped, isDynamic: object._table.unsafelyUnwrapped.isDynamic)
  }

  public static func _readAway(_ object: ObjectBase, _ slot: UInt64) -> AnyRealmValue {
    var missing = Value.null
    while true {
      let row = object._beginAwayRead(slot)
      guard let cluster = row.cluster else { return .none }
      let stored = Self.stored(cluster, row.slot, slot)
      object._endAwayRead(row)
      let value = AnyRealmValue(
        stored, in: object._instance.unsafelyUnwrapped, isDynamic: object._table.unsafelyUnwrapped.isDynamic)
      // An object that is gone: the realm may have advanced to a version with another value.
      if value != .none || stored == missing { return value }
      missing = stored
    }
  }

  private static func stored(_ cluster: UnsafeRawPointer, _ row: Int, _ slot: UInt64) -> Value {
    if Cluster.bit(cluster, PropertySlot.nullOffset(slot), row) { return .null }
    return MixedBytes.value(BytesLeaf.bytes(Cluster.leaf(cluster, at: PropertySlot.leafOffset(slot)), row))
  }

  public static func _set(_ value: AnyRealmValue, on object: ObjectBase, _ slot: UInt64) {
    let cell = object._beginMutation(slot)
    let instance = object._instance.unsafelyUnwrapped
    if instance.skips(value, cell.writer, over: { $0.value(cell.column, of: cell.key, in: cell.table) }) { return }
    let stored = value.stored(in: instance, cell.writer)
    cell.writer.setMixed(cell.column, of: cell.key, in: cell.table, to: stored)
  }

  public static func _insert(_ value: AnyRealmValue, into row: _NewRow, _ column: Int) {
    if value.waitsForRow {
      row.inserter.pointee.setNull(ColumnID(column))
    } else {
      row.inserter.pointee.setMixed(ColumnID(column), value.scalar)
    }
  }

  public static func _setAfterInsert(_ value: AnyRealmValue, on object: ObjectBase, _ slot: UInt64) {
    if value.waitsForRow { _set(value, on: object, slot) }
  }
}

extension AnyRealmValue: RealmCollectionValue {
  public static var _elementWidth: Int {
    @inlinable @inline(__always) get { 8 }
  }
  public static var _isNullableElement: Bool {
    @inlinable @inline(__always) get { true }
  }
  public static var _ownsElementMemory: Bool {
    @inlinable @inline(__always) get { true }
  }

  public static func _loadElement(
    _ address: UnsafeRawPointer, _ isNull: Bool, _ source: _ElementSource
  ) -> AnyRealmValue {
    if isNull { return .none }
    let value = Value(element: address, type: .mixed)
    let table = source.table.unsafelyUnwrapped
    return AnyRealmValue(value, in: table.instance, isDynamic: table.isDynamic)
  }

  public static func _storeElement(
    _ value: AnyRealmValue, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    let stored = value.stored(in: target.instance, target.writer)
    if stored == .null { return false }
    let word = MixedBytes.withBytes(of: stored) { target.writer.makeBlob($0) }
    address.storeBytes(of: word, as: UInt64.self)
    return true
  }

  public static func _withElementProbe<Result>(
    _ value: AnyRealmValue, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    // No set holds a collection.
    let constant: Value = value.isCollection ? .list(RowKey(.max >> 24)) : value._constant.value
    if constant == .null { return body(nil) }
    return MixedBytes.withBytes(of: constant) { ElementProbe.withBlob($0, body) }
  }

  public static func _isSameElement(_ lhs: AnyRealmValue, _ rhs: AnyRealmValue) -> Bool {
    switch (lhs, rhs) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.object(let left), .object(let right)): ObjectBase._isSameRow(left, right)
    default: lhs == rhs
    }
  }

  public static func _isEqualElement(_ lhs: AnyRealmValue, _ rhs: AnyRealmValue) -> Bool {
    if case (.object(let left), .object(let right)) = (lhs, rhs) { return Object._isEqualElement(left, right) }
    return _isSameElement(lhs, rhs)
  }
}

extension AnyRealmValue: _QueryNumeric {
  /// The value that conditions compare with. An object that is not managed, or was deleted, equals nothing.
  public var _constant: _Constant {
    if isCollection { return _Constant(constant(depth: 1)) }
    guard case .object(let object) = self else { return _Constant(scalar) }
    guard let table = object._table, !object._isGone else { return _Constant(.neverStored) }
    return _Constant(.object(table.layout.number, RowKey(object._key)))
  }

  /// The content of a collection to compare with.
  private func constant(depth: Int) -> NestedConstant {
    if isCollection, depth > NestedDepth.most {
      fatalError("Collections in a mixed value are nested more than \(NestedDepth.most) levels deep.")
    }
    switch self {
    case .list(let list): return .list(list.map { $0.constant(depth: depth + 1) })
    case .dictionary(let map):
      return .map(
        Dictionary(map.entries.map { (Array($0.key.utf8), $0.value.constant(depth: depth + 1)) }) { $1 })
    default: return .value(_constant.value)
    }
  }
}
