public import Dispatch
internal import FirnEngine
internal import FirnReactive

extension Map {
  /// Calls a block with the keys that came, went or changed.
  ///
  /// Maps report operations: a key that was removed and added again is deleted and inserted, giving a key a value is a
  /// modification even when the value is equal, replacing the whole content deletes and inserts everything. The key of an
  /// object counts as modified when the object was deleted, when a property of it was written, or one of an object that
  /// its links lead to in at most three steps. When the object that holds the map is deleted, a last call deletes all keys.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change.
  ///
  /// The block is called where the realm is confined: by the run loop of its thread, on its queue, or on its actor.
  ///
  /// - Parameter keyPaths: Names of properties of the objects in the map, or paths such as `owner.name`: only these count
  ///   as modifications of objects. Nil or empty for all. A name that does not exist traps, and so do key paths of a map
  ///   of values.
  /// - Returns: A token to be kept as long as changes are wanted.
  ///
  /// Traps for unmanaged, frozen and read-only maps, and after changes in a write transaction.
  public func observe(
    keyPaths: [String]? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self), StoreSchema.components(keyPaths), on: nil, block)
  }

  /// Calls a block on a queue with the keys that came, went or changed, and the map of the queue's realm; see
  /// `observe(keyPaths:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties of the objects in the map whose changes count; nil or empty for all.
  ///   - queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self), StoreSchema.components(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with the keys that came, went or changed, and the map of the actor's realm.
  ///
  /// Returns when the observer is registered. Changes count from its first call, `.initial`, on.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: actor, _isolation,
      block)
  }

  /// The same with typed key paths.
  public func observe<A: Actor, Target: Object>(
    keyPaths: [PartialKeyPath<Target>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == Target? {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: Target.self),
      on: actor, _isolation, block)
  }

  public var _observed: _Observed<RealmMapChange<Map>> {
    _Observed(instance: observableInstance()) { [self] realm, names, block in
      guard let observed = observed(in: realm, names) else { return nil }
      let map = realm === _instance ? self : _inRealm(realm)
      return ViewBlockObserver(observed.filter, MapView(observed.place)) { block(Self.change($0, map._renewed())) }
    }
  }

  private static func change(_ changes: MapKeyChanges?, _ map: Map) -> RealmMapChange<Map> {
    func keys(_ names: [String]) -> [Key] { names.map { Key(_mapKey: $0) } }
    guard let changes else { return .initial(map) }
    return .update(
      map, deletions: keys(changes.deletions), insertions: keys(changes.insertions),
      modifications: keys(changes.modifications))
  }
}
