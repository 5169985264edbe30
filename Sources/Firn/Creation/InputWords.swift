internal import FirnEngine
internal import Foundation

/// The words of ``InvalidInput`` for types and values. Its readers may not know Swift: "a list of strings", "null".
enum InputWords {
  /// The values that a property takes.
  static func expected(_ shape: _PropertyShape) -> String {
    switch shape.collection {
    case nil: element(shape)
    case .list?: "a list of \(elements(shape))"
    case .set?: "a set of \(elements(shape))"
    case .map?: "a dictionary of \(elements(shape))"
    }
  }

  /// A single value, such as an element of a collection.
  static func element(_ shape: _PropertyShape) -> String { names(shape).one + (shape.isOptional ? " or null" : "") }

  static func object(_ model: ClassModel) -> String { "an object of '\(model.name)'" }

  private static func elements(_ shape: _PropertyShape) -> String { names(shape).many }

  private static func names(_ shape: _PropertyShape) -> (one: String, many: String) {
    switch shape.type {
    case .int: ("an integer", "integers")
    case .bool: ("a Boolean", "Booleans")
    case .float, .double: ("a number", "numbers")
    case .string: ("a string", "strings")
    case .data: ("data", "data")
    case .date: ("a date", "dates")
    case .decimal128: ("a decimal number", "decimal numbers")
    case .objectId: ("an object id", "object ids")
    case .UUID: ("a UUID", "UUIDs")
    case .any: ("any value", "values")
    case .object, .linkingObjects:
      shape.target.map { ("an object of '\($0.className())'", "objects of '\($0.className())'") }
        ?? ("an object", "objects")
    }
  }

  static func found(_ input: Any?) -> String {
    guard let value = input.flatMap({ Unwrapping.value($0) }) else { return "null" }
    switch value {
    case is Bool: return "a Boolean"
    case is any BinaryInteger: return "an integer"
    case let number as JSONNumber: return number.isInteger ? "an integer" : "a number"
    case is any BinaryFloatingPoint: return "a number"
    case is Decimal128, is Decimal: return "a decimal number"
    case is String: return "a string"
    case is Data: return "data"
    case is Date: return "a date"
    case is UUID: return "a UUID"
    case is ObjectId: return "an object id"
    case let object as ObjectBase: return "an object of '\(object._modelName)'"
    case is JSONObject: return "an object"
    case is [AnyHashable: Any], is any RealmKeyedCollection: return "a dictionary"
    case is any Collection: return "a list"
    default: return ShownValue.typeName(value)
    }
  }
}
