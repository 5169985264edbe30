package import FirnEngine

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
    /// So many deltas make the next checkpoint a base, however small they are.
    package var deltaCountMax = 128
    /// How much of the journal to keep at least beyond what opening needs, as far as it is not too old; 0 for nothing.
    package var historyByteCount = 0
    /// The greatest age of what is kept and given out; nil for any.
    package var historyNanoseconds: UInt64?
    /// Whether commits are recorded with the values that were before.
    package var recordsOldValues = false
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
    /// What becomes of rows when the application's tables have changed.
    package var migration = MigrationOptions()
    package var poisonsFreedBlocks = false
    /// What the files may take in memory; nil for what fits their size.
    package var expandedByteCountMax: Int?
    /// What a file holds at most. Tests lower it.
    package var limits = SnapshotLimits.standard
    package var clock = StoreClock.system
    /// Told what goes wrong in the background.
    package var log: @Sendable (String) -> Void = { _ in }
    /// Told what the store does, on any thread.
    package var tell: @Sendable (StoreEvent) -> Void = { _ in }

    package init() {}
  }
}

/// How a store is brought to an application's tables.
package struct MigrationOptions: Sendable {
  /// Whether a store that would have to be migrated, or is of another version, is refused with `.schemaMismatch`.
  package var isRefused = false
  /// Whether additions need a greater version, as they do in RealmSwift.
  package var additionsNeedVersion = false
  /// By class: the stored names that properties have now, by those that they had.
  package var renames: [String: [String: String]] = [:]
  /// By class: the stored names of properties that were removed, and are not properties of today under other names.
  package var removed: [String: Set<String>] = [:]
  /// By class: whether it is embedded. Of others the links tell it.
  package var embedded: [String: Bool] = [:]
  /// What rows get in a column of one of the application's tables that is new.
  package var defaultValue: @Sendable (_ table: Int, _ column: Int) -> ColumnDefault = { _, _ in .empty }
  /// Gives a value for a column whose default is ``ColumnDefault/perRow``.
  package var nextDefault: @Sendable (_ table: Int, _ column: Int) -> Value = { _, _ in .null }
  /// Called when the application's version is greater than the store's, to change the rows. What it throws ends the opening, and
  /// the store stays as it was.
  package var block: (@Sendable (MigratingStore) throws -> Void)?
  package var progress: @Sendable (MigrationPhase, _ completed: Int, _ total: Int) -> Void = { _, _, _ in }

  package init() {}
}

/// What a migration is doing.
package enum MigrationPhase: Sendable, Hashable {
  case reading, changing, writing
}
