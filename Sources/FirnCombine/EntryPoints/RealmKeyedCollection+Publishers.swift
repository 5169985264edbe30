#if Publishers
public import Firn

extension RealmKeyedCollection where Self: RealmSubscribable {
  /// Tells that the map changed, after the commit was delivered. The first value comes without a change.
  public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

  /// Sends the map at first, and after each change. Traps for an unmanaged one.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self, nil) }

  /// The same for some properties of the values; see `observe(keyPaths:_:)`.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
    RealmPublishers.Value(self, keyPaths)
  }

  /// Sends the map at first, and after each change.
  @available(*, deprecated, renamed: "collectionPublisher")
  public var publisher: RealmPublishers.Value<Self> { collectionPublisher }
}

extension RealmKeyedCollection {
  /// Sends the exact changes of the map, at first `.initial`. Traps for an unmanaged one.
  public var changesetPublisher: RealmPublishers.MapChangeset<Self> { RealmPublishers.MapChangeset(self) }

  /// The same for some properties of the values; see `observe(keyPaths:_:)`.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
    RealmPublishers.MapChangeset(self, keyPaths)
  }
}

extension Map: ObservableObject {
  public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<Map>
}

#endif
