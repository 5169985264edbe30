#if Publishers
public import Firn

extension Publisher {
  /// Lets values that belong to a thread or queue be handed over to a scheduler with `receive(on:)`, live.
  ///
  /// Unmanaged and frozen values go through as they are.
  public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> where Output: ThreadConfined {
    RealmPublishers.MakeThreadSafe(self)
  }

  /// The same for changes of objects.
  public func threadSafeReference<T: Object>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T>
  where Output == ObjectChange<T> {
    RealmPublishers.MakeThreadSafeObjectChangeset(self)
  }

  /// The same for changes of projections.
  public func threadSafeReference<T: ProjectionObservable>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T>
  where Output == ObjectChange<T> {
    RealmPublishers.MakeThreadSafeObjectChangeset(self)
  }

  /// The same for changes of collections: each arrives with the collection in the version of the change.
  public func threadSafeReference<T: RealmCollection>() -> RealmPublishers.MakeThreadSafeCollectionChangeset<Self, T>
  where Output == RealmCollectionChange<T> {
    RealmPublishers.MakeThreadSafeCollectionChangeset(self)
  }

  /// The same for changes of maps: each arrives with the map in the version of the change.
  public func threadSafeReference<T: RealmKeyedCollection>()
    -> RealmPublishers.MakeThreadSafeKeyedCollectionChangeset<Self, T>
  where Output == RealmMapChange<T> {
    RealmPublishers.MakeThreadSafeKeyedCollectionChangeset(self)
  }

  /// The same for changes of sectioned results and sections: each arrives with them in the version of the change.
  public func threadSafeReference<T: RealmSectionedResult>()
    -> RealmPublishers.MakeThreadSafeSectionedResultsChangeset<Self, T>
  where Output == SectionedResultsChange<T> {
    RealmPublishers.MakeThreadSafeSectionedResultsChangeset(self)
  }
}

#endif
