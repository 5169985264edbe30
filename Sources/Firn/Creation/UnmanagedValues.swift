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
    if property.shape.isArray {
      guard let list = property.wrapper.read(at: address, of: object) as? any UnmanagedList else {
        throw Coercion.invalid(input, "\(type(of: input))", property, model)
      }
      let elements = try GivenValues.elements(input, property, of: model) ?? []
      isSet = try list.replace(
        with: elements.map { element in
          guard property.shape.type == .object else {
            return .scalar(_StoredValue(try Coercion.stored(element, property, of: model)))
          }
          guard let target = try target(element, property, model) else {
            throw Coercion.invalid("<null>", "NSNull", property, model)
          }
          return .object(target)
        })
    } else if property.shape.type == .object {
      isSet = property.wrapper.setUnmanaged(try target(input, property, model), at: address)
    } else {
      isSet = property.wrapper.setUnmanaged(_StoredValue(try Coercion.stored(input, property, of: model)), at: address)
    }
    if !isSet {
      let value = Unwrapping.value(input) ?? "<null>"
      throw Coercion.invalid(value, "\(type(of: value))", property, model)
    }
  }

  /// The object that a link leads to: the one given, or one made of the value.
  private static func target(_ input: Any, _ property: ClassModel.Property, _ model: ClassModel) throws -> ObjectBase? {
    guard let value = Unwrapping.value(input) else { return nil }
    guard let type = property.shape.target else { return nil }
    if let object = value as? ObjectBase, Swift.type(of: object) == type { return object }
    if value is ObjectBase || !(value is [AnyHashable: Any] || value is [Any]) {
      throw Coercion.invalid(value, "\(Swift.type(of: value))", property, model)
    }
    let object = type.init()
    try set(value, on: object)
    return object
  }
}

/// An element for a list whose type is not known.
enum UnmanagedElement {
  case scalar(_StoredValue)
  case object(ObjectBase)
}

/// A list of an unmanaged object.
protocol UnmanagedList {
  /// Replaces the content; false when an element is not of the list's type.
  func replace(with elements: [UnmanagedElement]) throws -> Bool
}
