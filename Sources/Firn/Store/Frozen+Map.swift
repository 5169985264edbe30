extension Frozen where Wrapped: RealmKeyedCollection {
  /// Freezes a map: in the version that its realm shows to the calling thread.
  ///
  /// - Throws: ``Realm/Error`` `.fail` for an unmanaged map.
  /// - Complexity: O(1).
  public init(_ map: Wrapped) throws {
    try Self.checkIsManaged(map)
    self.init(alreadyFrozen: map.freeze())
  }

  /// The number of entries.
  public var count: Int { wrapped.count }

  /// Whether there is no entry.
  public var isEmpty: Bool { wrapped.count == 0 }

  /// A live map for the current thread or task; nil when its object is gone.
  public func thaw() -> Wrapped? { wrapped.thaw() }

  /// The value of a key; nil when there is none.
  public subscript(key: Wrapped.Key) -> Wrapped.Value? where Wrapped.Value: Sendable { wrapped[key] }

  /// The object of a key; nil when there is none, or the object was deleted.
  public subscript<Target: ObjectBase & _RealmCollectionValueInsideOptional>(
    key: Wrapped.Key
  ) -> Frozen<Target>? where Wrapped.Value == Target? {
    (wrapped[key] ?? nil).map { Frozen<Target>(alreadyFrozen: $0) }
  }
}

extension Frozen where Wrapped: RealmKeyedCollection, Wrapped.Key: Sendable {
  /// The keys, ascending by their bytes.
  public var keys: [Wrapped.Key] { wrapped.keys }
}

extension Frozen {
  /// A map of objects or values.
  @inlinable
  public subscript<Entries: RealmKeyedCollection>(dynamicMember keyPath: KeyPath<Wrapped, Entries>) -> Frozen<Entries> {
    Frozen<Entries>(alreadyFrozen: wrapped[keyPath: keyPath])
  }
}
