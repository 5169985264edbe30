internal import FirnEngine
internal import Foundation

/// Whether a key path gives a persisted property: exactly it, and nothing made of it.
///
/// A key path is a function. It is run with a few values to see whether it gives them back, because `\Dog.shout` may be
/// a computed property that reads `name`.
enum ExactProperty {
  /// The name of the class's own property; nil when the key path is none.
  static func name(of keyPath: AnyKeyPath, on type: ObjectBase.Type) -> String? {
    let traced = StoreSchema.tracedPath(of: keyPath, on: type)
    guard traced.names.count == 1, traced.mapKey == nil, traced.projected.isEmpty, isExact(keyPath, on: type) else {
      return nil
    }
    return traced.names[0]
  }

  /// Whether a key path leads to a persisted property, through links or elements of collections or not.
  ///
  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  static func isExact(
    _ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> Bool {
    known.value(of: keyPath, on: type) { find(keyPath, on: type, subject) }
  }

  private static let known = KeyPathCache<Bool>()

  private static func find(_ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any) -> Bool {
    let path = StoreSchema.tracedPath(of: keyPath, on: type, subject)
    guard path.isWhole, !path.names.isEmpty else { return false }
    let shown = "\(keyPath)"
    // A computed property is one component, whatever it reads.
    if Swift.type(of: keyPath).rootType is ObjectBase.Type {
      let readCount = path.names.count + path.elements.count
      if path.projected.isEmpty ? componentCount(of: shown) != readCount : componentCount(of: shown) <= readCount {
        return false
      }
    }
    if !path.elements.isEmpty || !path.projected.isEmpty { return true }
    let result = Swift.type(of: keyPath).valueType
    var objects = [type.init()]
    for (index, name) in path.names.enumerated() {
      let owner = objects[index]
      let model = owner._model
      guard let property = model.properties.first(where: { $0.name == name }) else {
        return result is any LinkingObjectsProtocol.Type
      }
      if index == path.names.count - 1 {
        guard isSame(result, property.value) else { return false }
        return samples(of: property, withNil: !shown.contains("!")).allSatisfy { sample in
          guard (try? UnmanagedValues.set(sample, property, on: owner, model)) != nil else { return true }
          let stored = Unwrapping.value(property.read(owner))
          let found = subject(objects[0])[keyPath: keyPath].flatMap { Unwrapping.value($0) }
          guard let stored else { return found == nil }
          return (stored as? AnyHashable).map { found as? AnyHashable == $0 } ?? true
        }
      }
      guard let target = property.shape.target, !property.shape.isCollection else { return false }
      objects.append(target.init())
      owner.setValue(objects[index + 1], forKey: name)
    }
    return false
  }

  /// How many properties and subscripts the description of a key path has: they follow points, but for points in the
  /// names of types.
  private static func componentCount(of description: String) -> Int {
    var (count, depth) = (0, 0)
    for character in description {
      switch character {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      case "." where depth == 0: count += 1
      default: break
      }
    }
    return count
  }

  /// Whether the result of a key path has the type of a property, or is that as an optional, as behind a `?`, or
  /// without that, as in front of a `!`.
  private static func isSame(_ result: Any.Type, _ value: Any.Type) -> Bool {
    func wrapped(_ type: Any.Type) -> Any.Type? { (type as? any OptionalProtocol.Type)?.wrappedType }
    return result == value || wrapped(result) == value || wrapped(value) == result
  }

  /// Values that computed properties are likely to change. None of them is beyond what usual arithmetic takes.
  private static func samples(of property: ClassModel.Property, withNil: Bool) -> [Any] {
    func cases<Enumeration: CaseIterable>(_: Enumeration.Type) -> [Any] { Array(Enumeration.allCases) }
    var value: Any.Type = property.value
    var samples: [Any] = []
    if let optional = value as? any OptionalProtocol.Type {
      value = optional.wrappedType
      if withNil { samples.append(NSNull()) }
    }
    if let value = value as? any PersistableEnum.Type { return samples + cases(value) }
    switch property.shape.type {
    case .string:
      samples += ["", " aZ 1", "b/c.d, e-f_g:h\ni ", String(repeating: "Long ", count: 400), "0012", "é\u{301}ß"]
    case .int: samples += [0, -7, 100, 1, -1] + (property.shape.bitWidth > 16 ? [1_000_000_007, -1_000_000_007] : [])
    case .double, .float: samples += [0.0, -1.5, 1000.25, 1e12]
    case .decimal128: samples += [Decimal128(0), Decimal128(-1), Decimal128("1000.25")]
    case .bool: samples += [true, false]
    case .date: samples += [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1_000_000)]
    case .data: samples += [Data(), Data([1, 2]), Data([255])]
    case .UUID: samples += [UUID(), UUID()]
    case .objectId: samples += [ObjectId.generate(), ObjectId.generate()]
    case .any: samples += [AnyRealmValue.none, .string(" aZ 1"), .int(-7)]
    case .object, .linkingObjects: break
    }
    return samples
  }

  /// - Parameter action: A verb with its object, for the message: "sort", "make distinct".
  static func trapForComputed(_ path: StoreSchema.TracedPath, on type: ObjectBase.Type, to action: String) -> Never {
    let reads = path.reads.map { "'\($0.names.joined(separator: "."))'" }.joined(separator: ", ")
    fatalError(
      "Cannot \(action) on a key path of '\(type.className())' that is computed: it reads \(reads). Use a persisted "
        + "property.")
  }
}
