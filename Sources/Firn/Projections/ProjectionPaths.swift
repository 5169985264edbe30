internal import FirnEngine

// Key paths of projections stand for what they read of the root. They are found as those of objects are, with a projection
// of the object that notes what is read from it.
extension ProjectionObservable {
  private static func traced(_ keyPath: AnyKeyPath) -> StoreSchema.TracedPath {
    StoreSchema.tracedPath(of: keyPath, on: Root.self) { projecting($0) }
  }

  /// The paths that members read, by names. Traps for a key path that reads nothing persisted.
  static func components(_ keyPaths: [PartialKeyPath<Self>]) -> [[String]] {
    keyPaths.flatMap { keyPath in
      let reads = traced(keyPath).reads
      if reads.isEmpty {
        fatalError("Invalid key path \(keyPath): it does not lead to a projected property of '\(Self.self)'.")
      }
      return reads.map(\.names)
    }
  }

  /// Traps for a key path that reads nothing persisted.
  static func checkIsProjected(_ keyPath: PartialKeyPath<Self>, to action: String) {
    if traced(keyPath).names.isEmpty {
      fatalError("Cannot \(action) on a key path of '\(Self.self)' that is not a projected property.")
    }
  }

  /// The property that a member sorts by, as text. Traps for a key path that reads nothing persisted, and for one that
  /// is computed of several properties.
  static func sortPath(_ keyPath: PartialKeyPath<Self>, to action: String) -> String {
    checkIsProjected(keyPath, to: action)
    let path = traced(keyPath)
    path.checkIsSingle(on: Root.self, to: action)
    return path.text
  }

  /// The property that a member is made distinct by, as text. Traps as ``sortPath(_:to:)`` does, and for every key path
  /// that is computed.
  static func distinctPath(_ keyPath: PartialKeyPath<Self>) -> String {
    let path = sortPath(keyPath, to: "make distinct")
    if !ExactProperty.isExact(keyPath, on: Root.self, { projecting($0) }) {
      ExactProperty.trapForComputed(traced(keyPath), on: Root.self, to: "make distinct")
    }
    return path
  }

  /// A member in a condition.
  static func member(_ keyPath: PartialKeyPath<Self>, of node: QueryNode) -> QueryNode {
    node.member(keyPath, of: Root.self) { projecting($0) }
  }
}
