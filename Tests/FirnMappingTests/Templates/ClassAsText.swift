import FirnMapping

/// A class that is stored as a text.
class ClassAsText: ColumnCodable {
  var text: String

  static var columnType: ColumnType { .text }

  init(text: String) { self.text = text }

  /// Makes a value from what is stored; nil when that means nothing.
  required init?(with value: Value) { text = value.stringValue }

  /// What is stored for the value.
  func archivedValue() -> Value { Value(text) }
}
