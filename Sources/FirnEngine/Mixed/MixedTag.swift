/// What the first byte of a mixed value says about the bytes that follow.
///
/// The numbers are part of the file format.
package enum MixedTag: UInt8, Sendable {
  /// One byte, 0 or 1.
  case bool = 1
  /// The fewest bytes that hold the number in two's complement, low byte first; at least one.
  case int = 2
  /// 4 bytes.
  case float = 3
  /// 8 bytes.
  case double = 4
  /// 16 bytes.
  case decimal128 = 5
  /// UTF-8, to the end.
  case string = 6
  /// Bytes, to the end.
  case data = 7
  /// 8 bytes: seconds since the reference date.
  case date = 8
  /// 12 bytes.
  case objectID = 9
  /// 16 bytes.
  case uuid = 10
  /// The number of the table in 4 bytes, then the key in the fewest bytes, at least one.
  case object = 11
  /// The key of the row that holds the elements, in the fewest bytes, at least one.
  case list = 12
  /// The key of the row that holds the entries, in the fewest bytes, at least one.
  case map = 13
}
