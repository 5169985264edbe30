/// How a value is stored.
public enum ColumnType: Sendable, Hashable {
  /// An integer of 32 bits.
  case integer32
  /// An integer of 64 bits.
  case integer64
  /// A text.
  case text
  /// A floating-point number of double precision.
  case float
  // The name that WCDB has.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Bytes.
  case BLOB
  /// No value. Nothing can be stored in a column of this type.
  case null
}
