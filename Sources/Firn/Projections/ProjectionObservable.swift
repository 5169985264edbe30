internal import FirnEngine

/// What every ``Projection`` is, for generic code. Not to be conformed to directly.
public protocol ProjectionObservable: AnyObject, ThreadConfined, _FrozenAfterWriting {
  /// The class of the objects that are projected.
  associatedtype Root: ObjectBase
  /// The object that is projected.
  var rootObject: Root { get }
  /// Projects an object.
  init(projecting object: Root)
}

extension ProjectionObservable {
  /// The realm of the object; nil for an unmanaged and for a deleted one.
  public var realm: Realm? { rootObject.realm }

  /// Whether the object was managed and is gone.
  public var isInvalidated: Bool { rootObject.isInvalidated }

  /// Whether the object is frozen, so that the projection never changes.
  public var isFrozen: Bool { rootObject.isFrozen }

  /// A projection of the frozen object, for any thread; see ``ThreadConfined/freeze()``. A frozen one is returned as it is.
  public func freeze() -> Self { isFrozen ? self : Self(projecting: rootObject.freeze()) }

  /// A projection of the live object for the current thread; nil when it is gone. A live one is returned as it is.
  public func thaw() -> Self? {
    guard let live = rootObject.thaw() else { return nil }
    return live === rootObject ? self : Self(projecting: live)
  }

  public func _frozenAfterWriting() -> Self { Self(projecting: rootObject._frozenAfterWriting()) }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// That of the object: the same for all projections of a row.
  public var id: UInt64 { rootObject._rowIdentifier }
}

extension ProjectionObservable {
  /// A projection of an object of the root class.
  static func projecting(_ object: ObjectBase) -> Self {
    guard let root = object as? Root else {
      fatalError("An object of class '\(type(of: object))' cannot be projected as '\(Self.self)'.")
    }
    return Self(projecting: root)
  }
}
