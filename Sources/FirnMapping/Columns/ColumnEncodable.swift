/// A type with a stored form.
public protocol ColumnCodableBase {
  /// What kind of values the stored form has. The same for all values of the type; read when the schema is made.
  static var columnType: ColumnType { get }
}

/// A type whose values can be turned into their stored form.
public protocol ColumnEncodable: Encodable, ColumnCodableBase {
  /// The stored form, of the type's ``ColumnCodableBase/columnType``, or `Value(nil)` when there is none.
  func archivedValue() -> Value
}

/// A type whose values can be made from their stored form.
public protocol ColumnDecodable: Decodable, ColumnCodableBase {
  /// Makes a value from its stored form; nil when there is none for it.
  init?(with value: Value)
}
