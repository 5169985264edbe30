internal import FirnDurability
internal import FirnEngine
internal import FirnReactive

extension Frozen {
  /// Names the version of results.
  func resumeToken<Element>() async -> ResumeToken where Wrapped == Results<Element> {
    await wrapped.core.instance.resumeTokenInTurn()
  }

  /// The rows that came or were written, and those that left, as objects and keys of these results' version.
  func delta<Element: Object>(
    _ present: Set<RowKey>, _ left: [RowKey: Value], _ causes: [Realm.Cause]
  ) -> KeyedDelta<Element> where Wrapped == Results<Element> {
    let core = wrapped.core
    let version = core.instance.heldVersion()
    let table = core.table.table
    // A row may have the key of another one that left.
    var keys: Set<Value> = []
    if !left.isEmpty, let primaryKey = core.viewQuery.primaryKey(version.graph.layout) {
      version.withContents { contents in
        for row in present { keys.insert(contents.value(primaryKey, of: row, in: table)) }
      }
    }
    let reading = HistoryReading(version)
    var removed: [RealmStore.HistoryValue] = []
    for (_, key) in left.sorted(by: { $0.key < $1.key }) where keys.insert(key).inserted {
      removed.append(reading.value(key, nil, table))
    }
    let upserted = present.sorted().compactMap { row in
      wrapped.element { row }.map { Frozen<Element>(alreadyFrozen: $0) }
    }
    return KeyedDelta(content: self, upserted: upserted, removedKeys: removed, causes: causes)
  }

  /// What happened to results since a token; nil when that is not known.
  ///
  /// - Throws: When the history cannot be read.
  func delta<Element: Object>(
    after token: ResumeToken, _ names: [[String]]?
  ) async throws -> KeyedDelta<Element>? where Wrapped == Results<Element> {
    let (store, table) = (wrapped.core.instance.store, wrapped.core.table.table)
    let version = wrapped.core.instance.heldVersion()
    let layout = version.graph.layout
    let query = wrapped.core.viewQuery
    guard let primaryKey = query.primaryKey(layout), let position = token.position,
      await store.historyPositionInTurn(of: position.version) == position,
      let touched = try await store.touchedRows(after: position.version, through: version), !touched.changesSchema
    else { return nil }
    let filter =
      names.map { KeyPathFilter($0, table.index, store) }
      ?? KeyPathFilter(everythingIn: table.index, layout, followsLinks: true)
    let rows = version.withContents {
      Step.keyedRows(of: query, touchedBy: touched.changes, counting: filter, in: $0)
    }
    guard let rows else { return nil }
    var left: [RowKey: Value] = [:]
    version.withContents { contents in
      for row in rows.others { left[row] = contents.value(primaryKey, of: row, in: table) }
    }
    let deletedKeys = touched.deletedPrimaryKeys[table] ?? [:]
    for row in touched.changes.tables[table.index].deleted {
      guard let key = deletedKeys[row] else { return nil }
      left[row] = key
    }
    return delta(rows.present, left, touched.causes)
  }
}

extension Results where Element: Object {
  /// Exact changes of the results by primary key, as an asynchronous sequence that goes on where a subscriber stopped;
  /// see ``ResumableChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says. May be called where the results may be read. Traps
  /// inside of a write transaction, and, when the first element is asked for, for key paths that name no property.
  ///
  /// - Parameters:
  ///   - token: What the last element had that the subscriber has applied; nil for a new subscriber.
  ///   - keyPaths: Names of properties of the objects, or paths such as `owner.name`: only these count as
  ///     modifications. Nil or empty for all. The same as before the token was given.
  public func resumableChanges(
    after token: ResumeToken? = nil, keyPaths: [String]? = nil
  ) -> ResumableChangeStream<Element> {
    core.instance.checkCanStream("\(Self.self)")
    let names = StoreSchema.components(keyPaths)
    let identity = StreamIdentity.of(self, names)
    return ResumableChangeStream(
      core.instance.store, after: token, names, identity: { _ in identity },
      results: { Results(core: core.moved(to: $0)) })
  }
}

extension RealmStore {
  /// Exact changes of what a block asks for, by primary key, as an asynchronous sequence that goes on where a
  /// subscriber stopped; see ``ResumableChangeStream``.
  ///
  ///     let late = store.resumableChanges(after: token) { realm in
  ///       realm.objects(Flight.self).where { $0.delay > 30 }
  ///     }
  ///
  /// The sequence keeps no version, however long it exists. The block is called for each subscription, on a queue of
  /// the store's own, with a realm that belongs to that: only to ask for results, not to observe or write.
  ///
  /// - Parameters:
  ///   - token: What the last element had that the subscriber has applied; nil for a new subscriber. It has to come
  ///     from results of the same condition.
  ///   - keyPaths: Names of properties of the objects, or paths such as `owner.name`: only these count as
  ///     modifications. Nil or empty for all.
  public func resumableChanges<Element: Object>(
    after token: ResumeToken? = nil, keyPaths: [String]? = nil,
    of results: @escaping @Sendable (Realm) -> Results<Element>
  ) -> ResumableChangeStream<Element> {
    let names = StoreSchema.components(keyPaths)
    return ResumableChangeStream(
      store, after: token, names, identity: { StreamIdentity.of(results(Realm($0)), names) },
      results: { results(Realm($0)) })
  }
}

extension ResumableChangeStream {
  /// - Parameter results: Makes the results in the realm of the store's streams.
  fileprivate init(
    _ store: Store, after token: ResumeToken?, _ names: [[String]]?,
    identity: @escaping (RealmInstance) -> AnyHashable?, results: @escaping (RealmInstance) -> Results<Model>
  ) {
    let names = names?.isEmpty == true ? nil : names
    let source = StreamSource<Frozen<Results<Model>>, KeyedChange>(
      store, "\(Results<Model>.self)", identity: identity, observe: { results($0).observeKeyed(in: $0, names, $1) },
      delta: { $0 })
    self.init(changes: ChangeStream(source: source, delivery: .merged), token: token, names: names)
  }
}

extension Results where Element: Object {
  /// Observes by row and key, where the results can be told so.
  fileprivate func observeKeyed(
    in realm: RealmInstance, _ names: [[String]]?,
    _ tell: @escaping (KeyedChange?, @escaping () -> Frozen<Results>?) -> Void
  ) -> Observer? {
    let content = { frozenUnlessGone() }
    let query = core.viewQuery
    guard let primaryKey = query.primaryKey(realm.store.graph.layout) else {
      return _observed.register(in: realm, names) { change in
        if case .initial = change { tell(nil, content) } else { tell(KeyedChange(isUnknown: true), content) }
      }
    }
    let filter = KeyPathFilter.make(names, core.tableIndex, realm, followsLinks: true)
    let observer = ViewBlockObserver<KeyedView>(filter) { observers, version in
      let view = version.withContents { observers.stage.addView(query, in: $0) }
      return (KeyedView(view, primaryKey: primaryKey), view)
    } _: { change in
      tell(change, content)
    }
    realm.observers().addNewcomer(observer)
    return observer
  }
}
