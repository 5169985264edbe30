internal import FirnEngine
internal import FirnReactive

extension RealmStore {
  /// Every version of the store and how many objects of each class were touched: `changes(_:)` with
  /// ``ChangeDelivery/merged``.
  public var changes: ChangeStream<FrozenRealm, [String: ClassDelta]> { changes(.merged) }

  /// Every version of the store, with how many objects of each class commits added, wrote and deleted, as an asynchronous
  /// sequence; see ``ChangeStream``.
  ///
  /// The content is the version as a whole. Classes that were not touched are left out.
  ///
  /// - Complexity: O(touched objects) for each commit, once for all subscribers.
  public func changes(_ delivery: ChangeDelivery) -> ChangeStream<FrozenRealm, [String: ClassDelta]> {
    store.changes(delivery)
  }
}

extension Realm {
  /// Every version of the store; see ``RealmStore/changes(_:)``. Traps inside a write transaction.
  public var changes: ChangeStream<FrozenRealm, [String: ClassDelta]> { changes(.merged) }

  /// Every version of the store; see ``RealmStore/changes(_:)``. Traps inside a write transaction.
  public func changes(_ delivery: ChangeDelivery) -> ChangeStream<FrozenRealm, [String: ClassDelta]> {
    instance.checkCanStream("the database \(configuration.name)")
    return instance.store.changes(delivery)
  }
}

extension Store {
  fileprivate func changes(_ delivery: ChangeDelivery) -> ChangeStream<FrozenRealm, [String: ClassDelta]> {
    let source = StreamSource<FrozenRealm, [String: ClassDelta]>(
      self, "Realm", identity: { _ in AnyHashable("Realm") },
      observe: { (realm, tell: @escaping (ChangeSet?, @escaping () -> FrozenRealm?) -> Void) in
        var known = realm.heldVersion()
        let follower = realm.store.graph.followChanges(from: known.number)
        let observer = RealmObserver { _, realm in
          let new = realm.instance.heldVersion()
          let changes = follower.takeChanges(from: known, to: new)
          known = new
          tell(changes.changes) { FrozenRealm(Realm(realm.instance)) }
        }
        realm.observers().add(observer)
        tell(nil) { [unowned realm] in FrozenRealm(Realm(realm)) }
        return observer
      }, delta: { [unowned self] in self.counts(of: $0) })
    return ChangeStream(source: source, delivery: delivery)
  }

  private func counts(of changes: ChangeSet) -> [String: ClassDelta] {
    var counts: [String: ClassDelta] = [:]
    for index in changes.tables.touched where !changes.tables[index].isEmpty {
      let table = changes.tables[index]
      counts[model(index).name] = ClassDelta(
        insertionCount: table.inserted.count, modificationCount: table.modified.count,
        deletionCount: table.deleted.count)
    }
    return counts
  }
}
