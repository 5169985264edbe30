/// What a value says of the properties of one object.
struct GivenValues {
  /// One entry for each property, nil where nothing is said of it.
  let values: [Any?]

  /// Reads a dictionary by property name, an array by position, an object by the names of its properties.
  init(_ input: Any, _ model: ClassModel) throws {
    guard let input = Unwrapping.value(input) else {
      throw InvalidValue(message: "Must provide a non-nil value to create an object of type '\(model.name)'.")
    }
    switch input {
    case let object as ObjectBase:
      values = try Self.values(of: object, model)
    case let dictionary as [String: Any]:
      values = model.properties.map { dictionary[$0.name] }
    case let dictionary as [AnyHashable: Any]:
      values = model.properties.map { dictionary[$0.name] }
    case let array as [Any]:
      if array.count > model.properties.count {
        throw InvalidValue(
          message: "Invalid array input: more values (\(array.count)) than properties (\(model.properties.count)) of "
            + "'\(model.name)'.")
      }
      values = array.map { $0 } + Array(repeating: nil, count: model.properties.count - array.count)
    default:
      throw InvalidValue(
        message: "Invalid value '\(input)' of type '\(type(of: input))' to initialize object of type '\(model.name)': "
          + "it must be a dictionary, an array or an object.")
    }
  }

  private static func values(of object: ObjectBase, _ model: ClassModel) throws -> [Any?] {
    if object.isInvalidated {
      throw InvalidValue(message: "Object has been deleted or invalidated. (class '\(type(of: object).className())')")
    }
    let source = ClassModel.of(type(of: object))
    let address = Unmanaged.passUnretained(object).toOpaque()
    return try model.properties.map { property -> Any? in
      guard let own = source.properties.first(where: { $0.name == property.name }) else {
        throw InvalidValue(
          message: "Invalid value '\(source.name)' to initialize object of type '\(model.name)': missing key "
            + "'\(property.name)'.")
      }
      return own.wrapper.read(at: address + own.offset, of: object)
    }
  }

  /// The elements of something that can be enumerated.
  static func elements(_ input: Any, _ property: ClassModel.Property, of model: ClassModel) throws -> [Any] {
    guard let input = Unwrapping.value(input) else { return [] }
    if !(input is String), !(input is any AnyMap), GivenValues.isDictionary(input) == false,
      let sequence = input as? any Sequence
    {
      return elements(of: sequence)
    }
    throw InvalidValue(
      message: Coercion.invalid(input, "\(type(of: input))", property, model).message + " The value is not enumerable.")
  }

  /// The entries of a dictionary or map, each key once.
  static func entries(
    _ input: Any, _ property: ClassModel.Property, of model: ClassModel
  ) throws -> [(key: String, value: Any)] {
    guard let input = Unwrapping.value(input) else { return [] }
    let entries: [(key: String, value: Any)]
    switch input {
    case let map as any AnyMap: entries = map.anyEntries
    case let dictionary as [String: Any]: entries = dictionary.map { ($0.key, $0.value) }
    case let dictionary as [AnyHashable: Any]:
      entries = try dictionary.map { key, value in
        guard let key = key.base as? String else {
          throw Coercion.invalid(key.base, "\(type(of: key.base))", property, model)
        }
        return (key, value)
      }
    default: throw Coercion.invalid(input, "\(type(of: input))", property, model)
    }
    return entries
  }

  private static func isDictionary(_ input: Any) -> Bool { input is [AnyHashable: Any] }

  private static func elements(of sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }
}
