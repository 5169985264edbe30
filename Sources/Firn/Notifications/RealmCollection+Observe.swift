public import Dispatch

extension RealmCollection {
  /// Calls a block with exact changes of the collection.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change, and nothing is called when nothing changed.
  ///
  /// ``Results`` and ``LinkingObjects`` report what is different: an object that begins to match or to link is an
  /// insertion, one that ceases to is a deletion. Lists and sets report operations: an element that was removed and added
  /// again is a deletion and an insertion, assigning an element of a list is a modification, replacing the whole content
  /// deletes and inserts everything. Positions in a set are those of its order. Values in ``Results`` are followed through
  /// the operations on their collection. When the object to which the collection belongs is deleted, a last call deletes
  /// all elements.
  ///
  /// Without key paths an object counts as modified when a property of it was written, or one of an object that its links
  /// lead to in at most three steps. Writing an equal value counts.
  ///
  /// Traps for unmanaged, frozen and read-only collections, and after changes in a write transaction.
  ///
  /// The block is called where the realm is confined: by the run loop of its thread, on its queue, or on its actor.
  ///
  /// - Parameter keyPaths: Names of properties of the elements, or paths such as `owner.name`: only these count as
  ///   modifications of objects. Nil or empty for all. A name that does not exist traps, and so do key paths of a
  ///   collection of values.
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: A commit costs what it touched in the class of the elements, or in the list or set, times the logarithm
  ///   of the number of elements. For a query that follows links, what was touched behind them counts with all elements
  ///   that lead there. Values of a collection that are sorted or distinct are compared anew when it was written. An
  ///   observed list or set is read once when one of its elements was modified; a query on it looks them up. A merged change
  ///   of a list or set that has nearly as many pieces as there are elements deletes and inserts all of them.
  public func observe(
    keyPaths: [String]? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: nil, block)
  }

  /// Calls a block on a queue with exact changes of the collection, as that of the queue's realm; see
  /// `observe(keyPaths:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties of the elements whose changes count; nil or empty for all.
  ///   - queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: queue, block)
  }

  /// The same with typed key paths, which may lead through links, collections and maps: `\.owner?.name`,
  /// `\.members[0].name`, `\.gates[""]??.name`. Which position or key is named makes no difference.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: Element.self),
      on: nil, block)
  }

  /// The same on a queue, with typed key paths.
  @preconcurrency
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: Element.self),
      on: queue, block)
  }

  /// Calls a block on an actor with exact changes of the collection, as that of the actor's realm; see
  /// `observe(keyPaths:_:)`.
  ///
  /// Returns when the observer is registered. Changes count from its first call, `.initial`, on.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: actor, _isolation,
      block)
  }

  /// The same with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken where Element: ObjectBase {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: Element.self),
      on: actor, _isolation, block)
  }
}
