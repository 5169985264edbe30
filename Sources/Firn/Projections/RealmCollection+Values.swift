public import Dispatch

/// Values of a ``ValueProjection``, which may leave the place where the collection is.
extension RealmCollection where Element: ObjectBase {
  /// A value for each object, in the order of the collection, as they are now.
  ///
  /// - Complexity: O(n).
  public func values<Row: ValueProjection>(as type: Row.Type = Row.self) -> [Row] where Row.Root == Element {
    map { Row(projecting: $0) }
  }

  /// Calls a block with a value for each object and the exact changes of their positions.
  ///
  /// The first call is `.initial`, with a value for every object. An `.update` carries the values of the whole collection:
  /// those at `insertions`, and those that `modifications` name by their old positions, are made anew, the others are what
  /// they were. Only the properties of ``ValueProjection/keyPaths`` count as modifications.
  ///
  /// The block is called where the collection's realm is confined; what it gets may go anywhere. Commits that were not
  /// delivered one by one arrive as one change. Traps as `observe(keyPaths:_:)` does.
  ///
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: A commit costs what `observe(keyPaths:_:)` costs, one `init(projecting:)` for each insertion and
  ///   modification, and, when something came or went, a pass over the values behind the first such position. A block that
  ///   keeps the array makes the next change copy it.
  public func observe<Row: ValueProjection>(
    as type: Row.Type, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (RealmCollectionChange<[Row]>) -> Void
  ) -> NotificationToken where Row.Root == Element {
    let rows = ObservedValues<Row>()
    return _observed.observe(ObservationTarget(Self.self, file: file, line: line), Row.names, on: nil) { change in
      block(rows.take(change))
    }
  }

  /// The same on a queue: values are made there, of the collection of the queue's realm.
  ///
  /// - Parameter queue: A serial queue; nil for where the collection's realm is confined.
  @preconcurrency
  public func observe<Row: ValueProjection>(
    as type: Row.Type, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<[Row]>) -> Void
  ) -> NotificationToken where Row.Root == Element {
    let rows = ObservedValues<Row>()
    return _observed.observe(ObservationTarget(Self.self, file: file, line: line), Row.names, on: queue) { change in
      block(rows.take(change))
    }
  }

  /// The same on an actor, whatever its executor is. Returns when the observer is registered.
  public func observe<Row: ValueProjection, A: Actor>(
    as type: Row.Type, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<[Row]>) -> Void
  ) async -> NotificationToken where Row.Root == Element {
    let rows = ObservedValues<Row>()
    return await _observed.map { (change: RealmCollectionChange<Self>) in rows.take(change) }.observe(
      ObservationTarget(Self.self, file: file, line: line), Row.names, on: actor, _isolation, block)
  }
}

extension ValueProjection {
  /// The key paths by names. Traps for one that leads to no stored property.
  static var names: [[String]] { StoreSchema.components(keyPaths, of: Root.self) }
}
