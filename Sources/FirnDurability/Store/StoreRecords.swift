/// What opening a store found.
package struct OpenRecord: Sendable {
  package var isNew = false
  /// The version that the files led to.
  package var version: UInt64 = 0
  package var rowCount = 0
  /// Commits read from the journal.
  package var recoveredCommitCount = 0
  /// Bytes behind the last whole commit.
  package var cutByteCount = 0
  /// Bytes of base, deltas and journal that were read.
  package var byteCount = 0
  package var nanoseconds: UInt64 = 0
  /// The schema version that the store had, if the opening has raised it.
  package var migratedFrom: UInt64?
  /// The values that the migration lost, unless its block took them over.
  package var losses: [LostValues] = []
}

/// What a checkpoint wrote.
package struct CheckpointRecord: Sendable {
  package var secondsSince1970: Double
  package var nanoseconds: UInt64
  /// Bytes of the file; 0 when there was nothing to write.
  package var byteCount: Int
  package var isBase: Bool
  package var version: UInt64
  /// What opening the base took in memory, deltas and journal not counted, as far as that is known; 0 when nothing was written.
  package var expandedByteCount = 0
}

/// What the files of a store hold, all of them read.
package struct VerifyRecord: Sendable {
  package var fileCount = 0
  package var byteCount = 0
  package var version: UInt64 = 0
  package var rowCounts: [(name: String, count: Int)] = []
  package var journalCommitCount = 0
  package var historyCommitCount = 0
  package var cutByteCount = 0
}

/// The state of a store's files.
package struct DurabilityStatistics: Sendable {
  /// Bytes of the journal since the last checkpoint.
  package var journalByteCount = 0
  /// Bytes of all segments of the journal, with those that are allotted ahead and those that are kept as history.
  package var journalAllottedByteCount = 0
  package var segmentCount = 0
  /// Bytes of base, deltas and journal.
  package var totalByteCount = 0
  /// The memory that opening takes, as ``ExpansionBudget`` counts it: for the graph at its largest since the last base,
  /// or for that base, if reading it takes more.
  package var expandedByteCount = 0
  package var syncCount = 0
  package var durableVersion: UInt64 = 0
  package var lastCheckpoint: CheckpointRecord?
  package var failedCheckpointCount = 0
  /// Why the last checkpoint failed; nil if it did not.
  package var lastCheckpointFailure: StoreError?
}
