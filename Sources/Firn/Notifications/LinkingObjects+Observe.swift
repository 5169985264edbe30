public import Dispatch
internal import FirnEngine
internal import FirnReactive

extension LinkingObjects {
  /// Calls a block with exact changes of the objects that link here.
  ///
  /// An object that starts to link is an insertion, one that ceases to is a deletion. An object counts as modified when a
  /// property of it was written, or one of an object that its links lead to in at most three steps. When the object that
  /// is linked to is deleted, a last call deletes everything.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change, and nothing is called when nothing changed.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties of the linking class, or paths such as `owner.name`: only these count as
  ///     modifications. Nil or empty for all. A name that does not exist traps.
  ///   - queue: A serial queue to deliver on, with the collection of the queue's realm; nil for where the realm is
  ///     confined.
  /// - Returns: A token to be kept as long as changes are wanted.
  ///
  /// Traps for unmanaged and frozen objects, and after changes in a write transaction.
  ///
  /// - Complexity: a commit costs O(log n) for each object of the linking class that it touched.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<LinkingObjects>) -> Void
  ) -> NotificationToken {
    let names = keyPaths.map { StoreSchema.components($0) }
    return observableInstance().observe(on: queue) { instance, _ in self.observer(instance, names, block) }
  }

  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<LinkingObjects>) -> Void
  ) -> NotificationToken {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    return observableInstance().observe(on: queue) { instance, _ in self.observer(instance, names, block) }
  }

  /// Calls a block on an actor with exact changes of the objects that link here, as those of the actor's realm.
  ///
  /// Returns when the observer is registered. Changes count from its first call, `.initial`, on.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<LinkingObjects>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { StoreSchema.components($0) }
    return await observableInstance().observe(on: actor, _isolation) { [weak actor] instance, _ in
      self.observer(instance, names) { change in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// The same with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<LinkingObjects>) -> Void
  ) async -> NotificationToken {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    return await observableInstance().observe(on: actor, _isolation) { [weak actor] instance, _ in
      self.observer(instance, names) { change in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  private func observableInstance() -> RealmInstance {
    guard let core = source.core else {
      fatalError("Change notifications are only supported on managed collections.")
    }
    return core.instance
  }

  /// Registers an observer with this realm, or with another one of the store, whose collection it gets.
  private func observer(
    _ realm: RealmInstance, _ names: [[String]]?, _ block: @escaping (RealmCollectionChange<LinkingObjects>) -> Void
  ) -> Observer? {
    guard let core = source.core, case .backlinks(let owner, let row, let column) = core.source else { return nil }
    let place = BacklinkPlace(origin: core.table.table, column: column, target: owner.table, row: row)
    guard let snapshot = realm.version?.snapshot, snapshot.contains(row, in: place.target) else { return nil }
    let objects =
      realm === core.instance
      ? self : LinkingObjects(source: LinkingSource(source.originProperty, core: core.moved(to: realm)))
    let filter = KeyPathFilter.make(names, place.origin.index, realm.store, followsLinks: true)
    let observer = BacklinkObserver(place, filter) { event in
      switch event {
      case .initial: block(.initial(objects))
      case .update(let positions):
        block(
          .update(
            objects, deletions: positions.deletions, insertions: positions.insertions,
            modifications: positions.modifications))
      }
    }
    realm.observers().addNewcomer(observer)
    return observer
  }
}
