internal import FirnEngine

/// What can be referred to from other threads.
protocol Referable {
  /// Traps for what is unmanaged or gone.
  func makeReference() -> ReferenceTarget
}

/// What a reference leads to, without anything that belongs to a thread. Can be resolved any number of times.
struct ReferenceTarget {
  let store: Store
  /// The version in which it was made.
  private let version: UInt64
  /// Whether a later version has to be looked at: what the transaction did is not in `version`.
  private let wasMadeInWrite: Bool
  /// Nil when the realm does not have it. Called where the realm may be refreshed.
  private let find: (RealmInstance) -> Any?

  /// - Parameters:
  ///   - instance: The realm that manages it.
  ///   - find: Must not refer to that realm.
  init(_ instance: RealmInstance, _ find: @escaping (RealmInstance) -> Any?) {
    store = instance.store
    version = instance.heldVersion().number
    wasMadeInWrite = instance.isWritingHere
    self.find = find
  }

  private init(_ other: ReferenceTarget, _ find: @escaping (RealmInstance) -> Any?) {
    (store, version, wasMadeInWrite) = (other.store, other.version, other.wasMadeInWrite)
    self.find = find
  }

  /// Traps for what is unmanaged or gone.
  init<Confined: ThreadConfined>(to confined: Confined) {
    if confined.isInvalidated {
      fatalError(
        "Cannot construct reference to invalidated object. ('\(Confined.self)') Ask isInvalidated before, or look it up "
          + "again.")
    }
    guard confined.realm != nil, let referable = confined as? any Referable else {
      fatalError(
        "Cannot construct reference to unmanaged object, which can be passed across threads directly. "
          + "('\(Confined.self)') Add it to a realm before, or pass it on and do not use it any more.")
    }
    self = referable.makeReference()
  }

  /// The same in another form.
  func map(_ transform: @escaping (Any) -> Any?) -> ReferenceTarget {
    ReferenceTarget(self) { [find] realm in find(realm).flatMap(transform) }
  }

  /// Whether it was made in a later version than a realm shows.
  func isLater(than realm: RealmInstance) -> Bool {
    let shown = realm.heldVersion().number
    return shown < version || (wasMadeInWrite && shown == version)
  }

  /// What a realm has of it, which is refreshed where it needs to be.
  ///
  /// - Parameter prefersOwnVersion: Whether a realm of which nothing was read yet shows the version in which the
  ///   reference was made.
  func resolved(in realm: RealmInstance, prefersOwnVersion: Bool = false) -> Any? {
    guard realm.store === store else { return nil }
    if !realm.isFrozen {
      if realm.isReleased { realm.openVersion() }
      if prefersOwnVersion, !wasMadeInWrite, realm.isUntouched, let own = store.graph.hold(version) {
        realm.advance(to: own)
      } else if isLater(than: realm) {
        realm.refresh()
      }
    }
    return find(realm)
  }

  /// What the version has that a realm of the same store shows.
  func found(in realm: RealmInstance) -> Any? { find(realm) }
}

extension ObjectBase: Referable {
  func makeReference() -> ReferenceTarget {
    let (number, key) = (_table.unsafelyUnwrapped.number, RowKey(_key))
    return ReferenceTarget(_instance.unsafelyUnwrapped) { realm in
      let table = realm.handle(number)
      return table.accessor { realm.read { $0.contains(key, in: table.table) } ? key : nil }
    }
  }
}

extension List: Referable {}
extension MutableSet: Referable {}
extension Map: Referable {}

extension _PersistableCollection {
  func makeReference() -> ReferenceTarget {
    let table = _table.unsafelyUnwrapped
    let (number, column, key) = (table.number, _column.index, _key)
    return ReferenceTarget(_instance.unsafelyUnwrapped) { realm in
      let table = realm.handle(number)
      let collection = Self()
      collection._bind(realm, table, key, table.slot(column))
      return collection.isInvalidated ? nil : collection
    }
  }
}

extension Results: Referable {
  func makeReference() -> ReferenceTarget {
    let frozen = core.frozenForReference(Self.self)
    return ReferenceTarget(core.instance) { realm in
      let results = Results(core: frozen.moved(to: realm))
      return results.isInvalidated ? nil : results
    }
  }
}

extension LinkingObjects: Referable {
  func makeReference() -> ReferenceTarget {
    let frozen = LinkingSource(source.originProperty, core: _query.core.frozenForReference(Self.self))
    return ReferenceTarget(_query.core.instance) { realm in
      let objects = LinkingObjects(
        source: LinkingSource(frozen.originProperty, core: frozen.core.unsafelyUnwrapped.moved(to: realm)))
      return objects.isInvalidated ? nil : objects
    }
  }
}

extension ResultsCore {
  /// The query in the version that its realm shows. Traps when what it belongs to is not in it.
  func frozenForReference(_ type: Any.Type) -> ResultsCore {
    let frozen = moved(to: instance.isFrozen ? instance : instance.frozen())
    if frozen.isInvalidated {
      fatalError(
        "Cannot construct reference to '\(type)' over a collection that was created in the same write transaction. Make it "
          + "after the commit.")
    }
    return frozen
  }
}
