internal import FirnEngine
internal import Foundation

/// Turns values of any type into what a column stores.
///
/// Integers go where they fit, also into floating point properties; 0 and 1 are also Booleans and these are also integers;
/// UUIDs may be strings; decimals may be numbers of any kind or their text; enumerations may be given as case or raw
/// value, custom types as such or as what is stored for them. Nothing else is converted.
enum Coercion {
  /// What a property stores for `input`; of a list, what one of its elements is stored as.
  static func stored(_ input: Any, _ property: ClassModel.Property, of model: ClassModel) throws -> Value {
    let shape = property.shape
    if let stored = unconverted(input, shape) { return stored }
    guard let value = Unwrapping.value(input) else {
      if shape.isOptional { return .null }
      throw invalid("<null>", "NSNull", property, model)
    }
    let given = (value as? any _HasStoredForm)?._storedForm ?? value
    guard let stored = stored(given, shape) else {
      throw invalid(value, "\(type(of: value))", property, model)
    }
    return stored
  }

  /// The common case, a value of the very type of the property, without asking for conformances.
  private static func unconverted(_ input: Any, _ shape: _PropertyShape) -> Value? {
    let type = type(of: input)
    switch shape.type {
    case .int:
      guard type == Int.self, let value = input as? Int, fits(Int64(value), shape.bitWidth) else { return nil }
      return .int(Int64(value))
    case .double: return type == Double.self ? (input as? Double).map { .double($0) } : nil
    case .string: return type == String.self ? (input as? String).map { Value($0) } : nil
    case .bool: return type == Bool.self ? (input as? Bool).map { .bool($0) } : nil
    default: return nil
    }
  }

  /// What a value of some shape is stored as; nil when it cannot be.
  static func stored(_ input: Any, _ shape: _PropertyShape) -> Value? {
    if input is NSNull { return shape.isOptional ? .null : nil }
    switch shape.type {
    case .int: return integer(input).flatMap { fits($0, shape.bitWidth) ? .int($0) : nil } ?? raw(input, shape)
    case .bool: return bool(input).map { .bool($0) } ?? raw(input, shape)
    case .double: return double(input).map { .double($0) } ?? raw(input, shape)
    case .float: return float(input).map { .float($0) } ?? raw(input, shape)
    case .string: return (input as? String).map { Value($0) } ?? raw(input, shape)
    case .data: return (input as? Data).map { .data(Array($0)) }
    case .date: return (input as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .UUID:
      if let uuid = input as? UUID { return .uuid(uuid.bytes16) }
      return (input as? String).flatMap { UUID(uuidString: $0) }.map { .uuid($0.bytes16) }
    case .objectId: return (input as? ObjectId).map { .objectID($0.bytes) }
    case .decimal128:
      if let text = input as? String { return DecimalFloat(text).map { .decimal128($0.bits) } }
      return DecimalFloat(anyNumber: input).map { .decimal128($0.bits) }
    case .object, .linkingObjects, .any: return nil
    }
  }

  private static func raw(_ input: Any, _ shape: _PropertyShape) -> Value? {
    (input as? any RawRepresentable).flatMap { stored($0.rawValue, shape) }
  }

  private static func fits(_ value: Int64, _ bitWidth: Int) -> Bool {
    value >> Int64(bitWidth - 1) == 0 || value >> Int64(bitWidth - 1) == -1
  }

  private static func integer(_ input: Any) -> Int64? {
    switch input {
    case let value as Bool: value ? 1 : 0
    case let value as any FixedWidthInteger: Int64(exactly: value)
    case let value as NSNumber where !value.isFloatingPoint: value.int64Value
    default: nil
    }
  }

  private static func bool(_ input: Any) -> Bool? {
    if let value = input as? Bool { return value }
    switch integer(input) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  private static func double(_ input: Any) -> Double? {
    switch input {
    case is Bool: nil
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as any FixedWidthInteger: Double(value)
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  }

  private static func float(_ input: Any) -> Float? {
    guard let value = double(input) else { return nil }
    let narrow = Float(value)
    return narrow.isFinite || !value.isFinite ? narrow : nil
  }

  /// How messages call a type, without what follows from optionality or collection.
  static func typeName(_ shape: _PropertyShape) -> String { shape.target?.className() ?? shape.type.name }

  /// Names class, property and what the property holds.
  static func invalid(_ input: Any, _ type: String, _ property: ClassModel.Property, _ model: ClassModel)
    -> InvalidValue
  {
    let shape = property.shape
    let expected = "\(typeName(shape))\(shape.isOptional ? "?" : "")"
    return InvalidValue(
      message: "Invalid value '\(ShownValue.text(input))' of type '\(type)' for '\(expected)'"
        + "\(shape.collection.map { " \($0.propertyName)" } ?? "") property '\(model.name).\(property.name)'.",
      expected: expected, found: type)
  }
}

extension CollectionKind {
  /// How messages call a property of the kind.
  var propertyName: String {
    switch self {
    case .list: "array"
    case .set: "set"
    case .map: "dictionary"
    }
  }
}

extension NSNumber {
  fileprivate var isFloatingPoint: Bool { objCType.pointee == 0x64 || objCType.pointee == 0x66 }
}
