internal import FirnEngine

extension ObjectId: _PersistableFixed, _PrimaryKey, _Indexable {
  public static func _default() -> ObjectId { generate() }

  public static var _shape: _PropertyShape { _PropertyShape(.objectId) }

  public static func _value(of stored: (UInt32, UInt32, UInt32)) -> ObjectId {
    ObjectId(Bytes12(stored.0, stored.1, stored.2))
  }

  public var _stored: (UInt32, UInt32, UInt32) { (bytes.word0, bytes.word1, bytes.word2) }

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

extension ObjectId: _RealmCollectionValueInsideOptional {}

extension ObjectId: _QueryOperand {
  public var _constant: _Constant { _Constant(.objectID(bytes)) }
}

extension ObjectId: _DefaultConstructible {}
