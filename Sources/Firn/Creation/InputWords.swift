internal import FirnEngine
internal import Foundation

/// What ``InvalidInput`` calls types and values, for readers who may not know Swift: "a list of strings", "null".
enum InputWords {
  /// What a property takes.
  static func expected(_ shape: _PropertyShape) -> String {
    switch shape.collection {
    case nil: element(shape)
    case .list?: "a list of \(elements(shape))"
    case .set?: "a set of \(elements(shape))"
    case .map?: "a dictionary of \(elements(shape))"
    }
  }

  /// A single value, such as an element of a collection.
  static func element(_ shape: _PropertyShape) -> String {
    let name =
      switch shape.type {
      case .int: "an integer"
      case .bool: "a Boolean"
      case .float, .double: "a number"
      case .string: "a string"
      case .data: "data"
      case .date: "a date"
      case .decimal128: "a decimal number"
      case .objectId: "an object id"
      case .UUID: "a UUID"
      case .any: "any value"
      case .object, .linkingObjects: shape.target.map { "an object of '\($0.className())'" } ?? "an object"
      }
    return shape.isOptional ? name + " or null" : name
  }

  static func object(_ model: ClassModel) -> String { "an object of '\(model.name)'" }

  private static func elements(_ shape: _PropertyShape) -> String {
    switch shape.type {
    case .int: "integers"
    case .bool: "Booleans"
    case .float, .double: "numbers"
    case .string: "strings"
    case .data: "data"
    case .date: "dates"
    case .decimal128: "decimal numbers"
    case .objectId: "object ids"
    case .UUID: "UUIDs"
    case .any: "values"
    case .object, .linkingObjects: shape.target.map { "objects of '\($0.className())'" } ?? "objects"
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
