extension DurableStore {
  /// How a store is opened and kept.
  package struct Options: Sendable {
    package var durability = Durability.everyCommit
    /// Encrypts the files, those of the seed included.
    package var key: StoreKey?
    package var isReadOnly = false
    /// The version of the application's model.
    package var schemaVersion: UInt64 = 0
    /// A checkpoint is due after so many bytes of journal.
    package var checkpointByteCount = 64 << 20
    /// A checkpoint is due when commits are so old; nil for never.
    package var checkpointNanoseconds: UInt64? = 300_000_000_000
    /// How much of the journal to keep beyond what opening needs.
    package var historyByteCount = 0
    package var historyNanoseconds: UInt64?
    package var segmentByteCount = 4 << 20
    /// An opening that reads so many segments makes a checkpoint.
    package var segmentCountMax = 32
    /// Whether segments are allotted in the background, ahead of their use.
    package var preparesSegments = true
    /// How long no commit must have come before the journal says that the last one is on disk; nil for when it is closed.
    package var idleNanoseconds: Int? = 1_000_000_000
    package var threadCount = 2
    /// A store whose content a new one begins with; without effect when there is a store already, or it is only read.
    package var seedPath: String?
    package var poisonsFreedBlocks = false
    /// What the files may take in memory; nil for what fits their size.
    package var expandedByteCountMax: Int?
    /// What a file holds at most. Tests lower it.
    package var limits = SnapshotLimits.standard
    /// Told what goes wrong in the background.
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
  }
}
