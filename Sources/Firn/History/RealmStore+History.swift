internal import FirnDurability
internal import FirnEngine

extension RealmStore {
  /// What was committed after a version, in order, up to the version that is the newest when reading begins.
  ///
  ///     for try await entry in store.history(after: version) {
  ///         print(entry.version, entry.cause?.author ?? "", entry.classes.map(\.name))
  ///     }
  ///
  /// A database in files has at least what was committed since the last checkpoint; ``Realm/Configuration/history`` keeps
  /// more, and has the old values recorded too. A database in memory has what that keeps, and nothing without it. What
  /// happened inside of a list or dictionary in a mixed value is not told.
  ///
  /// Reads about a megabyte at a time and at least one commit, while others write and checkpoints run; what these
  /// remove is still read if it was reached in time. All iterations of a database share a few threads, one to four, and
  /// take turns, so that however many there are they take few processors and files. Until the sequence ends the version
  /// that it leads to is kept in memory. Each iteration reads anew.
  ///
  /// - Parameter version: The number of a commit: of ``HistoryEntry/version`` or ``Realm/Cause/version``. Nil for as far back
  ///   as there is anything, which reads all of it once more.
  /// - Returns: A sequence that throws ``Realm/Error`` `.historyUnavailable` when it does not reach back to the version, or no
  ///   commit has that number; `.corrupted` when the files are damaged; `.storeClosed`.
  public func history(after version: UInt64? = nil) -> History { History(store: store, start: version) }

  /// The commits of the past; see ``RealmStore/history(after:)``.
  public struct History: AsyncSequence, Sendable {
    let store: Store
    let start: UInt64?

    public func makeAsyncIterator() -> Iterator { Iterator(store: store, start: start) }

    /// Reads from the files as far as it is asked.
    public struct Iterator: AsyncIteratorProtocol {
      let store: Store
      /// The version behind which to go on; nil for the oldest.
      var start: UInt64?
      private var reading: HistoryReading?
      /// What was read and not given out, in reverse order.
      private var page: [HistoryEntry] = []
      private var isFinished = false

      init(store: Store, start: UInt64?) {
        self.store = store
        self.start = start
      }

      /// The next commit; nil behind the last one.
      public mutating func next() async throws -> HistoryEntry? {
        if isFinished { return nil }
        if page.isEmpty {
          try Task.checkCancellation()
          try store.checkIsOpen()
          page = try await nextPage()
        }
        guard let entry = page.popLast() else {
          (isFinished, reading) = (true, nil)
          return nil
        }
        start = entry.version
        return entry
      }

      private mutating func nextPage() async throws -> [HistoryEntry] {
        let reading = self.reading ?? HistoryReading(store.graph.holdHead())
        self.reading = reading
        let end = reading.version.number
        let entries: @Sendable ([HistoryCommit]) -> [HistoryEntry] = { $0.reversed().map(reading.entry) }
        guard let start else { return try await store.firstHistoryPage(through: end, entries) }
        if start > end { throw Realm.Error.noSuchCommit(start, in: store) }
        return try await store.readingPast { [store] in entries(try store.historyPage(after: start, through: end)) }
      }
    }
  }
}

extension Realm.Error {
  fileprivate static func noSuchCommit(_ version: UInt64, in store: Store) -> Realm.Error {
    Realm.Error(
      .historyUnavailable,
      "The database \(store.configuration.name) has no commit \(version) yet. Give a version that it has shown.")
  }
}
