internal import FirnDurability
internal import FirnEngine

/// What a store holds, at a moment.
public struct StoreStatistics: Sendable {
  /// A version that somebody keeps.
  public struct HeldVersion: Sendable {
    /// Grows with each commit.
    public let number: UInt64
    /// How long ago it was committed; nil for the empty version that a store starts with.
    public let age: Duration?
    /// How many realms, frozen values and observers keep it.
    public let holderCount: Int
    /// What letting it go would free, if no other version were let go.
    public let freeableByteCount: Int
  }

  /// Bytes of the engine's memory in use, after the last commit or release of a version.
  public let engineByteCount: Int
  /// The versions that are kept, oldest first. The last is the newest.
  public let versions: [HeldVersion]
  /// Rows of each class in the newest version, by the name of the class.
  public let rowCounts: [String: Int]
  /// Commits since the store was opened.
  public let commitCount: Int
  /// Live realms of threads, queues and actors.
  public let openRealmCount: Int
  /// The files; nil for a database in memory.
  public let files: Files?

  /// The state of a database's files.
  public struct Files: Sendable {
    /// Bytes of the journal written since the last checkpoint: what the next opening would have to replay.
    public let journalByteCount: Int
    /// Bytes of all files of the database, as far as they are in use.
    public let totalByteCount: Int
    /// Times that the journal was brought onto the disk. Commits share them.
    public let syncCount: Int
    /// The newest version that is known to be on disk.
    public let durableVersion: UInt64
    /// The last checkpoint since the store was opened.
    public let lastCheckpoint: CheckpointReport?
  }

  /// Bytes of the journal since the last checkpoint; 0 for a database in memory.
  public var journalByteCount: Int { files?.journalByteCount ?? 0 }
  /// The last checkpoint since the store was opened.
  public var lastCheckpoint: CheckpointReport? { files?.lastCheckpoint }
}

extension StoreStatistics.Files {
  init(_ statistics: DurabilityStatistics) {
    journalByteCount = statistics.journalByteCount
    totalByteCount = statistics.totalByteCount
    syncCount = statistics.syncCount
    durableVersion = statistics.durableVersion
    lastCheckpoint = statistics.lastCheckpoint.map { CheckpointReport($0) }
  }
}

extension RealmStore {
  /// What the store holds now. Never waits for a writer.
  ///
  /// - Complexity: O(classes + held versions + what changed since the oldest of them).
  public var statistics: StoreStatistics {
    let now = Clock.now
    let head = store.graph.holdHead()
    var rowCounts: [String: Int] = [:]
    for (index, model) in store.schema.models.enumerated() {
      rowCounts[model.name] = head.snapshot.rowCount(TableID(index))
    }
    let versions = store.graph.heldVersions.map { held in
      // The hold above is not the store's.
      StoreStatistics.HeldVersion(
        number: held.number, age: held.stamp == 0 ? nil : .nanoseconds(Int64(now) - Int64(held.stamp)),
        holderCount: held.holders - (held.number == head.number ? 1 : 0), freeableByteCount: held.freeableByteCount)
    }
    return StoreStatistics(
      engineByteCount: store.graph.lastByteCount, versions: versions, rowCounts: rowCounts,
      commitCount: store.commitCount, openRealmCount: store.openRealms.count,
      files: store.durable.map { StoreStatistics.Files($0.statistics) })
  }
}
