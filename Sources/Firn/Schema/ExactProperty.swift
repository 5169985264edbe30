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
  /// - Parameter subject: What the key path is applied to, when that is not the object itself but made of it.
  static func isExact(
    _ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> Bool {
    let key = Key(keyPath: keyPath, type: ObjectIdentifier(type))
    if let isExact = known.withLock({ $0[key] }) { return isExact }
    // Outside the lock: this runs code of the user.
    let isExact = find(keyPath, on: type, subject)
    known.withLock { known in
      if known.count >= 4096 { known.removeAll() }
      known[key] = isExact
    }
    return isExact
  }

  private struct Key: Hashable {
    let keyPath: AnyKeyPath
    let type: ObjectIdentifier
  }

  private static let known = Guarded<[Key: Bool]>([:])

  private static func find(_ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any) -> Bool {
    let path = StoreSchema.tracedPath(of: keyPath, on: type, subject)
    guard path.isWhole, !path.names.isEmpty else { return false }
    // Elements of collections are found by the key path itself, and `projectTo` is ours.
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
        return samples(of: property).allSatisfy { sample in
          guard (try? UnmanagedValues.set(sample, property, on: owner, model)) != nil,
            let stored = Unwrapping.value(property.read(owner)) as? AnyHashable
          else { return true }
          let found = subject(objects[0])[keyPath: keyPath].flatMap { Unwrapping.value($0) }
          return found as? AnyHashable == stored
        }
      }
      guard let target = property.shape.target, !property.shape.isCollection else { return false }
      objects.append(target.init())
      owner.setValue(objects[index + 1], forKey: name)
    }
    return false
  }

  /// Whether the result of a key path has the type of a property, or is that as an optional, as behind a `?`.
  private static func isSame(_ result: Any.Type, _ value: Any.Type) -> Bool {
    if result == value { return true }
    func isOptional<Value>(_: Value.Type) -> Bool { result == Value?.self }
    return _openExistential(value, do: isOptional)
  }

  private static func samples(of property: ClassModel.Property) -> [Any] {
    func cases<Enumeration: CaseIterable>(_: Enumeration.Type) -> [Any] { Array(Enumeration.allCases) }
    let value = (property.value as? any OptionalProtocol.Type).map { wrapped($0) } ?? property.value
    switch value {
    case let value as any PersistableEnum.Type: return cases(value)
    case is String.Type: return [" aZ 1", "b"]
    case is Int.Type, is Int8.Type, is Int16.Type, is Int32.Type, is Int64.Type: return [-7, 100]
    case is Double.Type, is Float.Type: return [-1.5, 1000]
    case is Decimal128.Type: return [Decimal128(-1), Decimal128(1000)]
    case is Bool.Type: return [true, false]
    case is Date.Type: return [Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1_000_000)]
    case is Data.Type: return [Data([1, 2]), Data([255])]
    case is UUID.Type: return [UUID(), UUID()]
    case is ObjectId.Type: return [ObjectId.generate(), ObjectId.generate()]
    case is AnyRealmValue.Type: return [AnyRealmValue.string(" aZ 1"), AnyRealmValue.int(-7)]
    default: return []
    }
  }

  /// - Parameter action: What the key path is for.
  static func trapForComputed(_ path: StoreSchema.TracedPath, on type: ObjectBase.Type, to action: String) -> Never {
    let reads = path.reads.map { "'\($0.names.joined(separator: "."))'" }.joined(separator: ", ")
    fatalError(
      "Cannot \(action) on a key path of '\(type.className())' that is computed: it reads \(reads). Use a persisted "
        + "property.")
  }

  private static func wrapped<Value: OptionalProtocol>(_: Value.Type) -> Any.Type { Value.Wrapped.self }
}
