/// A commit as it was read from the journal.
package struct JournalCommit {
  package let kind: FrameKind
  package let version: UInt64
  package let previousVersion: UInt64
  package let author: String?
  package let metadata: [String: String]
  /// Whether the payload has old values behind the effects.
  package let hasOldValues: Bool
  /// Valid only during the call that the commit is handed to.
  package let payload: UnsafeRawBufferPointer
}

/// Commits are missing where the segments were left in order.
struct JournalGap: Error {
  /// A version from which they go on, behind the gap.
  let next: UInt64
  /// What it is where all commits are needed.
  let damage: StoreError
}

/// What reading a journal found.
package struct JournalReport: Equatable, Sendable {
  /// Where to go on.
  package var position: JournalPosition
  package var commitCount = 0
  /// The highest version known to have been on disk before, by the journal or the lock file.
  package var durableThrough: UInt64 = 0
  package var segmentCount = 0
  /// The highest epoch of any segment.
  package var epoch: UInt64 = 0
  /// The tail that a crash left behind, if there is one.
  package var cut: JournalCut?
}

/// Bytes behind the last whole commit, none of which was acknowledged.
package struct JournalCut: Equatable, Sendable {
  package var path: String
  package var offset: Int
  package var byteCount: Int
  package var reason: String
}
