internal import Firn
internal import Foundation

/// Columns of each kind, and the values that they hold.
enum ColumnStorage {
  /// The shape of a property; one that the schema refuses for a type without values.
  static func shape(_ type: ColumnType) -> _PropertyShape {
    switch type {
    case .integer32: Int32._shape
    case .integer64: Int64._shape
    case .float: Double._shape
    case .text: String._shape
    case .BLOB, .null: Data._shape
    }
  }

  /// What a column holds of which nothing is known.
  static func freshValue(_ type: ColumnType) -> Value {
    switch type {
    case .integer32: Value(Int32(0))
    case .integer64: Value(Int64(0))
    case .float: Value(0.0)
    case .text: Value("")
    case .BLOB: Value(Data())
    case .null: Value(nil)
    }
  }

  static func read(_ type: ColumnType, _ object: ObjectBase, _ slot: UInt64) -> Value {
    switch type {
    case .integer32: Int64._readOptional(object, slot).map { Value(Int32(truncatingIfNeeded: $0)) } ?? Value(nil)
    case .integer64: Int64._readOptional(object, slot).map { Value($0) } ?? Value(nil)
    case .float: Double._readOptional(object, slot).map { Value($0) } ?? Value(nil)
    case .text: String._readOptional(object, slot).map { Value($0) } ?? Value(nil)
    case .BLOB, .null: Data._readOptional(object, slot).map { Value($0) } ?? Value(nil)
    }
  }

  static func readAway(_ type: ColumnType, _ object: ObjectBase, _ slot: UInt64) -> Value {
    switch type {
    case .integer32: Int64._readOptionalAway(object, slot).map { Value(Int32(truncatingIfNeeded: $0)) } ?? Value(nil)
    case .integer64: Int64._readOptionalAway(object, slot).map { Value($0) } ?? Value(nil)
    case .float: Double._readOptionalAway(object, slot).map { Value($0) } ?? Value(nil)
    case .text: String._readOptionalAway(object, slot).map { Value($0) } ?? Value(nil)
    case .BLOB, .null: Data._readOptionalAway(object, slot).map { Value($0) } ?? Value(nil)
    }
  }

  /// Why a value cannot be stored; nil when it can.
  static func problem(_ value: Value, _ type: ColumnType, isOptional: Bool, of owner: Any.Type) -> String? {
    switch (value.type, type) {
    case (.null, _):
      return isOptional
        ? nil
        : "archivedValue() of '\(owner)' gave null, and the property is not optional. Make the property optional, or give "
          + "a value."
    case (.integer32, .integer32), (.integer32, .integer64), (.integer64, .integer64), (.float, .float), (.text, .text),
      (.BLOB, .BLOB):
      return nil
    case (.integer64, .integer32) where Int32(exactly: value.int64Value) != nil: return nil
    default:
      return "archivedValue() of '\(owner)' gave a value of type \(value.type), and columnType says \(type). Make them "
        + "agree."
    }
  }

  static func set(_ value: Value, _ type: ColumnType, on object: ObjectBase, _ slot: UInt64) {
    let isNull = value.type == .null
    switch type {
    case .integer32, .integer64: Int64._setOptional(isNull ? nil : value.int64Value, on: object, slot)
    case .float: Double._setOptional(isNull ? nil : value.doubleValue, on: object, slot)
    case .text: String._setOptional(isNull ? nil : value.stringValue, on: object, slot)
    case .BLOB, .null: Data._setOptional(isNull ? nil : value.dataValue, on: object, slot)
    }
  }

  static func insert(_ value: Value, _ type: ColumnType, into row: _NewRow, _ column: Int) {
    let isNull = value.type == .null
    switch type {
    case .integer32, .integer64: Int64._insertOptional(isNull ? nil : value.int64Value, into: row, column)
    case .float: Double._insertOptional(isNull ? nil : value.doubleValue, into: row, column)
    case .text: String._insertOptional(isNull ? nil : value.stringValue, into: row, column)
    case .BLOB, .null: Data._insertOptional(isNull ? nil : value.dataValue, into: row, column)
    }
  }

  // MARK: Elements

  /// Whether elements refer to memory of the collection.
  static func ownsMemory(_ type: ColumnType) -> Bool {
    switch type {
    case .integer32, .integer64, .float: false
    case .text, .BLOB, .null: true
    }
  }

  static func loadElement(_ type: ColumnType, _ address: UnsafeRawPointer, _ source: _ElementSource) -> Value {
    switch type {
    case .integer32: Value(Int32(truncatingIfNeeded: Int64._loadElement(address, false, source)))
    case .integer64: Value(Int64._loadElement(address, false, source))
    case .float: Value(Double._loadElement(address, false, source))
    case .text: Value(String._loadElement(address, false, source))
    case .BLOB, .null: Value(Data._loadElement(address, false, source))
    }
  }

  static func storeElement(
    _ value: Value, _ type: ColumnType, _ address: UnsafeMutableRawPointer, _ target: _ElementTarget
  ) -> Bool {
    switch type {
    case .integer32, .integer64: Int64._storeElement(value.int64Value, address, target)
    case .float: Double._storeElement(value.doubleValue, address, target)
    case .text: String._storeElement(value.stringValue, address, target)
    case .BLOB, .null: Data._storeElement(value.dataValue, address, target)
    }
  }

  static func withElementProbe<Result>(
    _ value: Value, _ type: ColumnType, _ body: (UnsafeRawPointer?) -> Result
  ) -> Result {
    switch type {
    case .integer32, .integer64: Int64._withElementProbe(value.int64Value, body)
    case .float: Double._withElementProbe(value.doubleValue, body)
    case .text: String._withElementProbe(value.stringValue, body)
    case .BLOB, .null: Data._withElementProbe(value.dataValue, body)
    }
  }

  static func make(_ stored: _StoredValue, _ type: ColumnType) -> Value? {
    switch type {
    case .integer32: Int64._make(stored).map { Value(Int32(truncatingIfNeeded: $0)) }
    case .integer64: Int64._make(stored).map { Value($0) }
    case .float: Double._make(stored).map { Value($0) }
    case .text: String._make(stored).map { Value($0) }
    case .BLOB, .null: Data._make(stored).map { Value($0) }
    }
  }
}

extension Value {
  /// The value as a condition compares with it.
  var constant: _Constant {
    switch content {
    case .null: Int?.none._constant
    case .integer32(let value): value._constant
    case .integer64(let value): value._constant
    case .float(let value): value._constant
    case .text(let value): value._constant
    case .blob(let value): value._constant
    }
  }

  /// The value as Swift has it; `NSNull` for null.
  var plain: Any {
    switch content {
    case .null: NSNull()
    case .integer32(let value): Int(value)
    case .integer64(let value): Int(value)
    case .float(let value): value
    case .text(let value): value
    case .blob(let value): value
    }
  }
}
