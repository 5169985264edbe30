public import Dispatch
internal import FirnEngine
internal import FirnReactive

/// The objects of a collection by one or several of their properties: which values there are, how many objects have each, and
/// what they come to.
///
///     let byStatus = flights.grouped(by: \.status) { ($0.average(of: \.delay), $0.max(of: \.delay)) }
///     for group in byStatus {
///         print(group.key, group.count, group.values.0 ?? 0)
///     }
///
/// Made by `grouped(by:)` and `grouped(by:with:)`. The groups come in the order of their keys, as sorting has it: nil first, then
/// NaN; enumerations by their raw values. Several properties are compared one after the other. A null link on the way to
/// a property reads as nil. Numbers that are equal make one group, and so does NaN.
///
/// Lazy and live like ``Results``: the first use evaluates, at the cost of a pass over the columns concerned, and that is kept
/// until the realm's version changes. Inside a write transaction the groups show what was written. While they are
/// observed they are maintained. An iteration goes over the groups that there were when it began.
///
/// May be read from any thread, away from the realm's own more slowly. Frozen groups never change. Of a list, set or backlinks
/// whose object was deleted there are none.
///
/// - Complexity: Subscripts O(log g) for g groups.
public struct LiveGroups<Key, Values>: RandomAccessCollection {
  public typealias Element = LiveGroup<Key, Values>

  let core: GroupsCore
  let coding: GroupCoding<Key, Values>

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// The number of groups.
  public var count: Int { core.read { $0.count } }

  /// The group at a position. Traps out of bounds.
  public subscript(position: Int) -> LiveGroup<Key, Values> {
    core.read { groups in
      if position < 0 || position >= groups.count { PositionFailure.index(position, groups.count, "\(Self.self)") }
      let (key, result) = groups.group(at: position)
      return coding.group(core.rows, key, result)
    }
  }

  /// The group of a key; nil when no object has it.
  public func group(for key: Key) -> LiveGroup<Key, Values>? {
    core.read { groups in
      groups.position(of: coding.stored(key)).map { position in
        let (key, result) = groups.group(at: position)
        return coding.group(core.rows, key, result)
      }
    }
  }

  /// The position of the group of a key; nil when no object has it.
  public func index(for key: Key) -> Int? { core.read { $0.position(of: coding.stored(key)) } }

  public func makeIterator() -> IndexingIterator<[LiveGroup<Key, Values>]> {
    var all: [LiveGroup<Key, Values>] = []
    core.read { groups in
      all.reserveCapacity(groups.count)
      groups.forEachGroup { all.append(coding.group(core.rows, $0, $1)) }
    }
    return all.makeIterator()
  }

  /// The realm; nil when what the collection belongs to was deleted.
  public var realm: Realm? { core.realm }

  /// Whether the groups never change.
  public var isFrozen: Bool { core.rows.instance.isFrozen }

  /// Whether what the collection belongs to was deleted.
  public var isInvalidated: Bool { core.rows.isInvalidated }

  /// The groups in the version that they show now, for use on any thread. O(1).
  public func freeze() -> LiveGroups {
    isFrozen ? self : LiveGroups(core: core.moved(to: core.rows.instance.frozen()), coding: coding)
  }

  /// The same groups, live, for the current thread; nil when what the collection belongs to is gone.
  public func thaw() -> LiveGroups? {
    guard isFrozen else { return self }
    let live = LiveGroups(core: core.moved(to: Realm(core.rows.instance).thaw().instance), coding: coding)
    return live.isInvalidated ? nil : live
  }
}

/// Objects that are equal in some properties.
public struct LiveGroup<Key, Values> {
  /// What the objects have in common: the property, or a tuple of several.
  public let key: Key
  /// The number of objects; at least 1.
  public let count: Int
  /// What else was asked: one value, or a tuple of several.
  public let values: Values
}

extension LiveGroup: Sendable where Key: Sendable, Values: Sendable {}

/// Keys and results in their types.
struct GroupCoding<Key, Values> {
  let key: (ResultsCore, [FirnEngine.Value]) -> Key
  let stored: (Key) -> [FirnEngine.Value]
  let values: (ResultsCore, GroupResult) -> Values

  func group(_ rows: ResultsCore, _ key: [FirnEngine.Value], _ result: GroupResult) -> LiveGroup<Key, Values> {
    LiveGroup(key: self.key(rows, key), count: result.count, values: values(rows, result))
  }
}

extension LiveGroups {
  /// What observers and publishers need.
  package var _observed: _Observed<RealmCollectionChange<LiveGroups>> {
    core.observed { [coding] core, change in
      let groups = LiveGroups(core: core, coding: coding)
      guard let positions = change?.positions else { return .initial(groups) }
      return .update(
        groups, deletions: positions.deletions, insertions: positions.insertions,
        modifications: positions.modifications)
    }
  }

  /// The same for those who want the groups alone.
  package var _observedGroups: _Observed<LiveGroups> {
    core.observed { [coding] core, _ in LiveGroups(core: core, coding: coding) }
  }

  /// Calls a block with exact changes of the groups.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Then deletions
  /// are positions of groups that lost their last object, insertions positions of new groups, modifications positions before
  /// the change of groups whose number of objects or values are others than before. Groups never move. Commits that were not
  /// delivered one by one arrive as one change, which leaves out what is as it was; nothing is called when all of it is.
  ///
  /// The block is called where the realm is confined. Traps for frozen groups, for read-only realms, and after changes in a
  /// write transaction.
  ///
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: O(log n) for each object of the collection that a commit touched in what is read. Others cost nothing.
  public func observe(
    file: StaticString = #fileID, line: UInt = #line, _ block: @escaping (RealmCollectionChange<LiveGroups>) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self, file: file, line: line), nil, on: nil, block)
  }

  /// Calls a block on a queue with exact changes of the groups, as those of the queue's realm; see `observe(_:)`.
  ///
  /// - Parameter queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe(
    on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<LiveGroups>) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self, file: file, line: line), nil, on: queue, block)
  }

  /// Calls a block on an actor with exact changes of the groups, as those of the actor's realm; see `observe(_:)`. Returns
  /// when the observer is registered.
  public func observe<A: Actor>(
    on actor: A, _isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<LiveGroups>) -> Void
  ) async -> NotificationToken {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), nil, on: actor, _isolation, block)
  }
}
