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
      throw invalid(value, ShownValue.typeName(value), property, model)
    }
    return stored
  }

  /// The common case, a value of the very type of the property, without asking for conformances.
  static func unconverted(_ input: Any, _ shape: _PropertyShape) -> Value? {
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

  /// What a value of some shape is stored as; nil when it cannot be. The value has been looked at by ``Unwrapping``.
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
      // Foundation reads up to a zero byte.
      return (input as? String).flatMap { $0.utf8.count == 36 ? UUID(uuidString: $0) : nil }.map { .uuid($0.bytes16) }
    case .objectId: return (input as? ObjectId).map { .objectID($0.bytes) }
    case .decimal128:
      if let text = input as? String { return DecimalFloat(text).map { .decimal128($0.bits) } }
      // Not a cast, which numbers of Foundation pass as well.
      if type(of: input) == Bool.self { return nil }
      return DecimalFloat(anyNumber: input).map { .decimal128($0.bits) }
    case .object, .linkingObjects, .any: return nil
    }
  }

  /// Refuses what the column can hold but the property's own type has no value for: a raw value without a case.
  static func checkConversion(
    of stored: Value, from input: Any, _ property: ClassModel.Property, of model: ClassModel
  ) throws {
    guard stored != .null, let type = property.shape.converted else { return }
    if !isOverloaded(stored), type._make(_StoredValue(stored)) != nil { return }
    let cases = (type as? any CaseIterable.Type).map { names(ofCasesOf: $0) }
    let shown = ShownValue.text(Unwrapping.value(input) ?? "<null>")
    throw InvalidValue(
      message: "Invalid value '\(shown)' for property '\(model.name).\(property.name)': '\(type)' has no such value."
        + (cases.map { " It has \($0)." } ?? ""),
      expected: cases.map { "one of \($0)" } ?? "a value of '\(type)'", found: shown)
  }

  /// Whether a text has so many combining marks in a row that comparing it with raw values takes long.
  private static func isOverloaded(_ stored: Value) -> Bool {
    if case .string(let bytes) = stored { CombiningMarks.areMany(in: bytes) } else { false }
  }

  private static func names<Cases: CaseIterable>(ofCasesOf type: Cases.Type) -> String {
    let names = type.allCases.prefix(21).map { "\(($0 as? any RawRepresentable)?.rawValue ?? $0)" }
    return names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
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
    case let value as Decimal: DecimalFloat(value).double
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
    var message =
      "Invalid value '\(ShownValue.text(input))' of type '\(type)' for "
      + "'\(typeName(shape))\(shape.isOptional ? "?" : "")'"
      + "\(shape.collection.map { " \($0.propertyName)" } ?? "") property '\(model.name).\(property.name)'."
    guard let range = range(of: shape, exceededBy: input) else {
      return InvalidValue(
        message: message, expected: InputWords.element(shape),
        found: type == "NSNull" ? "null" : InputWords.found(input))
    }
    message += " It holds \(range)."
    return InvalidValue(message: message, expected: range, found: ShownValue.text(input))
  }

  /// What numbers a property holds that a number is too large or too small for; nil of any other value.
  private static func range(of shape: _PropertyShape, exceededBy input: Any) -> String? {
    func text(_ number: some BinaryInteger) -> String { number < 0 ? "−\(number.magnitude)" : "\(number)" }
    let number = input as? JSONNumber
    switch shape.type {
    case .int where input is any FixedWidthInteger || number?.isInteger == true:
      let highest = Int64.max >> Int64(64 - shape.bitWidth)
      return "Int\(shape.bitWidth == Int.bitWidth ? "" : "\(shape.bitWidth)") (\(text(~highest))…\(text(highest)))"
    case .float where double(input) != nil || number != nil:
      let highest = Float.greatestFiniteMagnitude
      return "Float (−\(highest)…\(highest))"
    case .double where number != nil:
      let highest = Double.greatestFiniteMagnitude
      return "Double (−\(highest)…\(highest))"
    case .decimal128 where number != nil: return "decimal numbers (\(Decimal128.min)…\(Decimal128.max))"
    default: return nil
    }
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
