public import Dispatch

extension SortDescriptor {
  /// Sorts by what a member of a projection projects. Traps for a key path that is not one of projected properties.
  public init<P: ProjectionObservable>(
    keyPath: PartialKeyPath<P>, ascending: Bool = true, nilsLast: Bool = false
  ) {
    self.init(keyPath: P.sortPath(keyPath, to: "sort"), ascending: ascending, nilsLast: nilsLast)
  }
}

/// Results of projections, by the members of the projection. Names in texts are those of the root.
extension RealmCollection where Element: ProjectionObservable {
  /// The projections in the order of a member, live; see `sorted(by:)`.
  public func sorted<T>(
    by keyPath: KeyPath<Element, T>, ascending: Bool = true, nilsLast: Bool = false
  ) -> Results<Element> {
    Element.checkIsProjected(keyPath, to: "sort")
    return Results(
      core: _query.core.sorted(by: keyPath, ascending: ascending, nilsLast: nilsLast) { Element.projecting($0) })
  }

  /// The first of the projections that are equal in all of these members, live; see `distinct(by:)`.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { Element.distinctPath($0) })
  }

  /// Calls a block with exact changes: only members with one of these key paths count as modifications; see
  /// `observe(keyPaths:_:)` with names.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), Element.components(keyPaths), on: nil, block)
  }

  /// The same on a queue, with the collection of the queue's realm.
  @preconcurrency
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), Element.components(keyPaths), on: queue, block)
  }

  /// The same on an actor, with the collection of the actor's realm. Returns when the observer is registered.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await _observed.observe(
      ObservationTarget(Self.self, file: file, line: line), Element.components(keyPaths), on: actor, _isolation, block)
  }
}
