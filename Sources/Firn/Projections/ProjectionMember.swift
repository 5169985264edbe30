/// A member of a class of projections.
struct ProjectionMember {
  let label: String
  let keyPath: AnyKeyPath
  let path: StoreSchema.TracedPath
  /// Whether the key path leads to a persisted property, and computes nothing.
  let isExact: Bool

  /// The names of the persisted properties that the key path reads, up to the last one.
  var origin: [String] { path.names }

  /// What the key path leads to from an object; nil for nil, and where nothing is there to read.
  func value(of root: ObjectBase) -> Any? {
    isReadable(from: root) ? root[keyPath: keyPath].flatMap(Unwrapping.value) : nil
  }

  /// The same as interpolation shows it.
  func text(of root: ObjectBase) -> String {
    guard isReadable(from: root), let value = root[keyPath: keyPath] else { return "nil" }
    return "\(value)"
  }

  /// Returns false where a path leads through a link that is nil, to a nil that it unwraps, or to an element that a
  /// collection does not have: reading a key path with `!` or a position would trap there. A computed property may rely
  /// on everything that it reads.
  private func isReadable(from root: ObjectBase) -> Bool {
    let mayEndWithNil = !unwraps
    return path.reads.allSatisfy { Self.leads($0, from: root, mayEndWithNil: mayEndWithNil) }
  }

  private static func leads(
    _ read: StoreSchema.TracedPath.Read, from root: ObjectBase, mayEndWithNil: Bool
  ) -> Bool {
    var object = root
    for (index, name) in read.names.enumerated() {
      var next = object.value(forKey: name)
      if let element = read.elements[index] {
        guard let found = next.flatMap({ element.found(in: $0) }) else { return false }
        next = Unwrapping.value(found)
      }
      if index == read.names.count - 1 { return next != nil || mayEndWithNil }
      guard let next else { return false }
      guard let target = next as? ObjectBase else { return true }
      object = target
    }
    return true
  }

  /// Whether the key path has a `!`, as only its text tells.
  private var unwraps: Bool { "\(keyPath)".contains("!") }
}

extension TracedElement {
  /// The element of a collection; nil when it has none like that.
  fileprivate func found(in collection: Any) -> Any? {
    switch self {
    case .key(let key): (collection as? any RealmKeyedCollection)?.value(forKey: key)
    case .first: (collection as? any Collection).flatMap { Self.element(0, of: $0) }
    case .last: (collection as? any Collection).flatMap { Self.element($0.count - 1, of: $0) }
    case .position(let position): (collection as? any Collection).flatMap { Self.element(position, of: $0) }
    }
  }

  private static func element(_ position: Int, of elements: some Collection) -> Any? {
    position < 0 ? nil : elements.dropFirst(position).first
  }
}
