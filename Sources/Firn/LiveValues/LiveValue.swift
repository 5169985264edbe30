public import Dispatch
internal import FirnEngine
internal import FirnReactive

/// What the objects of a collection come to: their number, a sum, an average, a minimum, a maximum, or several of these.
///
///     let late = flights.where { $0.delay > 30 }
///     let worst = late.liveValue { ($0.count, $0.max(of: \.delay)) }
///     let token = worst.observe { count, delay in print(count, delay ?? 0) }
///
/// Made by ``RealmCollection/liveValue(_:)``. Lazy and live like ``Results``: the first use evaluates, at the cost of a pass over
/// the columns concerned, and the result is kept until the realm's version changes. Inside a write transaction it shows
/// what was written. While it is observed it is maintained, and reading it costs O(1).
///
/// May be read from any thread, away from the realm's own more slowly. A frozen one never changes. Of a list, set or
/// backlinks whose object was deleted it shows what nothing comes to.
public struct LiveValue<Value> {
  let core: GroupsCore
  /// Whether the number of objects is asked for.
  let asksCount: Bool
  let make: (ResultsCore, GroupResult) -> Value

  /// What the objects come to now.
  public var value: Value { make(core.rows, core.read { $0.group(at: 0).result }) }

  /// The realm; nil when what the collection belongs to was deleted.
  public var realm: Realm? { core.realm }

  /// Whether it never changes.
  public var isFrozen: Bool { core.rows.instance.isFrozen }

  /// Whether what the collection belongs to was deleted.
  public var isInvalidated: Bool { core.rows.isInvalidated }

  /// The value in the version that it shows now, for use on any thread. O(1).
  public func freeze() -> LiveValue {
    isFrozen ? self : moved(to: core.rows.instance.frozen())
  }

  /// The same, live, for the current thread; nil when what the collection belongs to is gone.
  public func thaw() -> LiveValue? {
    guard isFrozen else { return self }
    let live = moved(to: Realm(core.rows.instance).thaw().instance)
    return live.isInvalidated ? nil : live
  }

  private func moved(to other: RealmInstance) -> LiveValue {
    LiveValue(core: core.moved(to: other), asksCount: asksCount, make: make)
  }

  /// What observers and publishers need.
  package var _observed: _Observed<Value> {
    core.observed { [make, asksCount] core, change in
      // There is one group, before and after.
      if let entry = change?.entries.first, let result = entry.new {
        // Only the number of objects is another one.
        if !asksCount, entry.old?.hasSameValues(as: result) == true { return nil }
        return make(core.rows, result)
      }
      return make(core.rows, core.read { $0.group(at: 0).result })
    }
  }

  // MARK: Observing

  /// Calls a block with the value, at first as it is, then whenever it is another one.
  ///
  /// The first call comes at the next turn of the run loop or queue, or with the next refresh or write. Commits that were not
  /// delivered one by one arrive as one, and nothing is called when the value is the same again. The value of a skipped
  /// commit (`withoutNotifying`) is not delivered by itself.
  ///
  /// The block is called where the realm is confined. Traps for frozen values, for read-only realms, and after changes in a
  /// write transaction.
  ///
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: O(log n) for each object of the collection that a commit touched in what is read. Others cost nothing.
  public func observe(
    file: StaticString = #fileID, line: UInt = #line, _ block: @escaping (Value) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self, file: file, line: line), nil, on: nil, block)
  }

  /// Calls a block on a queue with the value, as the queue's realm has it; see `observe(_:)`.
  ///
  /// - Parameter queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe(
    on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (Value) -> Void
  ) -> NotificationToken {
    _observed.observe(ObservationTarget(Self.self, file: file, line: line), nil, on: queue, block)
  }

  /// Calls a block on an actor with the value, as the actor's realm has it; see `observe(_:)`. Returns when the observer is
  /// registered.
  public func observe<A: Actor>(
    on actor: A, _isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, Value) -> Void
  ) async -> NotificationToken {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), nil, on: actor, _isolation, block)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// What the objects come to, live.
  ///
  ///     let count = flights.liveValue { $0.count }
  ///     let delays = flights.liveValue { ($0.average(of: \.delay), $0.max(of: \.delay)) }
  ///
  /// Nothing is evaluated until the value is used. Traps for an unmanaged collection, and for a property that has no such
  /// aggregate.
  ///
  /// - Parameter aggregates: What is asked: one aggregate, or several in a tuple.
  public func liveValue<each Value>(
    _ aggregates: (LiveAggregates<Element>) -> (repeat LiveAggregate<Element, each Value>)
  ) -> LiveValue<(repeat each Value)> {
    let rows = _query.core
    let all = aggregates(LiveAggregates())
    var measures = LiveMeasures()
    for aggregate in repeat each all { measures.add(aggregate, in: rows) }
    let core = GroupsCore(rows, by: [], measures.measures)
    return LiveValue(core: core, asksCount: measures.places.contains(nil)) { [places = measures.places] rows, result in
      var reader = LiveResultReader(rows: rows, result: result, places: places[...])
      return (repeat reader.next(each all))
    }
  }
}
