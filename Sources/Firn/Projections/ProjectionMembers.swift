internal import FirnEngine

/// A member of a class of projections.
struct ProjectionMember {
  let label: String
  let keyPath: AnyKeyPath
  /// The names of the persisted properties that the key path reads, up to the last one.
  let origin: [String]

  /// What the key path leads to from an object; nil for nil, and where nothing is there to read.
  func value(of root: ObjectBase) -> Any? {
    isReadable(from: root) ? root[keyPath: keyPath].flatMap(Unwrapping.value) : nil
  }

  /// The same as interpolation shows it.
  func text(of root: ObjectBase) -> String {
    guard isReadable(from: root), let value = root[keyPath: keyPath] else { return "nil" }
    return "\(value)"
  }

  /// False where the path leads through a link that is nil, to a nil that it unwraps, or into an empty collection: reading a
  /// key path with `!` or a position would trap there.
  private func isReadable(from root: ObjectBase) -> Bool {
    var object = root
    for name in origin.dropLast() {
      guard let next = object.value(forKey: name) else { return false }
      if let collection = next as? any Collection { return !collection.isEmpty }
      guard let target = next as? ObjectBase else { return true }
      object = target
    }
    return !unwraps || origin.last.flatMap { object.value(forKey: $0) } != nil
  }

  /// Whether the key path has a `!`, as only its text tells.
  private var unwraps: Bool { "\(keyPath)".contains("!") }
}

/// What a class of projections projects: its members in the order of declaration, those of superclasses first.
///
/// Found by reflection with the first instance of the class, and kept.
struct ProjectionMembers {
  let all: [ProjectionMember]

  private static let known = Guarded<[ObjectIdentifier: ProjectionMembers]>([:])

  /// Traps when a member does not project a persisted property.
  static func of<P: ProjectionObservable>(_ projection: P) -> ProjectionMembers {
    let id = ObjectIdentifier(type(of: projection))
    if let members = known.withLock({ $0[id] }) { return members }
    // Outside the lock: tracing key paths runs the user's code.
    let members = ProjectionMembers(projection)
    known.withLock { $0[id] = members }
    return members
  }

  private init<P: ProjectionObservable>(_ projection: P) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(projection).toOpaque())
    all = RuntimeFields.fields(of: type(of: projection)).compactMap { field in
      guard let storage = field.type as? any ProjectedStorage.Type else { return nil }
      let label = String(field.name.drop { $0 == "_" })
      let keyPath = storage.keyPath(at: address + field.offset)
      let origin = StoreSchema.propertyNames(of: keyPath, on: P.Root.self)
      if origin.isEmpty {
        fatalError(
          "@Projected property '\(label)' must be a part of Realm object: its key path reads no persisted property of "
            + "'\(P.Root.className())'. (projection '\(type(of: projection))')")
      }
      return ProjectionMember(label: label, keyPath: keyPath, origin: origin)
    }
    withExtendedLifetime(projection) {}
  }

  func description<P: ProjectionObservable>(of projection: P, _ root: P.Root.Type) -> String {
    if projection.rootObject._isGone { return "[invalid object]" }
    let address = Unmanaged.passUnretained(projection).toOpaque()
    let lines = all.map { member in
      let origin = member.origin.joined(separator: ".")
      return "\t\(member.label)(\\.\(origin)) = \(member.text(of: projection.rootObject));\n"
    }
    return "\(type(of: projection))<\(P.Root.className())> <\(address)> {\n\t" + lines.joined() + "}"
  }
}
