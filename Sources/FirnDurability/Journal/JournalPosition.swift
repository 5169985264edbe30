/// Where the journal stopped and goes on.
package struct JournalPosition: Equatable, Sendable {
  /// The version of the last commit, in the journal or before it.
  package var version: UInt64
  /// The chain value after it; 0 when no segment is there.
  package var chain: UInt32
  /// The sequence number of the next segment.
  package var nextSequence: UInt64
  /// The segments that were read and may be on their way to the disk only: a process that dies leaves what it wrote, but
  /// not synchronized. They must be on disk before anything builds on them.
  package var unsynchronizedPaths: [String] = []
  /// Bytes of the commits that were read.
  package var replayedByteCount = 0

  /// The position of a store without segments.
  package init(version: UInt64, chain: UInt32 = 0, nextSequence: UInt64 = 1) {
    self.version = version
    self.chain = chain
    self.nextSequence = nextSequence
  }
}
