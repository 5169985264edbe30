internal import FirnEngine

// Key paths of projections stand for what they read of the root. They are found as those of objects are, with a projection
// of the object that notes what is read from it.
extension ProjectionObservable {
  private static func traced(_ keyPath: AnyKeyPath) -> StoreSchema.TracedPath {
    StoreSchema.tracedPath(of: keyPath, on: Root.self) { projecting($0) }
  }

  /// The origin paths of members, by names. Traps for a key path that reads nothing persisted.
  static func components(_ keyPaths: [PartialKeyPath<Self>]) -> [[String]] {
    keyPaths.map { keyPath in
      let names = traced(keyPath).names
      if names.isEmpty {
        fatalError("Invalid key path \(keyPath): it does not lead to a projected property of '\(Self.self)'.")
      }
      return names
    }
  }

  /// What a member sorts by, as text. Traps for a key path that reads nothing persisted.
  static func sortPath(_ keyPath: PartialKeyPath<Self>, to action: String) -> String {
    let path = traced(keyPath)
    if path.names.isEmpty {
      fatalError("Cannot \(action) on a key path of '\(Self.self)' that is not a projected property.")
    }
    return path.text
  }

  /// A member in a condition.
  static func member(_ keyPath: PartialKeyPath<Self>, of node: QueryNode) -> QueryNode {
    node.member(keyPath, of: Root.self) { projecting($0) }
  }
}
