/// What a ``ChangeStream`` delivers: the content as of a version, and what happened to it since the element before.
///
/// `Content` is frozen, so everything may be passed on to other tasks. Applied to the content of the element before, the
/// delta gives the content of this one.
public enum StreamedChange<Content: Sendable, Delta: Sendable>: Sendable {
  /// The first element: the content at the moment when it was asked for.
  case initial(Content)

  /// Something happened, in one commit or several. The causes are those of the commits that named an author or metadata,
  /// oldest first.
  case update(Content, Delta, causes: [Realm.Cause])

  /// Everything may be different: forget what was there before, and take the content. Comes where the subscriber was so
  /// far behind that the changes in between were given up, and in ``ChangeDelivery/latest``, which counts none.
  case reset(Content)

  /// The object was deleted, or the one that the collection belongs to. The sequence ends.
  case deleted(causes: [Realm.Cause])

  /// The content; nil when it is gone.
  public var content: Content? {
    switch self {
    case .initial(let content), .update(let content, _, _), .reset(let content): content
    case .deleted: nil
    }
  }

  /// What happened since the element before; nil where that is not told.
  public var delta: Delta? {
    if case .update(_, let delta, _) = self { delta } else { nil }
  }

  /// Why it happened, as far as commits named an author or metadata.
  public var causes: [Realm.Cause] {
    switch self {
    case .update(_, _, let causes), .deleted(let causes): causes
    case .initial, .reset: []
    }
  }
}

/// Positions of a collection that changed. All arrays ascend.
///
/// Deleting the old positions `deletions`, then inserting at the new positions `insertions`, gives the new order.
/// `modifications` are old positions of elements that stayed and were written. An element that moved is deleted and inserted.
public struct CollectionDelta: Hashable, Sendable {
  /// Old positions of elements that left or moved.
  public let deletions: [Int]
  /// New positions of elements that came or moved.
  public let insertions: [Int]
  /// Old positions of elements that stayed and were written.
  public let modifications: [Int]
}

/// Keys of a map whose entries came, went or were given a value. All arrays ascend by the bytes of the keys.
public struct MapDelta<Key: Hashable & Sendable>: Hashable, Sendable {
  /// Keys that went. One that came again is in ``insertions``, too.
  public let deletions: [Key]
  /// Keys that came.
  public let insertions: [Key]
  /// Keys that stayed and were given a value, or whose object changed.
  public let modifications: [Key]
}

/// Properties of an object, or members of a projection, that were written.
public struct ObjectDelta: Hashable, Sendable {
  /// Their names. Writing an equal value counts.
  public let properties: Set<String>
}

/// Sections, and elements in them, that came, went or changed; see ``SectionedResultsChange``.
public struct SectionsDelta: Hashable, Sendable {
  /// A place in sections.
  public struct Place: Hashable, Sendable {
    /// The position of the section.
    public let section: Int
    /// The position in the section.
    public let item: Int
  }

  /// Old places of elements that left, but for those of deleted sections.
  public let deletions: [Place]
  /// New places of elements that came, those of new sections included.
  public let insertions: [Place]
  /// Old places of elements that stayed and were written.
  public let modifications: [Place]
  /// Old positions of sections.
  public let deletedSections: [Int]
  /// New positions of sections.
  public let insertedSections: [Int]
}

/// How many objects of a class were added, written and deleted.
public struct ClassDelta: Hashable, Sendable {
  /// How many were added.
  public let insertionCount: Int
  /// How many were there before and afterwards, and were written.
  public let modificationCount: Int
  /// How many were deleted.
  public let deletionCount: Int
}

/// How the changes that a subscriber has not taken yet wait for it.
public enum ChangeDelivery: Hashable, Sendable {
  /// One element for each commit that changed something, in order. None is left out or merged.
  ///
  /// What waits keeps the versions of its commits. When that takes more than
  /// ``Realm/Configuration/maximumObserverLag``, it is given up, and the next element is ``StreamedChange/reset(_:)``.
  case everyCommit

  /// One element for everything that happened since the element before. The default.
  ///
  /// What waits keeps no version, only what changed: at most every element's position once. When that takes more than
  /// ``Realm/Configuration/maximumObserverLag``, the next element is ``StreamedChange/reset(_:)``.
  case merged

  /// The newest content only, as ``StreamedChange/reset(_:)``, whenever something happened since the element before.
  ///
  /// Nothing waits and nothing is counted, so nothing is kept for the subscriber.
  case latest
}
