package import Dispatch
internal import FirnEngine
internal import FirnReactive

/// A managed collection as its observers need it: whatever its kind is, it is observed in the same ways.
public struct _Observed<Change> {
  let instance: RealmInstance
  /// Makes an observer of the collection that a realm of the store has; nil when that version does not have it.
  ///
  /// The names are the key paths that count, nil or none for everything.
  let makeObserver: (RealmInstance, _ names: [[String]]?, _ block: @escaping (Change) -> Void) -> DataObserver?

  /// Observes where the realm is confined, or on a queue.
  func observe(
    _ target: ObservationTarget, _ names: [[String]]?, on queue: DispatchQueue?, gate: DeliveryGate? = nil,
    _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    instance.observe(target, on: queue, gate: gate) { realm, _ in register(in: realm, names, block) }
  }

  /// Observes for a subscriber, whose gate says when it may be called.
  package func observe(
    _ type: Any.Type, _ keyPaths: [String]?, on queue: DispatchQueue?, _ gate: DeliveryGate?,
    _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    observe(ObservationTarget(type), StoreSchema.components(keyPaths), on: queue, gate: gate, block)
  }

  /// Observes on an actor. Returns when the observer is registered.
  func observe<A: Actor>(
    _ target: ObservationTarget, _ names: [[String]]?, on actor: A, _ isolation: isolated (any Actor)?,
    _ block: @Sendable @escaping (isolated A, Change) -> Void
  ) async -> NotificationToken {
    await instance.observe(target, on: actor, isolation) { [weak actor] realm, _ in
      register(in: realm, names) { change in
        if let actor { call(block, on: actor, change) }
      }
    }
  }

  /// Makes an observer in a realm and registers it; nil when that has nothing to observe.
  func register(
    in realm: RealmInstance, _ names: [[String]]?, _ block: @escaping (Change) -> Void
  ) -> Observer? {
    guard let observer = makeObserver(realm, names, block) else { return nil }
    realm.observers().addNewcomer(observer)
    return observer
  }
}

extension RealmCollectionChange {
  /// What an observer of a collection is called with; nothing happened before its first call.
  @inline(__always)
  init(_ change: CollectionChange?, _ collection: CollectionType) {
    guard let positions = change?.positions else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: positions.deletions, insertions: positions.insertions,
      modifications: positions.modifications)
  }
}
