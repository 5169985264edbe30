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
  /// Bytes that the engine has taken from the system for that and not given back, at the same moment.
  ///
  /// More than ``engineByteCount``: freed memory is kept for new objects. When more than half of it is free, as after a
  /// mass deletion, what can be given back goes back with the next commit or release of a version.
  public let mappedByteCount: Int
  /// The versions that are kept, oldest first. The last is the newest.
  public let versions: [HeldVersion]
  /// Rows of each class in the newest version, by the name of the class.
  public let rowCounts: [String: Int]
  /// Commits since the store was opened.
  public let commitCount: Int
  /// The write transaction that is open; nil without one.
  public let openWrite: OpenWrite?
  /// How many writes wait until it is their turn.
  public let waitingWriteCount: Int
  /// Live realms of threads, queues and actors.
  public let openRealmCount: Int
  /// What is observed with ``ChangeStream``s, and how far their subscribers are behind.
  public let streams: [Stream]
  /// The files; nil for a database in memory.
  public let files: Files?

  /// A write transaction that is open. The log tells of those that stay open for five seconds or more.
  public struct OpenWrite: Sendable {
    /// The function that began it, with file and line.
    public let origin: String
    /// How long it has been open, up to a second less than it was; zero where the shared logger takes no warnings.
    public let age: Duration
  }

  /// The state of a database's files.
  public struct Files: Sendable {
    /// Bytes of the journal written since the last checkpoint: what the next opening would have to replay.
    public let journalByteCount: Int
    /// Bytes that the journal takes on disk. More than ``journalByteCount``, since its segments are allotted ahead of their
    /// use, 4 MiB each, and some may be kept as history. A closed database keeps none that holds nothing.
    public let journalAllottedByteCount: Int
    /// Segments of the journal. An opening begins one with its first commit; checkpoints make them fewer.
    public let journalSegmentCount: Int
    /// Bytes of all files of the database, as far as they are in use.
    public let totalByteCount: Int
    /// Roughly what opening the files takes in memory, as ``Realm/Configuration/expandedByteCountMax`` counts it, the journal
    /// included. The next opening may throw where this is more than the limit. Versions that readers hold count here, and
    /// not in an opening; a commit that changes very much at once takes more while it is replayed.
    public let expandedByteCount: Int
    /// Times that the journal was brought onto the disk. Commits share them.
    public let syncCount: Int
    /// The newest version that is known to be on disk.
    public let durableVersion: UInt64
    /// The last checkpoint since the store was opened that wrote anything.
    public let lastCheckpoint: CheckpointReport?
    /// Checkpoints that failed since the store was opened, those in the background included. The journal is kept then, and
    /// grows, and the next one tries again.
    public let failedCheckpointCount: Int
    /// Why the last checkpoint failed; nil if it succeeded, or none was made.
    public let lastCheckpointFailure: Realm.Error?
  }

  /// Bytes of the journal since the last checkpoint; 0 for a database in memory.
  public var journalByteCount: Int { files?.journalByteCount ?? 0 }
  /// The last checkpoint since the store was opened.
  public var lastCheckpoint: CheckpointReport? { files?.lastCheckpoint }
}

extension StoreStatistics.Files {
  init(_ statistics: DurabilityStatistics) {
    journalByteCount = statistics.journalByteCount
    journalAllottedByteCount = statistics.journalAllottedByteCount
    journalSegmentCount = statistics.segmentCount
    totalByteCount = statistics.totalByteCount
    expandedByteCount = statistics.expandedByteCount
    syncCount = statistics.syncCount
    durableVersion = statistics.durableVersion
    lastCheckpoint = statistics.lastCheckpoint.map { CheckpointReport($0) }
    failedCheckpointCount = statistics.failedCheckpointCount
    lastCheckpointFailure = statistics.lastCheckpointFailure.map { Realm.Error($0) }
  }
}

extension RealmStore {
  /// What the store holds now. Never waits for a writer; for the queue on which changes of streams are prepared, if there
  /// are any.
  ///
  /// - Complexity: O(classes + held versions + what changed since the oldest of them).
  public var statistics: StoreStatistics {
    let now = Clock.now
    let head = store.graph.holdHead()
    var rowCounts: [String: Int] = [:]
    head.withContents { contents in
      for (index, model) in store.schema.models.enumerated() {
        rowCounts[model.name] = contents.rowCount(TableID(index))
      }
    }
    let versions = store.graph.heldVersions.map { held in
      // The hold above is not the store's.
      StoreStatistics.HeldVersion(
        number: store.graph.commitNumber(of: held.number),
        age: held.stamp == 0 ? nil : .nanoseconds(Int64(now) - Int64(held.stamp)),
        holderCount: held.holders - (held.number == head.number ? 1 : 0), freeableByteCount: held.freeableByteCount)
    }
    return StoreStatistics(
      engineByteCount: store.graph.lastByteCount, mappedByteCount: store.graph.lastMappedByteCount,
      versions: versions, rowCounts: rowCounts,
      commitCount: store.commitCount,
      openWrite: store.writerWatch.open.map { .init(origin: "\($0.site)", age: .nanoseconds($0.age)) },
      waitingWriteCount: store.graph.gate.waiterCount, openRealmCount: store.openRealms.count,
      streams: store.streams.current?.statistics ?? [],
      files: store.durable.map { StoreStatistics.Files($0.statistics) })
  }
}
