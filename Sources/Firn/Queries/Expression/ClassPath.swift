internal import FirnEngine

/// What a Swift key path says of a class, by names.
struct ClassPath: Sendable {
  let components: [QueryKeyPath.Component]
  /// Which components are collections.
  let collections: [Int]
  /// Whether it is one property of single values that are neither links nor mixed.
  let isPlain: Bool

  /// Traps for a key path that is computed, and for one that reads nothing persisted.
  ///
  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  static func of(
    _ keyPath: AnyKeyPath, on type: ObjectBase.Type, _ subject: (ObjectBase) -> Any = { $0 }
  ) -> ClassPath {
    let key = Key(keyPath: ObjectIdentifier(keyPath), type: ObjectIdentifier(type))
    if let known = known.withLock({ $0[key]?.path }) { return known }
    let traced = StoreSchema.tracedPath(of: keyPath, on: type, subject)
    let path = ClassPath(traced.names + traced.projected, type)
    if !ExactProperty.isExact(keyPath, on: type, subject) {
      ExactProperty.trapForComputed(traced, on: type, to: "query")
    }
    known.withLock { known in
      // Key paths made at run time are new objects each time.
      if known.count >= 4096 { known.removeAll() }
      known[key] = (keyPath, path)
    }
    return path
  }

  private init(_ names: [String], _ type: ObjectBase.Type) {
    if names.isEmpty {
      fatalError("A query on '\(type.className())' uses a property that is not persisted.")
    }
    var collections: [Int] = []
    var shape: _PropertyShape?
    var current: ObjectBase.Type? = type
    for (index, name) in names.enumerated() {
      guard let model = current.map({ ClassModel.of($0) }) else { break }
      if let linking = model.linkingProperties.first(where: { $0.name == name }) {
        collections.append(index)
        shape = nil
        current = linking.origin
        continue
      }
      shape = model.properties.first { $0.name == name }?.shape
      if shape?.isCollection == true { collections.append(index) }
      current = shape?.target
    }
    components = names.map { .property($0) }
    self.collections = collections
    isPlain = names.count == 1 && shape.map { !$0.isCollection && $0.type != .object && $0.type != .any } ?? false
  }

  private struct Key: Hashable {
    let keyPath: ObjectIdentifier
    let type: ObjectIdentifier
  }

  /// By identity: equal key paths are the same object if they are written in the same place. They are kept, so that no
  /// other takes their place.
  private static let known = Guarded<[Key: (keyPath: AnyKeyPath, path: ClassPath)]>([:])
}
