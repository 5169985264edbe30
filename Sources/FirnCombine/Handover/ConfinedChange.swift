#if Publishers
internal import Firn

/// A change with something that belongs to a thread or queue.
protocol ConfinedChange<Confined> {
  associatedtype Confined: ThreadConfined

  /// Nil in a change without one.
  var confined: Confined? { get }

  /// The same change of the same thing elsewhere.
  func with(_ confined: Confined) -> Self
}

extension ConfinedChange {
  /// The change with a frozen copy. What is gone has none, and stays.
  var frozen: Self {
    guard let confined, !confined.isInvalidated else { return self }
    return with(confined.freeze())
  }
}

extension ObjectChange: ConfinedChange where T: ThreadConfined {
  var confined: T? { if case .change(let object, _) = self { object } else { nil } }

  func with(_ object: T) -> ObjectChange {
    if case .change(_, let changes) = self { .change(object, changes) } else { self }
  }
}

extension RealmCollectionChange: ConfinedChange where CollectionType: ThreadConfined {
  var confined: CollectionType? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }

  func with(_ collection: CollectionType) -> RealmCollectionChange {
    switch self {
    case .initial: .initial(collection)
    case .update(_, let deletions, let insertions, let modifications):
      .update(collection, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension RealmMapChange: ConfinedChange {
  var confined: Collection? {
    switch self {
    case .initial(let map), .update(let map, _, _, _): map
    case .error: nil
    }
  }

  func with(_ map: Collection) -> RealmMapChange {
    switch self {
    case .initial: .initial(map)
    case .update(_, let deletions, let insertions, let modifications):
      .update(map, deletions: deletions, insertions: insertions, modifications: modifications)
    case .error: self
    }
  }
}

extension SectionedResultsChange: ConfinedChange where Collection: ThreadConfined {
  var confined: Collection? {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _): sections
    }
  }

  func with(_ sections: Collection) -> SectionedResultsChange {
    switch self {
    case .initial: .initial(sections)
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      .update(
        sections, deletions: deletions, insertions: insertions, modifications: modifications,
        sectionsToInsert: inserted, sectionsToDelete: deleted)
    }
  }
}

#endif
