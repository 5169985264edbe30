internal import FirnEngine
internal import FirnReactive

// Members of a protocol: a model class may have a property of the same name.
extension ThreadConfined where Self: ObjectBase {
  /// Changes of the object, as an asynchronous sequence: `changes(_:keyPaths:)` with ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<Self>, ObjectDelta> { changes(.merged) }

  /// Changes of the object, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says. When the object is deleted, the last element is
  /// ``StreamedChange/deleted(causes:)``. Also for a frozen object, which stands for the live one. Traps for an unmanaged
  /// and for a deleted object, and inside a write transaction.
  ///
  /// - Parameters:
  ///   - delivery: How changes wait that have not been taken.
  ///   - keyPaths: Names of properties, or paths such as `owner.name`, whose changes are wanted; nil or empty for all
  ///     properties of the object itself.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<Self>, ObjectDelta> {
    stream(delivery, StoreSchema.components(keyPaths))
  }

  /// The same with typed key paths.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [PartialKeyPath<Self>]
  ) -> ChangeStream<Frozen<Self>, ObjectDelta> {
    stream(delivery, StoreSchema.components(keyPaths, of: Self.self))
  }

  private func stream(_ delivery: ChangeDelivery, _ names: [[String]]?) -> ChangeStream<Frozen<Self>, ObjectDelta> {
    let row = observableRow(ObservationTarget(Self.self))
    let name = "\(Self.self)"
    row.instance.checkCanStream(name)
    let (table, key) = (row.table, row.key)
    let identity = StreamedRow(table: table, key: key, names: names ?? [])
    let source = StreamSource<Frozen<Self>, ObjectDelta>(
      row.instance.store, name, identity: { _ in AnyHashable(identity) },
      observe: { realm, tell in
        let handle = realm.handle(table)
        guard realm.heldVersion().withContents({ $0.contains(key, in: handle.table) }) else { return nil }
        let filter = KeyPathFilter.make(names, handle.layout.index, realm, followsLinks: false)
        let object = unsafeDowncast(handle.accessor(key), to: Self.self)
        let observer = ObjectObserver(object, handle, filter) { event in
          switch event {
          case .change(let object, let changes):
            tell(PropertiesSpan(names: Set(changes.map(\.name)))) { (object as? Self).flatMap { try? Frozen($0) } }
          case .deleted: tell(PropertiesSpan(names: [], isDeleted: true)) { nil }
          }
        }
        realm.observers().add(observer)
        tell(nil) { try? Frozen(object) }
        return observer
      }, delta: { ObjectDelta(properties: $0.names) })
    return ChangeStream(source: source, delivery: delivery)
  }
}

private struct StreamedRow: Hashable {
  let table: Int
  let key: RowKey
  let names: [[String]]
}

extension ProjectionObservable {
  /// Changes of what the projection shows, as an asynchronous sequence: `changes(_:keyPaths:)` with
  /// ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Frozen<Self>, ObjectDelta> { changes(.merged) }

  /// Changes of what the projection shows, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// What counts as a change is what `observe(keyPaths:_:)` says; the delta names members. When the object is deleted, the
  /// last element is ``StreamedChange/deleted(causes:)``. Traps for an unmanaged and for a deleted object, and inside a write
  /// transaction.
  public func changes(
    _ delivery: ChangeDelivery, keyPaths: [String]? = nil
  ) -> ChangeStream<Frozen<Self>, ObjectDelta> {
    let row = rootObject.observableRow(ObservationTarget(Self.self))
    let name = "\(Self.self)"
    row.instance.checkCanStream(name)
    let observation = ProjectionObservation(self, StoreSchema.components(keyPaths), #fileID, #line)
    let (table, key) = (row.table, row.key)
    let source = StreamSource<Frozen<Self>, ObjectDelta>(
      row.instance.store, name, identity: { _ in nil },
      observe: { realm, tell in
        let handle = realm.handle(table)
        let version = realm.heldVersion()
        guard version.withContents({ $0.contains(key, in: handle.table) }) else { return nil }
        let observer = observation.observer(realm, version) { (change: ObjectChange<Self>) in
          switch change {
          case .change(let projection, let changes):
            tell(PropertiesSpan(names: Set(changes.map(\.name)))) { Frozen(alreadyFrozen: projection.freeze()) }
          case .deleted: tell(PropertiesSpan(names: [], isDeleted: true)) { nil }
          case .error: break
          }
        }
        let projection = Self.projecting(handle.accessor(key))
        tell(nil) { Frozen(alreadyFrozen: projection.freeze()) }
        return observer
      }, delta: { ObjectDelta(properties: $0.names) })
    return ChangeStream(source: source, delivery: delivery)
  }
}
