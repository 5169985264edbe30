public import Dispatch
internal import FirnReactive
internal import Foundation

extension SectionedResultsChange {
  /// What an observer is called with; nothing happened before its first call.
  init(_ paths: SectionPaths?, _ collection: Collection) {
    guard let paths else {
      self = .initial(collection)
      return
    }
    func indexPaths(_ places: [(section: Int, item: Int)]) -> [IndexPath] {
      places.map { IndexPath(indexes: [$0.section, $0.item]) }.sorted()
    }
    self = .update(
      collection, deletions: indexPaths(paths.deletions), insertions: indexPaths(paths.insertions),
      modifications: indexPaths(paths.modifications), sectionsToInsert: IndexSet(paths.insertedSections),
      sectionsToDelete: IndexSet(paths.deletedSections))
  }
}

extension RealmSectionedResult {
  /// Calls a block with exact changes of the sections and of their elements.
  ///
  /// The first call is `.initial`, at the next turn of the run loop or queue, or with the next refresh or write. Commits
  /// that were not delivered one by one arrive as one merged change, and nothing is called when nothing changed. An observer
  /// of a single section is called for that section only: when it comes, goes, or changes; that it is at another place
  /// among the others is no change.
  ///
  /// The block is called where the realm is confined. A block that gives the keys is called once for each element that was
  /// touched, with a frozen element.
  ///
  /// Traps for frozen and read-only collections, and after changes in a write transaction.
  ///
  /// - Parameter keyPaths: Names of properties of the elements, or paths such as `owner.name`: only these count as
  ///   modifications of objects. Nil or empty for all. What comes, leaves or moves in the sort always counts. That a block
  ///   gives another key because of a property that does not count is told with the next change that does.
  /// - Returns: A token to be kept as long as changes are wanted.
  /// - Complexity: O(log n) for each element that a commit touched among n.
  public func observe(
    keyPaths: [String]? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: nil, block)
  }

  /// Calls a block on a queue with exact changes, and the sections of the queue's realm; see `observe(keyPaths:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: Names of properties of the elements whose changes count; nil or empty for all.
  ///   - queue: A serial queue; nil for where the realm is confined. A concurrent queue traps.
  @preconcurrency
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue?, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: queue, block)
  }

  /// The same on an actor, with the sections of the actor's realm. Returns when the observer is registered.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths), on: actor, _isolation,
      block)
  }
}

extension RealmSectionedResult where SectionElement: ObjectBase {
  /// The same with typed key paths of the elements, which may lead through links and collections.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: SectionElement.self),
      on: nil, block)
  }

  /// The same on a queue, with typed key paths.
  @preconcurrency
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue?, file: StaticString = #fileID,
    line: UInt = #line, _ block: @escaping @Sendable (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: SectionElement.self),
      on: queue, block)
  }

  /// The same on an actor, with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await _observedSections.observe(
      ObservationTarget(Self.self, file: file, line: line), StoreSchema.components(keyPaths, of: SectionElement.self),
      on: actor, _isolation, block)
  }
}
