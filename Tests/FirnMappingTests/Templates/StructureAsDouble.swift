import FirnMapping

/// A structure that is stored as a floating-point number.
struct StructureAsDouble: ColumnCodable {
  var number: Double

  static var columnType: ColumnType { .float }

  init(number: Double) { self.number = number }

  /// Makes a value from what is stored; nil when that means nothing.
  init?(with value: Value) { number = value.doubleValue }

  /// What is stored for the value.
  func archivedValue() -> Value { Value(number) }
}
