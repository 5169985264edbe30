/// A member of a ``Projection``, which shows what a key path leads to from the projected object.
///
///     @Projected(\Track.title) var heading
///     @Projected(\Track.label?.country) var country
///     @Projected(\Track.players.projectTo.nick) var nicks: ProjectedCollection<String>
///
/// The key path may lead through links and embedded objects, and end with a value, an object, or a collection. It has to
/// read a persisted property: else the first projection that is made traps.
///
/// A computed property changes, for observers, when one of the properties does that it reads of a new object; where a
/// link is nil that it reads, the value in a ``PropertyChange`` is nil.
///
/// Writing a member writes the property of the object, which needs a write transaction when it is managed. It traps for a
/// key path that cannot be written, such as one with `?`, or one to a computed property.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  /// Makes the key path: a literal with arguments, as `projectTo` has, is made anew each time, which takes microseconds. So
  /// a projection is made without its key paths.
  @usableFromInline let keyPath: () -> KeyPath<T, Value>

  /// A member that shows what is at a key path of the projected object.
  ///
  /// The key path is evaluated whenever the member is used, and has to be the same each time.
  @inlinable
  public init(_ projectedKeyPath: @autoclosure @escaping () -> KeyPath<T, Value>) { keyPath = projectedKeyPath }

  @available(*, unavailable, message: "@Projected can be used only in classes derived from Projection.")
  public var wrappedValue: Value {
    get { fatalError("@Projected can be used only in classes derived from Projection.") }
    set { fatalError("@Projected can be used only in classes derived from Projection.") }
  }

  @inlinable
  public static subscript<EnclosingSelf: ProjectionObservable>(
    _enclosingInstance projection: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value where EnclosingSelf.Root == T {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath()] }
    set { projection[keyPath: storage].write(newValue, to: projection.rootObject) }
  }

  @usableFromInline
  func write(_ value: Value, to root: T) { root[keyPath: keyPath().writable] = value }
}

extension KeyPath where Root: AnyObject {
  /// The same key path, to be written. Traps when that is not possible.
  var writable: ReferenceWritableKeyPath<Root, Value> {
    guard let path = self as? ReferenceWritableKeyPath<Root, Value> else {
      fatalError(
        "KeyPath is not writable: \(self) of '\(Root.self)' only reads. Write the property of the object itself.")
    }
    return path
  }
}

/// The storage of a member, as reflection finds it.
protocol ProjectedStorage {
  /// The key path of the member whose storage lies at an address.
  static func keyPath(at address: UnsafeRawPointer) -> AnyKeyPath
}

extension Projected: ProjectedStorage {
  static func keyPath(at address: UnsafeRawPointer) -> AnyKeyPath {
    address.assumingMemoryBound(to: Self.self).pointee.keyPath()
  }
}
