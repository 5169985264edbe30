#if Publishers
public import Firn

/// A publisher of an object: sends it after each change, and finishes when it is deleted.
///
/// - Parameter keyPaths: What counts as a change; see `observe(keyPaths:_:)`. Nil or empty for all properties.
///
/// Traps for an object that is unmanaged or deleted.
public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(object, keyPaths)
}

/// A publisher of a collection: sends it at first, and after each change. Traps for an unmanaged one.
public func valuePublisher<T: RealmCollection & RealmSubscribable>(
  _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(collection, keyPaths)
}

/// A publisher of what is written to an object; it finishes when the object is deleted.
///
/// Traps for an object that is unmanaged or deleted.
public func changesetPublisher<T: Object>(
  _ object: T, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> {
  checkIsThere(object)
  return RealmPublishers.ObjectChangeset(keyPaths) { keyPaths, queue, gate, block in
    object.observe(keyPaths, on: queue, gate, block)
  }
}

/// A publisher of the exact changes of a collection. Traps for an unmanaged one.
public func changesetPublisher<T: RealmCollection>(
  _ collection: T, keyPaths: [String]? = nil
) -> RealmPublishers.CollectionChangeset<T> {
  RealmPublishers.CollectionChangeset(collection, keyPaths)
}

/// Traps for what no realm manages and for what is gone.
func checkIsThere<Confined: ThreadConfined>(_ confined: Confined) {
  if confined.isInvalidated {
    fatalError("Object is invalidated or deleted: this '\(Confined.self)' will not change any more.")
  }
  checkIsManaged(confined)
}

#endif
