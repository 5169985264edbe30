internal import FirnEngine
internal import FirnReactive

extension RealmKeyedCollection where Key: Sendable {
  /// Changes of the map, as an asynchronous sequence: `changes(_:keyPaths:)` with ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<Self>, MapDelta<Key>> { changes(.merged) }

  /// Changes of the map, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says. When the object that holds the map is deleted, the last
  /// element is ``StreamedChange/deleted(causes:)``. Traps for an unmanaged map and inside a write transaction.
  ///
  /// - Parameters:
  ///   - delivery: How changes wait that have not been taken.
  ///   - keyPaths: Names of properties of the objects in the map whose changes count; nil or empty for all.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<Self>, MapDelta<Key>> {
    let names = StoreSchema.components(keyPaths)
    let observed = _observed
    let name = "\(Self.self)"
    observed.instance.checkCanStream(name)
    let identity = StreamIdentity.of(self, names)
    let source = StreamSource<Frozen<Self>, MapDelta<Key>>(
      observed.instance.store, name, identity: { _ in identity }, observe: { observed.stream(in: $0, names, $1) },
      delta: MapDelta.init)
    return ChangeStream(source: source, delivery: delivery)
  }
}

extension _Observed {
  /// Observes a map for a stream.
  fileprivate func stream<Keyed: RealmKeyedCollection>(
    in realm: RealmInstance, _ names: [[String]]?,
    _ tell: @escaping (MapKeyChanges?, @escaping () -> Frozen<Keyed>?) -> Void
  ) -> Observer? where Change == RealmMapChange<Keyed> {
    register(in: realm, names) { change in
      switch change {
      case .initial(let map): tell(nil) { map.frozenUnlessGone() }
      case .update(let map, let deletions, let insertions, let modifications):
        let keys = MapKeyChanges(
          deletions: deletions.map(\._mapKey), insertions: insertions.map(\._mapKey),
          modifications: modifications.map(\._mapKey))
        tell(keys) { map.frozenUnlessGone() }
      case .error: break
      }
    }
  }
}

extension MapDelta where Key: _MapKey {
  fileprivate init(_ keys: MapKeyChanges) {
    deletions = keys.deletions.map { Key(_mapKey: $0) }
    insertions = keys.insertions.map { Key(_mapKey: $0) }
    modifications = keys.modifications.map { Key(_mapKey: $0) }
  }
}
