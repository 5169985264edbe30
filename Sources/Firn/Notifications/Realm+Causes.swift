internal import FirnEngine

extension Realm {
  /// Who wrote a commit, and why: what was given to `write(author:metadata:)`.
  public struct Cause: Sendable, Hashable {
    /// The number of the commit. Ascends with the commits of a database, and has gaps.
    public let version: UInt64

    /// Who wrote; nil if only metadata were given.
    public let author: String?

    /// What else the writer recorded.
    public let metadata: [String: String]

    let byteCount: Int

    init(_ commit: NotedCommit) {
      version = commit.version
      byteCount = commit.note.byteCount
      author = commit.note.author
      metadata = commit.note.metadata
    }
  }

  /// Who wrote what the running callback of an observer is told, and why.
  ///
  ///     let token = flights.observe { _ in
  ///         if realm.causes.contains(where: { $0.author == "importer" }) { print("The importer wrote.") }
  ///     }
  ///
  /// Inside of the callback of any observer of this realm, the causes of just the commits that the delivered change
  /// merges, in their order: of those that were written with an author or metadata. Commits that the observer was skipped
  /// for with `withoutNotifying`, and those that touched nothing of what it observes, if they arrived by themselves, are not
  /// among them. A callback that writes still has its own causes afterwards.
  ///
  /// Empty in the first call of an observer, in `.refreshRequired`, everywhere outside of callbacks, on frozen realms, and
  /// in other places than that of the realm.
  ///
  /// An observer that lags behind gets the newest 1,000 causes of a change; where they take more than about a megabyte
  /// together, fewer.
  ///
  /// - Complexity: O(1).
  public var causes: [Cause] {
    if instance.isFrozen || !instance.confinement.allowsMutationHere(owner: instance.owner) { return [] }
    return instance.notifications?.causes ?? []
  }
}

extension [Realm.Cause] {
  /// Adds the causes of later commits; of very many the newest stay.
  mutating func merge(_ later: [Realm.Cause]) {
    if isEmpty {
      self = later
      return
    }
    append(contentsOf: later)
    var rest = byteCount
    let first = indices.first { index in
      if count - index <= NoteLimits.countMax, rest <= NoteLimits.byteCountMax { return true }
      rest -= self[index].byteCount
      return false
    }
    removeFirst(first ?? 0)
  }

  /// What they take together.
  var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}
