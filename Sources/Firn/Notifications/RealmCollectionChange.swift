/// What the observer of a collection is told.
@frozen public enum RealmCollectionChange<CollectionType> {
  /// The first call: the collection is ready. Everything committed before it is part of it.
  case initial(CollectionType)

  /// Elements came, went or changed. All three arrays ascend.
  ///
  /// `deletions` and `modifications` are positions before the change, `insertions` positions after it. Removing the
  /// deletions from the old elements, back to front, and then inserting the new elements at `insertions`, front to back,
  /// gives the new elements. An element that moved is a deletion and an insertion.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])

  /// Never delivered; there for source compatibility.
  case error(any Error)
}

/// Changes of values, as those of a ``ValueProjection``, may go anywhere.
extension RealmCollectionChange: Sendable where CollectionType: Sendable {}
