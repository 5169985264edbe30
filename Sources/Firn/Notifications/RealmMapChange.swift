/// What the observer of a ``Map`` is told.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call: the map is ready. Everything committed before it is part of it.
  case initial(Collection)

  /// Entries came, went or changed. All three arrays ascend by the bytes of the keys.
  ///
  /// `modifications` are keys that stayed and were given a value, also an equal one, or whose object changed or was
  /// deleted. A key that was removed and added again is in both `deletions` and `insertions`.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])

  /// Never delivered; there for source compatibility.
  case error(any Error)
}
