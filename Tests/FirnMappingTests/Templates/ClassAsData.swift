import FirnMapping
import Foundation

/// A class that is stored as bytes.
class ClassAsData: ColumnCodable {
  var bytes: Data

  static var columnType: ColumnType { .BLOB }

  init(bytes: Data) { self.bytes = bytes }

  /// Makes a value from what is stored; nil when that means nothing.
  required init?(with value: Value) { bytes = value.dataValue }

  /// What is stored for the value.
  func archivedValue() -> Value { Value(bytes) }
}
