internal import FirnEngine

/// A frozen object or collection that may be passed to other threads and tasks.
///
///     let flight = try Frozen(realm.object(ofType: Flight.self, forPrimaryKey: "LH400")!)
///     Task {
///         print(flight.delay ?? 0, flight.from?.city ?? "")  // flight.from is a Frozen<Airport>?
///     }
///
/// Properties are read as those of the wrapped value: scalars as such, links as `Frozen` objects, collections as `Frozen`
/// collections. What a property gives is of the same version. Keeps that version's memory.
@dynamicMemberLookup
public struct Frozen<Wrapped>: @unchecked Sendable {
  /// The frozen value itself. Not Sendable, though reading it is safe on any thread.
  @usableFromInline let wrapped: Wrapped

  @usableFromInline
  init(alreadyFrozen wrapped: Wrapped) { self.wrapped = wrapped }

  /// A property that is not a link or collection, or anything else that is Sendable.
  @inlinable @inline(__always)
  public subscript<Value: Sendable>(dynamicMember keyPath: KeyPath<Wrapped, Value>) -> Value {
    wrapped[keyPath: keyPath]
  }

  /// The object that a link leads to.
  @inlinable
  public subscript<Target: ObjectBase>(dynamicMember keyPath: KeyPath<Wrapped, Target?>) -> Frozen<Target>? {
    wrapped[keyPath: keyPath].map { Frozen<Target>(alreadyFrozen: $0) }
  }

  /// Calls `body` with the frozen value.
  @inlinable
  public func withValue<Result, Failure: Error>(_ body: (Wrapped) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(wrapped)
  }
}

extension Frozen where Wrapped: ObjectBase {
  /// Freezes an object: in the version that its realm shows to the calling thread. A frozen object is taken as it is.
  ///
  /// - Throws: ``Realm/Error`` `.fail` for an object that is unmanaged, deleted, or was added in a write transaction
  ///   that has not been committed.
  /// - Complexity: O(1).
  public init(_ object: Wrapped) throws { wrapped = unsafeDowncast(try object.frozenAccessor(), to: Wrapped.self) }

  /// A live object of the same row for the current thread or task; nil when it does not exist there.
  public func thaw() -> Wrapped? {
    let handle = wrapped._table.unsafelyUnwrapped
    guard let instance = try? handle.instance.store.realmForThawing() else { return nil }
    let key = RowKey(wrapped._key)
    let found: ObjectBase? = withExtendedLifetime(instance) {
      let table = instance.handle(handle.number)
      if !instance.isHomeForReading { return table.accessorAway { $0.contains(key, in: table.table) ? key : nil } }
      return instance.read { $0.contains(key, in: table.table) } ? table.accessor(key) : nil
    }
    return found.map { unsafeDowncast($0, to: Wrapped.self) }
  }
}

extension ObjectBase {
  /// An accessor of the same row in the version that the realm shows to the calling thread.
  final func frozenAccessor() throws(Realm.Error) -> ObjectBase {
    guard let instance = _instance, let table = _table else { throw Realm.Error(.fail, freezingUnmanaged) }
    if instance.isFrozen { return self }
    let frozen = instance.frozen()
    let root = frozen.rootForReading
    guard let location = Directory.locate(VersionRoot.table(root, table.layout.index), _key) else {
      throw Realm.Error(
        .fail,
        isInvalidated
          ? "Object has been deleted or invalidated. (class '\(table.model.name)')"
          : "An object that was added in the same write transaction cannot be frozen. (class '\(table.model.name)') "
            + "Freeze it after the commit, or return it from the block of RealmStore.write, which does that.")
    }
    return withExtendedLifetime(frozen) { frozen.handle(table.number).make(RowKey(_key), at: location, .keyed) }
  }
}

extension Frozen: Equatable where Wrapped: Equatable {
  public static func == (lhs: Frozen, rhs: Frozen) -> Bool { lhs.wrapped == rhs.wrapped }
}

extension Frozen: Hashable where Wrapped: Hashable {
  public func hash(into hasher: inout Hasher) { wrapped.hash(into: &hasher) }
}

// MARK: - Collections

extension Frozen where Wrapped: RealmCollection {
  /// Freezes a collection: in the version that its realm shows to the calling thread.
  ///
  /// - Throws: ``Realm/Error`` `.fail` for an unmanaged collection.
  /// - Complexity: O(1).
  public init(_ collection: Wrapped) throws {
    try Self.checkIsManaged(collection)
    wrapped = collection.freeze()
  }

  /// The number of elements.
  public var count: Int { wrapped.count }

  /// Whether there are no elements.
  public var isEmpty: Bool { wrapped.isEmpty }

  /// A live collection for the current thread or task; nil when what it shows is gone.
  public func thaw() -> Wrapped? { wrapped.thaw() }
}

extension Frozen where Wrapped: RealmCollection, Wrapped.Element: Sendable {
  /// The element at a position. Traps out of bounds.
  public subscript(position: Int) -> Wrapped.Element { wrapped[position] }

  /// The elements, in order.
  public var elements: [Wrapped.Element] { Array(wrapped) }
}

extension Frozen: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Wrapped: RealmCollection, Wrapped.Element: ObjectBase {
  public typealias Index = Int
  public typealias Element = Frozen<Wrapped.Element>

  public var startIndex: Int { 0 }
  public var endIndex: Int { wrapped.count }

  /// The object at a position. Traps out of bounds.
  public subscript(position: Int) -> Frozen<Wrapped.Element> {
    Frozen<Wrapped.Element>(alreadyFrozen: wrapped[position])
  }

  public func makeIterator() -> AnyIterator<Frozen<Wrapped.Element>> {
    var iterator = wrapped.makeIterator()
    return AnyIterator { iterator.next().map { Frozen<Wrapped.Element>(alreadyFrozen: $0) } }
  }
}

extension Frozen {
  /// A collection of objects or values.
  @inlinable
  public subscript<Values: RealmCollection>(dynamicMember keyPath: KeyPath<Wrapped, Values>) -> Frozen<Values> {
    Frozen<Values>(alreadyFrozen: wrapped[keyPath: keyPath])
  }
}

extension Frozen where Wrapped: ThreadConfined {
  /// Throws for a collection that never had a realm.
  static func checkIsManaged(_ collection: Wrapped) throws(Realm.Error) {
    if collection.realm != nil || collection.isInvalidated { return }
    throw Realm.Error(
      .fail,
      "An unmanaged collection of type '\(Wrapped.self)' cannot be frozen. Freeze that of an object which was added to "
        + "a realm.")
  }
}
