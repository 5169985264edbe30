#if Publishers
public import Firn

extension Publisher {
  /// Sends frozen groups, for use on any thread. What was deleted with its object goes through as it is.
  public func freeze<Key, Values>() -> Publishers.Map<Self, LiveGroups<Key, Values>>
  where Output == LiveGroups<Key, Values> {
    map { $0.frozenIfThere }
  }

  /// Sends changes with frozen groups: each shows the version of its change.
  public func freeze<Key, Values>() -> Publishers.Map<Self, RealmCollectionChange<LiveGroups<Key, Values>>>
  where Output == RealmCollectionChange<LiveGroups<Key, Values>> {
    map { change in
      switch change {
      case .initial(let groups): .initial(groups.frozenIfThere)
      case .update(let groups, let deletions, let insertions, let modifications):
        .update(
          groups.frozenIfThere, deletions: deletions, insertions: insertions, modifications: modifications)
      case .error: change
      }
    }
  }
}

extension LiveGroups {
  fileprivate var frozenIfThere: LiveGroups { isInvalidated ? self : freeze() }
}

extension RealmPublishers.Live {
  /// Sends groups on a scheduler, frozen in the version in which they were sent. `thaw()` gives live ones there.
  public func receive<S: Scheduler, Key, Values>(on scheduler: S)
    -> Publishers.ReceiveOn<Publishers.Map<Self, Output>, S>
  where Output == LiveGroups<Key, Values> {
    freeze().receive(on: scheduler, options: nil)
  }

  /// Sends changes on a scheduler, each with the groups frozen in the version of the change. `thaw()` gives live ones there.
  public func receive<S: Scheduler, Key, Values>(on scheduler: S)
    -> Publishers.ReceiveOn<Publishers.Map<Self, Output>, S>
  where Output == RealmCollectionChange<LiveGroups<Key, Values>> {
    freeze().receive(on: scheduler, options: nil)
  }
}

extension RealmPublishers.LiveWithToken {
  /// Sends groups on a scheduler, frozen in the version in which they were sent. `thaw()` gives live ones there.
  public func receive<S: Scheduler, Key, Values>(on scheduler: S)
    -> Publishers.ReceiveOn<
      Publishers.Map<RealmPublishers.LiveWithToken<Output, T>, Output>, S
    > where Output == LiveGroups<Key, Values>
  {
    freeze().receive(on: scheduler, options: nil)
  }

  /// Sends changes on a scheduler, each with the groups frozen in the version of the change. `thaw()` gives live ones there.
  public func receive<S: Scheduler, Key, Values>(on scheduler: S)
    -> Publishers.ReceiveOn<
      Publishers.Map<RealmPublishers.LiveWithToken<Output, T>, Output>, S
    > where Output == RealmCollectionChange<LiveGroups<Key, Values>>
  {
    freeze().receive(on: scheduler, options: nil)
  }
}

#endif
