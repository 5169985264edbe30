import FirnMapping

/// An enumeration that is stored as an integer of 32 bits.
enum EnumerationAsInteger32: Int32, ColumnCodable {
  case first = 1
  case second = 2

  static var columnType: ColumnType { .integer32 }

  /// Makes a value from what is stored; nil when no case stands for it.
  init?(with value: Value) { self.init(rawValue: value.int32Value) }

  /// What is stored for the value.
  func archivedValue() -> Value { Value(rawValue) }
}
