internal import FirnEngine
internal import FirnReactive

extension LiveValue where Value: Sendable {
  /// The value, and then each other one, as an asynchronous sequence: `changes(_:)` with ``ChangeDelivery/merged``.
  public var changes: ChangeStream<Value, Void> { changes(.merged) }

  /// The value, and then each other one, as an asynchronous sequence; see ``ChangeStream``.
  ///
  /// When the object is deleted to which the values belong, the value is what nothing comes to. Traps inside a write
  /// transaction.
  public func changes(_ delivery: ChangeDelivery) -> ChangeStream<Value, Void> {
    let observed = _observed
    let name = "\(Self.self)"
    observed.instance.checkCanStream(name)
    let source = StreamSource<Value, Void>(
      observed.instance.store, name, identity: { _ in nil },
      observe: { (realm, tell: @escaping (ValueSpan?, @escaping () -> Value?) -> Void) in
        var isFirst = true
        return observed.register(in: realm, nil) { value in
          tell(isFirst ? nil : ValueSpan()) { value }
          isFirst = false
        }
      }, delta: { _ in () })
    return ChangeStream(source: source, delivery: delivery)
  }
}

extension LiveGroups where Key: Sendable, Values: Sendable {
  /// Changes of the groups, as an asynchronous sequence: `changes(_:)` with ``ChangeDelivery/merged``.
  public var changes: ChangeStream<[LiveGroup<Key, Values>], CollectionDelta> { changes(.merged) }

  /// Changes of the groups, as an asynchronous sequence; see ``ChangeStream``. The content is all groups, in their order.
  ///
  /// Traps inside a write transaction.
  public func changes(_ delivery: ChangeDelivery) -> ChangeStream<[LiveGroup<Key, Values>], CollectionDelta> {
    let (core, coding, name) = (core, coding, "\(Self.self)")
    core.rows.instance.checkCanStream(name)
    let observed = core.observed { core, change in (groups: LiveGroups(core: core, coding: coding), change: change) }
    let source = StreamSource<[LiveGroup<Key, Values>], CollectionDelta>(
      core.rows.instance.store, name, identity: { _ in nil },
      observe: { (realm, tell: @escaping (GroupChange?, @escaping () -> [LiveGroup<Key, Values>]?) -> Void) in
        observed.register(in: realm, nil) { told in tell(told.change) { Array(told.groups) } }
      },
      delta: {
        let positions = $0.positions
        return CollectionDelta(
          deletions: positions.deletions, insertions: positions.insertions, modifications: positions.modifications)
      })
    return ChangeStream(source: source, delivery: delivery)
  }
}
