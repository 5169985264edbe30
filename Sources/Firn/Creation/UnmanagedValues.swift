internal import FirnEngine

/// Sets properties of unmanaged objects from values of any type.
enum UnmanagedValues {
  static func set(_ input: Any, on object: ObjectBase) throws {
    let model = ClassModel.of(type(of: object))
    let given = try GivenValues(input, model)
    for (column, property) in model.properties.enumerated() {
      if let value = given.values[column] { try set(value, property, on: object, model) }
    }
  }

  static func set(_ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel) throws {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    let isSet: Bool
    if property.shape.collection == .map {
      isSet = try setMap(input, property, on: object, model)
    } else if property.shape.isCollection {
      guard let list = property.wrapper.read(at: address, of: object) as? any UnmanagedList else {
        throw Coercion.invalid(input, "\(type(of: input))", property, model)
      }
      let elements = try GivenValues.elements(input, property, of: model) ?? []
      isSet = try list.replace(
        with: elements.map { element in
          if property.shape.type == .any { return .mixed(try mixed(element, property, model)) }
          if property.shape.custom != nil {
            guard let value = try custom(element, property, model) else {
              throw Coercion.invalid("<null>", "NSNull", property, model)
            }
            return .custom(value)
          }
          guard property.shape.type == .object else {
            return .scalar(_StoredValue(try Coercion.stored(element, property, of: model)))
          }
          guard let target = try target(element, property, model) else {
            throw Coercion.invalid("<null>", "NSNull", property, model)
          }
          return .object(target)
        })
    } else if property.shape.custom != nil {
      isSet = property.wrapper.setUnmanaged(try custom(input, property, model), at: address)
    } else if property.shape.type == .object {
      isSet = property.wrapper.setUnmanaged(try target(input, property, model), at: address)
    } else if property.shape.type == .any {
      isSet = property.wrapper.setUnmanaged(try mixed(input, property, model) as Any?, at: address)
    } else {
      let stored = try Coercion.stored(input, property, of: model)
      // What fits but has no value in the type reads as nil where it can.
      isSet =
        property.wrapper.setUnmanaged(_StoredValue(stored), at: address)
        || (property.shape.isOptional && property.wrapper.setUnmanaged(_StoredValue(.null), at: address))
      if !isSet { throw failedConversion(input, "\(property.value)", property, model) }
    }
    if !isSet {
      let value = Unwrapping.value(input) ?? "<null>"
      throw Coercion.invalid(value, "\(type(of: value))", property, model)
    }
  }

  private static func setMap(
    _ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel
  ) throws -> Bool {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    guard let map = property.wrapper.read(at: address, of: object) as? any UnmanagedMap else { return false }
    let entries = try GivenValues.entries(input, property, of: model) ?? []
    return try map.replace(
      with: entries.map { key, value in
        if property.shape.type == .any { return (key, .mixed(try mixed(value, property, model))) }
        if property.shape.custom != nil { return (key, .custom(try custom(value, property, model))) }
        guard property.shape.type == .object else {
          return (key, .scalar(_StoredValue(try Coercion.stored(value, property, of: model))))
        }
        return (key, .object(try target(value, property, model)))
      })
  }

  private static func mixed(
    _ input: Any, _ property: ClassModel.Property, _ model: ClassModel
  ) throws -> AnyRealmValue {
    guard let value = AnyRealmValue.given(input) else {
      throw Coercion.invalid(input, "\(type(of: input))", property, model)
    }
    return value
  }

  /// A value of a custom type that is stored as an embedded object; nil for null, and where optional values are made of an
  /// object that cannot be converted.
  private static func custom(_ input: Any, _ property: ClassModel.Property, _ model: ClassModel) throws -> Any? {
    guard let custom = property.shape.custom else { return nil }
    if let value = Unwrapping.value(input), custom._isValue(value) { return value }
    guard let linked = property.shape.linked(input) else {
      if property.shape.nullIsDefault { throw Coercion.invalid("<null>", "NSNull", property, model) }
      return nil
    }
    guard let object = try target(linked, property, model) else { return nil }
    if let value = custom._converted(object) { return value }
    if !property.shape.nullIsDefault, property.shape.isOptional { return nil }
    throw failedConversion(object, "\(custom)", property, model)
  }

  private static func failedConversion(
    _ input: Any, _ type: String, _ property: ClassModel.Property, _ model: ClassModel
  ) -> InvalidValue {
    InvalidValue(
      message: "Could not convert value '\(ShownValue.text(input))' to type '\(type)' for the property "
        + "'\(model.name).\(property.name)'.", expected: type, found: "\(Swift.type(of: input))")
  }

  /// The object that a link leads to: the one given, or one made of the value.
  private static func target(_ input: Any, _ property: ClassModel.Property, _ model: ClassModel) throws -> ObjectBase? {
    guard let value = Unwrapping.value(input) else { return nil }
    guard let type = property.shape.target else { return nil }
    let object = Unwrapping.object(value)
    if let object, Swift.type(of: object) == type { return object }
    if object != nil || !(value is [AnyHashable: Any] || value is [Any]) {
      throw Coercion.invalid(value, "\(Swift.type(of: value))", property, model)
    }
    let made = type.init()
    try set(value, on: made)
    return made
  }
}
