public import Dispatch
internal import FirnEngine
internal import FirnReactive

extension ObjectBase {
  /// Calls a block when the object is written or deleted.
  ///
  /// Changes come in the order of versions, merged when several commits were not delivered in between. Writing an equal
  /// value counts. There is no first call.
  ///
  /// The block is called where the object's realm is confined: by the run loop of its thread, on its queue, or on its
  /// actor.
  ///
  /// - Parameter keyPaths: Names of properties, or paths such as `owner.name`, whose changes are wanted; nil or empty for
  ///   all properties of the object itself. A name that does not exist traps.
  /// - Returns: A token to be kept as long as changes are wanted.
  ///
  /// Traps for unmanaged, deleted, frozen and read-only objects, and after changes in a write transaction.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    return observe(target, StoreSchema.components(keyPaths), on: nil, block)
  }

  /// Calls a block on a queue when the object is written or deleted, with the object of the queue's realm; see
  /// `observe(keyPaths:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties whose changes are wanted; nil or empty for all.
  ///   - queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    return observe(target, StoreSchema.components(keyPaths), on: queue, block)
  }

  /// The same with typed key paths, which may lead through links, collections and maps: `\.owner?.name`,
  /// `\.members[0].name`, `\.gates[""]??.name`. Which position or key is named makes no difference.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    return observe(target, StoreSchema.components(keyPaths, of: T.self), on: nil, block)
  }

  /// The same on a queue, with typed key paths.
  @preconcurrency
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    return observe(target, StoreSchema.components(keyPaths, of: T.self), on: queue, block)
  }

  private func observe<T: ObjectBase>(
    _ target: ObservationTarget, _ names: [[String]]?, on queue: DispatchQueue?, gate: DeliveryGate? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    let source = observableRow(target)
    return source.instance.observe(target, on: queue, gate: gate) { source.observer($0, $1, names, block) }
  }

  /// Observes for a subscriber, whose gate says when it may be called.
  package func observe<T: ObjectBase>(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ gate: DeliveryGate?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(ObservationTarget(type(of: self)), StoreSchema.components(keyPaths), on: queue, gate: gate, block)
  }

  /// Calls a block on an actor when the object is written or deleted, with the object of the actor's realm.
  ///
  /// Returns when the observer is registered; no change since the call is missed.
  public func observe<A: Actor, T: Object>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    let source = observableRow(target)
    let names = StoreSchema.components(keyPaths)
    return await source.instance.observe(target, on: actor, _isolation) { [weak actor] instance, version in
      source.observer(instance, version, names) { (change: ObjectChange<T>) in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// The same with typed key paths.
  public func observe<A: Actor, T: Object>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line, _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    let target = ObservationTarget(type(of: self), file: file, line: line)
    let source = observableRow(target)
    let names = StoreSchema.components(keyPaths, of: T.self)
    return await source.instance.observe(target, on: actor, _isolation) { [weak actor] instance, version in
      source.observer(instance, version, names) { (change: ObjectChange<T>) in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  func observableRow(_ target: ObservationTarget) -> ObservedRow {
    guard let instance = _instance, let table = _table else {
      RealmInstance.trap(
        target.site,
        "Only objects which are managed by a Realm support change notifications (class '\(_modelName)'). Add the object "
          + "first.")
    }
    if !isFrozen, _isGone {
      RealmInstance.trap(
        target.site, "Object has been deleted or invalidated (class '\(_modelName)'), and cannot be observed any more.")
    }
    return ObservedRow(object: self, instance: instance, table: table.number, key: RowKey(_key))
  }
}

/// An object to be observed, in its realm or in another one.
struct ObservedRow {
  let object: ObjectBase
  let instance: RealmInstance
  /// The number of the table's handle.
  let table: Int
  let key: RowKey

  /// Registers an observer with a realm.
  ///
  /// - Parameter known: The version from which on changes count, if the realm is not the object's own.
  func observer<T: ObjectBase>(
    _ realm: RealmInstance, _ known: Version?, _ names: [[String]]?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> Observer? {
    func mismatch(_ object: ObjectBase) -> Never {
      fatalError("An object of class '\(object._modelName)' cannot be observed as '\(T.self)'.")
    }
    if !(object is T) { mismatch(object) }
    let filter = KeyPathFilter.make(names, realm.handle(table).layout.index, realm, followsLinks: false)
    return observer(realm, known, filter) { event in
      switch event {
      case .change(let object, let changes):
        guard let observed = object as? T else { mismatch(object) }
        block(.change(observed, changes))
      case .deleted: block(.deleted)
      }
    }
  }

  /// Registers an observer of what a filter lets through.
  func observer(
    _ realm: RealmInstance, _ known: Version?, _ filter: KeyPathFilter, _ body: @escaping (ObjectObserver.Event) -> Void
  ) -> Observer {
    let handle = realm.handle(table)
    let observer = ObjectObserver(
      known.map { handle.accessor(key, orFrom: $0) } ?? object, handle, filter, body)
    realm.observers().add(observer, knowing: known)
    return observer
  }
}

extension TableHandle {
  /// An accessor of a row in the realm's version, or one with the values of an earlier version if it is gone.
  fileprivate func accessor(_ key: RowKey, orFrom version: Version) -> ObjectBase {
    if instance.version.unsafelyUnwrapped.withContents({ $0.contains(key, in: table) }) { return accessor(key) }
    guard let gone = version.withContents({ goneAccessor(key, in: $0) }) else {
      fatalError("An object of class '\(model.name)' was observed in a version that does not have it.")
    }
    return gone
  }
}

/// Calls a block that is isolated to an actor. The caller runs on it.
func call<A: Actor, Change>(
  _ block: @escaping @Sendable (isolated A, Change) -> Void, on actor: A, _ change: Change
) {
  let change = Handover(change)
  actor.assumeIsolated { block($0, change.value) }
}
