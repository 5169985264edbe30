internal import FirnEngine

extension Decimal128: _PersistableFixed {
  public static func _default() -> Decimal128 { Decimal128() }

  public static var _shape: _PropertyShape { _PropertyShape(.decimal128) }

  public static func _value(of stored: (UInt64, UInt64)) -> Decimal128 {
    Decimal128(Bytes16(low: stored.0, high: stored.1))
  }

  public var _stored: (UInt64, UInt64) { (bits.low, bits.high) }

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

extension Decimal128: _RealmCollectionValueInsideOptional {}

extension Decimal128: _QueryNumeric {
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

extension Decimal128: _DefaultConstructible {}
