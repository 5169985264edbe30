/// What a value says of the properties of one object.
struct GivenValues {
  /// One entry for each property, nil where nothing is said of it.
  let values: [Any?]

  /// What is done about keys of a dictionary that name no property.
  enum UnknownNames {
    case ignore
    /// The log says so once for each class.
    case note
    case refuse

    init(_ keys: UnknownKeys) {
      switch keys {
      case .ignore: self = .ignore
      case .refuse: self = .refuse
      }
    }
  }

  /// Reads a dictionary by property name, an array by position, an object by the names of its properties.
  ///
  /// - Parameter arrays: Whether arrays are read at all.
  init(
    _ input: Any, _ model: ClassModel, _ unknown: UnknownNames, arrays: PositionalArrays = .accept
  ) throws {
    guard let input = Unwrapping.value(input) else {
      throw InvalidValue(
        message: "Must provide a non-nil value to create an object of type '\(model.name)'.",
        expected: Self.expected(model), found: "null")
    }
    if let object = Unwrapping.object(input) {
      values = try Self.values(of: object, model)
      return
    }
    switch input {
    case let object as JSONObject:
      values = Self.values(object.values.lazy.map { ($0.key, $0.value) }, model)
      if unknown != .ignore, knownCount < object.values.count {
        try Self.meet(object.values.keys.lazy.map(\.key), unknown, model)
      }
    case let dictionary as [String: Any]:
      values = Self.values(dictionary.lazy.map { (ExactKey($0.key), $0.value) }, model)
      if unknown != .ignore, knownCount < dictionary.count { try Self.meet(dictionary.keys, unknown, model) }
    case let dictionary as [AnyHashable: Any]:
      values = model.properties.map { dictionary[$0.name] }
      if unknown != .ignore, knownCount < dictionary.count {
        try Self.meet(dictionary.keys.lazy.map { "\($0)" }, unknown, model)
      }
    case let array as [Any]:
      if arrays == .refuse {
        throw InvalidValue(
          message:
            "An array cannot stand for an object of type '\(model.name)' here. Give a dictionary, or allow arrays "
            + "with CreationLimits.positionalArrays.", expected: InputWords.object(model), found: "a list")
      }
      if array.count > model.properties.count {
        throw InvalidValue(
          message: "Invalid array input: more values (\(array.count)) than properties (\(model.properties.count)) of "
            + "'\(model.name)'.", expected: "at most \(model.properties.count) values", found: "\(array.count)")
      }
      values = array.map { $0 } + Array(repeating: nil, count: model.properties.count - array.count)
    default:
      throw InvalidValue(
        message: "Invalid value '\(ShownValue.text(input))' of type '\(ShownValue.typeName(input))' to initialize "
          + "object of type '\(model.name)': it must be a dictionary, an array or an object.",
        expected: Self.expected(model), found: InputWords.found(input))
    }
  }

  /// Whether a value may say something of an object's properties.
  static func mayBe(_ value: Any) -> Bool { value is JSONObject || value is [AnyHashable: Any] || value is [Any] }

  private static func values(
    _ entries: some Sequence<(key: ExactKey<String>, value: Any)>, _ model: ClassModel
  ) -> [Any?] {
    var values: [Any?] = Array(repeating: nil, count: model.properties.count)
    for (key, value) in entries { if let column = model.columns[key] { values[column] = value } }
    return values
  }

  private static func expected(_ model: ClassModel) -> String {
    "a dictionary, an array or an object for '\(model.name)'"
  }

  private var knownCount: Int { values.reduce(0) { $1 == nil ? $0 : $0 + 1 } }

  /// Says once for each class that there are unknown keys, or refuses them.
  private static func meet(_ keys: some Collection<String>, _ unknown: UnknownNames, _ model: ClassModel) throws {
    if unknown == .refuse { throw UnknownKey(keys, model).error }
    Log.once("unknown key of \(model.name)") {
      "\(UnknownKey(keys, model).problem) The values given for such keys are ignored."
    }
  }

  /// The key to name among those that no property has.
  private struct UnknownKey {
    let problem: String
    let error: InvalidValue

    init(_ keys: some Collection<String>, _ model: ClassModel) {
      // The same one each time, whatever the order of the dictionary is.
      let unknown = keys.filter { model.columns[ExactKey($0)] == nil }
      let key = Self.first(unknown) ?? Self.first(keys) ?? ""
      if model.linkingProperties.contains(where: { $0.name == key }) {
        problem = model.linkingProblem(key)
        error = InvalidValue(
          message: "\(problem) Leave the key out, or let unknown keys be ignored.",
          expected: "no value for '\(ShownValue.text(key))'", found: "one")
        return
      }
      let similar = Spelling.nearest(to: key, among: model.properties.map(\.name))
      problem =
        "Class '\(model.name)' has no property '\(ShownValue.text(key))'."
        + (similar.map { " Is '\($0)' meant?" } ?? "")
      error = InvalidValue(
        message: "\(problem) Leave the key out, or let unknown keys be ignored.",
        expected: similar.map { "'\($0)'" } ?? "names of properties of '\(model.name)'",
        found: "'\(ShownValue.text(key))'")
    }

    private static func first(_ keys: some Sequence<String>) -> String? {
      keys.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
  }

  private static func values(of object: ObjectBase, _ model: ClassModel) throws -> [Any?] {
    if object._isGone { throw InvalidValue.deleted(object, expected: model.name) }
    let source = object._model
    return try model.properties.map { property -> Any? in
      guard let own = source.properties.first(where: { $0.name == property.name }) else {
        throw InvalidValue(
          message: "Invalid value '\(source.name)' to initialize object of type '\(model.name)': missing key "
            + "'\(property.name)'.", expected: "a property '\(property.name)'", found: source.name)
      }
      return own.read(object)
    }
  }

  /// The elements of something that can be enumerated; nil when there are more than `maximum`.
  static func elements(
    _ input: Any, _ property: ClassModel.Property, of model: ClassModel, maximum: Int = .max
  ) throws -> [Any]? {
    guard let input = Unwrapping.value(input) else { return [] }
    if let collection = input as? any RealmCollection {
      try checkElements(of: collection, property, model)
      return collection.count > maximum ? nil : elements(of: collection, .max)
    }
    if !(input is String), !(input is [AnyHashable: Any]), Unwrapping.object(input) == nil,
      let sequence = input as? any Sequence
    {
      return elements(of: sequence, maximum)
    }
    var error = Coercion.invalid(input, ShownValue.typeName(input), property, model)
    error.message += " The value is not enumerable."
    error.expected = InputWords.expected(property.shape)
    throw error
  }

  private static func checkElements<C: RealmCollection>(
    of collection: C, _ property: ClassModel.Property, _ model: ClassModel
  ) throws { try checkElements(collection, C.Element._elementShape, property, model) }

  /// Checks what a collection of a realm holds, which is known without looking at its elements.
  private static func checkElements(
    _ collection: Any, _ given: _PropertyShape, _ property: ClassModel.Property, _ model: ClassModel
  ) throws {
    let own = property.shape
    if own.type == .any { return }
    if given.type == own.type, given.target == nil || given.target == own.target || given.target == DynamicObject.self {
      return
    }
    let type = given.target?.className() ?? given.type.name
    var error = Coercion.invalid(collection, "collection of '\(type)'", property, model)
    error.expected = InputWords.expected(own)
    error.found = "a collection of '\(type)'"
    error.message += " The type of its elements '\(type)' does not match expected type '\(Coercion.typeName(own))'."
    throw error
  }

  /// The entries of a dictionary or map, each key once; nil when there are more than `maximum`.
  static func entries(
    _ input: Any, _ property: ClassModel.Property, of model: ClassModel, maximum: Int = .max
  ) throws -> [(key: String, value: Any)]? {
    guard let input = Unwrapping.value(input) else { return [] }
    let entries: [(key: String, value: Any)]
    switch input {
    case let map as any AnyMap:
      if let given = map.valueShape { try checkElements(map, given, property, model) }
      entries = map.anyEntries
    case let object as JSONObject:
      if object.values.count > maximum { return nil }
      entries = object.entries
    case let dictionary as [String: Any]:
      if dictionary.count > maximum { return nil }
      entries = dictionary.map { ($0.key, $0.value) }
    case let dictionary as [AnyHashable: Any]:
      if dictionary.count > maximum { return nil }
      entries = try dictionary.map { key, value in
        guard let key = key.base as? String else {
          throw Coercion.invalid(key.base, "\(Swift.type(of: key.base))", property, model)
        }
        return (key, value)
      }
    default:
      var error = Coercion.invalid(input, ShownValue.typeName(input), property, model)
      error.expected = InputWords.expected(property.shape)
      throw error
    }
    return entries.count > maximum ? nil : entries
  }

  private static func elements<S: Sequence>(of sequence: S, _ maximum: Int) -> [Any]? {
    var elements: [Any] = []
    elements.reserveCapacity(min(sequence.underestimatedCount, maximum))
    for element in sequence {
      if elements.count == maximum { return nil }
      elements.append(element)
    }
    return elements
  }
}
