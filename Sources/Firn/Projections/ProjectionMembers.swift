internal import FirnEngine

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
      let path = StoreSchema.tracedPath(of: keyPath, on: P.Root.self)
      if path.names.isEmpty {
        fatalError(
          "@Projected property '\(label)' must be a part of Realm object: its key path reads no persisted property of "
            + "'\(P.Root.className())'. (projection '\(type(of: projection))')")
      }
      return ProjectionMember(
        label: label, keyPath: keyPath, path: path, isExact: ExactProperty.isExact(keyPath, on: P.Root.self))
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
