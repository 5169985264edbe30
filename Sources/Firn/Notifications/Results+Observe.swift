public import Dispatch
internal import FirnEngine
internal import FirnReactive

extension Results {
  /// Calls a block with exact changes of the results.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change, and nothing is called when nothing changed.
  ///
  /// Without key paths an element counts as modified when a property of it was written, or one of an object that its
  /// links lead to in at most three steps. Writing an equal value counts.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties, or paths such as `owner.name`: only these count as modifications. Nil or empty
  ///     for all. A name that does not exist traps.
  ///   - queue: A serial queue to deliver on, with results of the queue's realm; nil for where the realm is confined.
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: A commit costs what it touched in the class, times the logarithm of the number of results. Queries
  ///   that follow links run again when something they read was written.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Results>) -> Void
  ) -> NotificationToken {
    let names = keyPaths.map { StoreSchema.components($0) }
    let core = core
    return core.instance.observe(on: queue) { instance, _ in core.observer(instance, names, block) }
  }

  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Results>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    let core = core
    return core.instance.observe(on: queue) { instance, _ in core.observer(instance, names, block) }
  }

  /// Calls a block on an actor with exact changes of the results, as results of the actor's realm.
  ///
  /// Returns when the observer is registered. Changes count from its first call, `.initial`, on.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Results>) -> Void
  ) async -> NotificationToken {
    let names = keyPaths.map { StoreSchema.components($0) }
    let core = core
    return await core.instance.observe(on: actor, _isolation) { [weak actor] instance, _ in
      core.observer(instance, names) { (change: RealmCollectionChange<Results>) in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// The same with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Results>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    let names = StoreSchema.components(keyPaths, of: Element.self)
    let core = core
    return await core.instance.observe(on: actor, _isolation) { [weak actor] instance, _ in
      core.observer(instance, names) { (change: RealmCollectionChange<Results>) in
        if let actor { call(block, on: actor, change) }
      }
    }
  }
}

extension ResultsCore {
  /// Registers an observer with this realm, or with another one of the store, whose results it gets.
  func observer<Element: RealmCollectionValue>(
    _ realm: RealmInstance, _ names: [[String]]?, _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> Observer? {
    let core = resolved(in: realm)
    let target = table.layout.index
    let filter = KeyPathFilter.make(names, target, realm.store, followsLinks: true)
    let results = Results<Element>(core: core)
    let body: (CollectionEvent) -> Void = { event in
      switch event {
      case .initial: block(.initial(results))
      case .update(let positions):
        block(
          .update(
            results, deletions: positions.deletions, insertions: positions.insertions,
            modifications: positions.modifications))
      }
    }
    let observer: DataObserver
    switch core.source {
    case .table:
      observer = ViewObserver(ViewQuery(table: table.table, predicate: predicate, sort: sort), filter, body)
    case .list(let owner, let row, let column):
      let place = ListPlace(table: owner.table, row: row, column: column)
      observer = RerunObserver(target, filter, run: core.rows(place.forEachKey), body)
    case .backlinks(let owner, let row, let column):
      let place = BacklinkPlace(origin: table.table, column: column, target: owner.table, row: row)
      observer = RerunObserver(target, filter, run: core.rows { place.postings($0)?.forEach($1) }, body)
    }
    realm.observers().addNewcomer(observer)
    return observer
  }

  /// The rows of a query on those that `forEachRow` calls its argument with, in some version.
  private func rows(_ forEachRow: @escaping (Snapshot, (RowKey) -> Void) -> Void) -> (Snapshot) -> [RowKey] {
    let compiled = CompiledPredicate(predicate, table: table.table, layout: instance.store.graph.layout)
    let showsNulls = showsNulls
    return { snapshot in
      var keys: [UInt64] = []
      forEachRow(snapshot) { key in
        let matches = key.rawValue == Self.nullKey ? showsNulls : compiled.matches(key, in: snapshot)
        if matches { keys.append(key.rawValue) }
      }
      self.sort(&keys, in: snapshot)
      return keys.map { RowKey($0) }
    }
  }

  /// The same query in another realm of the store.
  private func resolved(in realm: RealmInstance) -> ResultsCore {
    if realm === instance { return self }
    return ResultsCore(
      instance: realm, table: realm.handle(table.layout.index), source: source.moved(to: realm), predicate: predicate,
      sort: sort)
  }
}
