public import Dispatch
internal import FirnEngine
internal import FirnReactive

/// Observing a ``List`` or ``MutableSet``.
extension _PersistableCollection where Self: RealmCollection {
  /// Calls a block with exact changes of the list or set.
  ///
  /// Lists and sets report operations: an element that was removed and added again is a deletion and an insertion,
  /// assigning an element of a list is a modification, replacing the whole content deletes and inserts everything.
  /// Positions in a set are those of its order. An object in the collection counts as modified when a property of it was
  /// written, or one of an object that its links lead to in at most three steps. When the object that holds the collection
  /// is deleted, a last call deletes all elements.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change; when that has nearly as many pieces as the
  /// collection has elements, it deletes and inserts all of them.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties of the objects in it, or paths such as `owner.name`: only these count as
  ///     modifications of objects. Nil or empty for all. A name that does not exist traps, and so do key paths of a collection
  ///     of values.
  ///   - queue: A serial queue to deliver on, with the collection of the queue's realm; nil for where the realm is confined.
  /// - Returns: A token to be kept as long as changes are wanted.
  ///
  /// Traps for unmanaged and frozen collections, and after changes in a write transaction.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let names = keyPaths.map { StoreSchema.components($0) }
    return observableInstance().observe(on: queue) { instance, _ in self.observer(instance, names, block) }
  }

  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    return observableInstance().observe(on: queue) { instance, _ in self.observer(instance, names, block) }
  }

  /// Calls a block on an actor with exact changes of the list or set, as that of the actor's realm.
  ///
  /// Returns when the observer is registered. Changes count from its first call, `.initial`, on.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
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
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    return await observableInstance().observe(on: actor, _isolation) { [weak actor] instance, _ in
      self.observer(instance, names) { change in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// Registers an observer with this realm, or with another one of the store, whose collection it gets.
  private func observer(
    _ realm: RealmInstance, _ names: [[String]]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> Observer? {
    guard let observed = observed(in: realm, names) else { return nil }
    let collection = realm === _instance ? self : _inRealm(realm)
    let observer = ListObserver(observed.place, observed.filter, target: observed.target) { event in
      switch event {
      case .initial: block(.initial(collection))
      case .update(let positions):
        block(
          .update(
            collection, deletions: positions.deletions, insertions: positions.insertions,
            modifications: positions.modifications))
      }
    }
    realm.observers().addNewcomer(observer)
    return observer
  }
}

extension CollectionBase {
  /// The realm to observe; traps for an unmanaged collection.
  final func observableInstance() -> RealmInstance {
    guard let instance = _instance else {
      fatalError("Change notifications are only supported on managed collections.")
    }
    return instance
  }

  /// What an observer of the collection has to know; nil when the collection does not exist in the realm's version.
  ///
  /// Traps for key paths of a collection of values, and for those that name no property.
  final func observed(
    in realm: RealmInstance, _ names: [[String]]?
  ) -> (place: ListPlace, filter: KeyPathFilter, target: Int?)? {
    guard let table = _table else { return nil }
    let layout = realm.store.graph.layout
    let place = ListPlace(table: table.table, row: RowKey(_key), column: _column)
    let target = place.target(layout)
    if target == nil, names?.isEmpty == false {
      fatalError(
        "Key paths need a collection of objects: '\(table.model.properties[_column.index].name)' holds values.")
    }
    guard let snapshot = realm.version?.snapshot, snapshot.contains(place.row, in: place.table) else { return nil }
    let filter = KeyPathFilter.make(
      names, target ?? place.table.index, realm.store, followsLinks: target != nil)
    return (place, filter, target)
  }
}
