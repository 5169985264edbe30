/// The kind of values that a property holds.
public enum PropertyType: Int, Sendable {
  /// Integers of every width.
  case int = 0
  /// Truth values.
  case bool = 1
  /// Texts.
  case string = 2
  /// Bytes.
  case data = 3
  /// Moments in time.
  case date = 4
  /// Floating-point numbers of single precision.
  case float = 5
  /// Floating-point numbers of double precision.
  case double = 6
  /// Links to objects.
  case object = 7
  /// The objects that link here.
  case linkingObjects = 8
  /// Values of any type.
  case any = 9
  /// Object identifiers of 12 bytes.
  case objectId = 10
  /// Decimal numbers of 34 digits.
  case decimal128 = 11
  /// Universally unique identifiers.
  // The name of the reference's API.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID = 12
}
