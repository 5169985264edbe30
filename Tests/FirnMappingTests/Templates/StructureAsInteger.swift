import FirnMapping

/// A structure that is stored as an integer.
struct StructureAsInteger: ColumnCodable {
  var number: Int64

  static var columnType: ColumnType { .integer64 }

  init(number: Int64) { self.number = number }

  /// Makes a value from what is stored; nil when that means nothing.
  init?(with value: Value) { number = value.int64Value }

  /// What is stored for the value.
  func archivedValue() -> Value { Value(number) }
}
