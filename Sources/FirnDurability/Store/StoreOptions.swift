extension DurableStore {
  /// How a store is opened and kept.
  package struct Options: Sendable {
    package var durability = Durability.everyCommit
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
    /// Whether segments are allotted in the background, ahead of their use.
    package var preparesSegments = true
    package var threadCount = 2
    package var poisonsFreedBlocks = false
    /// Told what goes wrong in the background.
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
  }
}
