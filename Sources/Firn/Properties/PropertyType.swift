/// The kind of values that a property holds.
public enum PropertyType: Int, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  case object = 7
  case linkingObjects = 8
  case any = 9
  case objectId = 10
  case decimal128 = 11
  // The name of the reference's API.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID = 12
}
