internal import FirnEngine

/// Sets properties of unmanaged objects from values of any type.
enum UnmanagedValues {
  static func set(_ input: Any, on object: ObjectBase) throws {
    let model = ClassModel.of(type(of: object))
    let given = try GivenValues(input, model, .note)
    for (column, property) in model.properties.enumerated() {
      if let value = given.values[column] { try set(value, property, on: object, model) }
    }
  }

  static func set(_ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel) throws {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    switch property.shape.collection {
    case .map?: try setMap(input, property, on: object, model)
    case .list?, .set?: try setList(input, property, on: object, model)
    case nil:
      let isSet: Bool
      switch try element(input, property, model) {
      case .scalar(let stored):
        // What fits but has no value in the type reads as nil where it can.
        isSet =
          property.wrapper.setUnmanaged(stored, at: address)
          || (property.shape.isOptional && property.wrapper.setUnmanaged(_StoredValue(.null), at: address))
        if !isSet { throw failedConversion(input, property, model) }
      case .mixed(let value): isSet = property.wrapper.setUnmanaged(value as Any?, at: address)
      case .object(let object): isSet = property.wrapper.setUnmanaged(object, at: address)
      case .custom(let value): isSet = property.wrapper.setUnmanaged(value, at: address)
      }
      if !isSet {
        let value = Unwrapping.value(input) ?? "<null>"
        throw Coercion.invalid(value, "\(type(of: value))", property, model)
      }
    }
  }

  /// The same without copying: an embedded object stays the one that it is.
  static func keep(_ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel) throws {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    if property.shape.custom == nil, !property.shape.isCollection, let target = Unwrapping.value(input) as? ObjectBase,
      Swift.type(of: target) == property.shape.target, property.wrapper.setUnmanaged(target, at: address)
    {
      return
    }
    try set(input, property, on: object, model)
  }

  private static func setList(
    _ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel
  ) throws {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    guard let list = property.wrapper.read(at: address, of: object) as? any UnmanagedList else {
      throw Coercion.invalid(input, "\(type(of: input))", property, model)
    }
    let given = try GivenValues.elements(input, property, of: model) ?? []
    let elements = try given.enumerated().map { position, value in
      do {
        let element = try element(value, property, model)
        switch element {
        case .object(nil), .custom(nil): throw Coercion.invalid("<null>", "NSNull", property, model)
        default: return element
        }
      } catch let error as InvalidValue {
        throw error.at("$.\(property.name)[\(position)]")
      }
    }
    if let position = list.replace(with: elements) {
      throw failedConversion(given[position], property, model).at("$.\(property.name)[\(position)]")
    }
  }

  private static func setMap(
    _ input: Any, _ property: ClassModel.Property, on object: ObjectBase, _ model: ClassModel
  ) throws {
    let address = Unmanaged.passUnretained(object).toOpaque() + property.offset
    guard let map = property.wrapper.read(at: address, of: object) as? any UnmanagedMap else {
      throw Coercion.invalid(input, "\(type(of: input))", property, model)
    }
    let given = try GivenValues.entries(input, property, of: model) ?? []
    func path(_ key: String) -> String { "$.\(property.name)[\"\(ShownValue.text(key))\"]" }
    let entries = try given.map { key, value in
      do {
        return (key: key, value: try element(value, property, model))
      } catch let error as InvalidValue {
        throw error.at(path(key))
      }
    }
    if let position = map.replace(with: entries) {
      throw failedConversion(given[position].value, property, model).at(path(given[position].key))
    }
  }

  /// What a property of its own, or an element of a collection, is made from.
  private static func element(
    _ input: Any, _ property: ClassModel.Property, _ model: ClassModel
  ) throws -> UnmanagedElement {
    let shape = property.shape
    if shape.type == .any { return .mixed(try mixed(input, property, model)) }
    if shape.custom != nil { return .custom(try custom(input, property, model)) }
    if shape.type == .object { return .object(try target(input, property, model)) }
    // A value of the very type needs no way back from what would be stored for it.
    if let type = shape.converted, let value = Unwrapping.value(input), Swift.type(of: value) == type as Any.Type {
      return .custom(value)
    }
    return .scalar(_StoredValue(try Coercion.stored(input, property, of: model)))
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
    throw failedConversion(object, property, model)
  }

  private static func failedConversion(
    _ input: Any, _ property: ClassModel.Property, _ model: ClassModel
  ) -> InvalidValue {
    let type = property.shape.converted.map { "\($0)" } ?? property.shape.custom.map { "\($0)" } ?? "\(property.value)"
    return InvalidValue(
      message: "Could not convert value '\(ShownValue.text(input))' to type '\(type)' for the property "
        + "'\(model.name).\(property.name)'.", expected: type, found: "\(Swift.type(of: input))")
  }

  /// The object that a link leads to: the one given, or one made of the value. An embedded object of a realm belongs to
  /// its parent, and is copied.
  private static func target(_ input: Any, _ property: ClassModel.Property, _ model: ClassModel) throws -> ObjectBase? {
    guard let value = Unwrapping.value(input) else { return nil }
    guard let type = property.shape.target else { return nil }
    let object = Unwrapping.object(value)
    if let object, Swift.type(of: object) == type, object._table?.layout.isOwned != true { return object }
    if object.map({ Swift.type(of: $0) != type }) ?? !GivenValues.mayBe(value) {
      throw Coercion.invalid(value, "\(Swift.type(of: value))", property, model)
    }
    let made = type.init()
    try set(value, on: made)
    return made
  }
}
