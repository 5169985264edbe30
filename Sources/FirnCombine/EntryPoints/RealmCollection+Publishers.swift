#if Publishers
public import Firn

extension RealmCollection where Self: RealmSubscribable {
  /// Tells that the collection changed, after the commit was delivered. The first value comes without a change.
  public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

  /// Sends the collection at first, and after each change. Traps for an unmanaged one.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self, nil) }

  /// The same for some properties of the elements; see `observe(keyPaths:_:)`.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
    RealmPublishers.Value(self, keyPaths)
  }

  /// Sends the collection at first, and after each change.
  @available(*, deprecated, renamed: "collectionPublisher")
  public var publisher: RealmPublishers.Value<Self> { collectionPublisher }
}

extension RealmCollection {
  /// Sends the exact changes of the collection, at first `.initial`. Traps for an unmanaged one.
  public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { RealmPublishers.CollectionChangeset(self) }

  /// The same for some properties of the elements; see `observe(keyPaths:_:)`.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
    RealmPublishers.CollectionChangeset(self, keyPaths)
  }
}

extension List: ObservableObject {
  public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<List>
}

extension MutableSet: ObservableObject {
  public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<MutableSet>
}

#endif
