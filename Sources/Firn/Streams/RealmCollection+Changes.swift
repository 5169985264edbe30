internal import FirnEngine
internal import FirnReactive

extension RealmCollection {
  /// Exact changes of the collection, as an asynchronous sequence: `changes(_:keyPaths:)` with ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<Self>, CollectionDelta> { changes(.merged) }

  /// Exact changes of the collection, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says. May be called where the collection may be read, also for
  /// a frozen collection, which stands for the live one: the first element is the newest version. When the object to which
  /// the collection belongs is deleted, the last element is ``StreamedChange/deleted(causes:)``.
  ///
  /// Traps for an unmanaged collection, inside a write transaction, and, when the first element is asked for, for key
  /// paths that name no property.
  ///
  /// - Parameters:
  ///   - delivery: How changes wait that have not been taken.
  ///   - keyPaths: Names of properties of the elements, or paths such as `owner.name`: only these count as modifications of
  ///     objects. Nil or empty for all.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<Self>, CollectionDelta> {
    ChangeStream(source: streamSource(StoreSchema.components(keyPaths)), delivery: delivery)
  }

  /// The same with typed key paths.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [PartialKeyPath<Element>]
  ) -> ChangeStream<Frozen<Self>, CollectionDelta> where Element: ObjectBase {
    ChangeStream(source: streamSource(StoreSchema.components(keyPaths, of: Element.self)), delivery: delivery)
  }

  private func streamSource(_ names: [[String]]?) -> StreamSource<Frozen<Self>, CollectionDelta> {
    let observed = _observed
    let name = "\(Self.self)"
    observed.instance.checkCanStream(name)
    let identity = StreamIdentity.of(self, names)
    return StreamSource(
      observed.instance.store, name, identity: { _ in identity }, observe: { observed.stream(in: $0, names, $1) },
      delta: CollectionDelta.init)
  }
}

extension RealmStore {
  /// Exact changes of what a block asks for, as an asynchronous sequence; see ``ChangeStream``.
  ///
  ///     let late = store.changes { realm in
  ///       realm.objects(Flight.self).where { $0.delay > 30 }
  ///     }
  ///
  /// The sequence keeps no version, however long it exists. The block is called for each subscription, on a queue of the
  /// store's own, with a realm that belongs to that: only to ask for a collection, not to observe or write.
  public func changes<Observed: RealmCollection>(
    _ delivery: ChangeDelivery = .merged, keyPaths: [String]? = nil,
    of collection: @escaping @Sendable (Realm) -> Observed
  ) -> ChangeStream<Frozen<Observed>, CollectionDelta> {
    let names = StoreSchema.components(keyPaths)
    let source = StreamSource<Frozen<Observed>, CollectionDelta>(
      store, "\(Observed.self)", identity: { StreamIdentity.of(collection(Realm($0)), names) },
      observe: { collection(Realm($0))._observed.stream(in: $0, names, $1) }, delta: CollectionDelta.init)
    return ChangeStream(source: source, delivery: delivery)
  }
}

extension _Observed {
  /// Observes a collection for a stream.
  fileprivate func stream<Objects: RealmCollection>(
    in realm: RealmInstance, _ names: [[String]]?,
    _ tell: @escaping (CollectionChange?, @escaping () -> Frozen<Objects>?) -> Void
  ) -> Observer? where Change == RealmCollectionChange<Objects> {
    register(in: realm, names) { change in
      switch change {
      case .initial(let objects): tell(nil) { objects.frozenUnlessGone() }
      case .update(let objects, let deletions, let insertions, let modifications):
        tell(CollectionChange(deletions, insertions, modifications, count: objects.count)) {
          objects.frozenUnlessGone()
        }
      case .error: break
      }
    }
  }
}

extension CollectionDelta {
  init(_ change: CollectionChange) {
    let positions = change.positions
    (deletions, insertions, modifications) = (positions.deletions, positions.insertions, positions.modifications)
  }
}

/// What equal collections have in common.
enum StreamIdentity {
  /// Nil for a collection that nothing is known to be equal to.
  static func of(_ collection: Any, _ names: [[String]]?) -> AnyHashable? {
    guard let query = (collection as? any StreamIdentifiable)?.streamIdentity else { return nil }
    return AnyHashable(Identity(observed: query, names: (names ?? []).sorted { $0.lexicographicallyPrecedes($1) }))
  }

  private struct Identity: Hashable {
    let observed: AnyHashable
    let names: [[String]]
  }
}

/// Collections that know others that are equal.
protocol StreamIdentifiable {
  var streamIdentity: AnyHashable? { get }
}

extension Results: StreamIdentifiable {
  var streamIdentity: AnyHashable? { core.isOfValues ? nil : AnyHashable(core.viewQuery) }
}

extension LinkingObjects: StreamIdentifiable {
  var streamIdentity: AnyHashable? { source.core.map { AnyHashable($0.viewQuery) } }
}

extension List: StreamIdentifiable {}
extension MutableSet: StreamIdentifiable {}
extension Map: StreamIdentifiable {}

extension CollectionBase {
  final var streamIdentity: AnyHashable? {
    _table.map { AnyHashable(ListPlace(table: $0.table, row: RowKey(_key), column: _column)) }
  }
}
