#if Publishers
public import Firn

extension Publisher {
  /// Sends frozen copies, for use on any thread. What was deleted with its object goes through as it is.
  ///
  /// Traps for unmanaged values.
  public func freeze<T>() -> Publishers.Map<Self, T> where Output: ThreadConfined, T == Output {
    map { $0.isInvalidated ? $0 : $0.freeze() }
  }

  /// Sends changes with frozen copies of the object. The values before and after are not frozen.
  public func freeze<T: Object>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> {
    map { $0.frozen }
  }

  /// Sends changes with frozen copies of the projection. The values before and after are not frozen.
  public func freeze<T: ProjectionObservable>() -> Publishers.Map<Self, ObjectChange<T>>
  where Output == ObjectChange<T> {
    map { $0.frozen }
  }

  /// Sends changes with frozen copies of the collection: each shows the version of its change.
  public func freeze<T: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<T>>
  where Output == RealmCollectionChange<T> {
    map { $0.frozen }
  }

  /// Sends changes with frozen copies of the map: each shows the version of its change.
  public func freeze<T: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<T>>
  where Output == RealmMapChange<T> {
    map { $0.frozen }
  }

  /// Sends changes with frozen copies of the sections: each shows the version of its change.
  public func freeze<T: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<T>>
  where Output == SectionedResultsChange<T> {
    map { $0.frozen }
  }
}

#endif
