#if Publishers
public import Firn

extension LiveValue {
  /// Sends the value, at first as it is, then whenever it is another one. Values can be sent on with `receive(on:)`.
  ///
  /// Traps for a frozen one when it is subscribed to.
  public var valuePublisher: RealmPublishers.Live<Value> { RealmPublishers.Live(_observed) }
}

extension LiveGroups {
  /// Sends the groups, at first and after each change. Traps for frozen ones when it is subscribed to.
  public var collectionPublisher: RealmPublishers.Live<LiveGroups> { RealmPublishers.Live(_observedGroups) }

  /// Sends the exact changes of the groups, at first `.initial`. Traps for frozen ones when it is subscribed to.
  public var changesetPublisher: RealmPublishers.Live<RealmCollectionChange<LiveGroups>> {
    RealmPublishers.Live(_observed)
  }
}

#endif
