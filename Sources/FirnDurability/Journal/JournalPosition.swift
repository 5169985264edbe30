/// Where the journal stopped and goes on.
package struct JournalPosition: Equatable, Sendable {
  /// The version of the last commit, in the journal or before it.
  package var version: UInt64
  /// The chain value after it; stands for base and deltas when no segment leads there.
  package var chain: UInt32
  /// The sequence number of the next segment.
  package var nextSequence: UInt64
  /// All segments in the folder but those that hold nothing, oldest first.
  package var extents: [SegmentExtent] = []
  /// The number of the first segment that was read; those before count for nothing.
  package var firstNeeded: UInt64 = 0
  /// Segments that hold nothing.
  package var emptyPaths: [String] = []
  /// Segments with commits that base and deltas hold, but not the last of those.
  package var supersededPaths: [String] = []
  /// What has to be brought onto the disk before anything builds on it.
  package var unproven: UnprovenSegment?
  /// Segments that hold nothing acknowledged, as far as the disk lets them be read. They have to go before anything builds
  /// on what lies before them: some day they may be read again.
  package var unreadablePaths: [String] = []
  /// Bytes of the commits that were read.
  package var replayedByteCount = 0

  /// The position of a store without segments.
  package init(version: UInt64, chain: UInt32 = 0, nextSequence: UInt64 = 1) {
    self.version = version
    self.chain = chain
    self.nextSequence = nextSequence
  }

  /// Whether anything has to be done before the journal goes on from here.
  package var isSecure: Bool { unproven == nil && unreadablePaths.isEmpty }

  /// Makes sure that what was read is what every later opening reads.
  ///
  /// - Returns: Whether the bytes are still those that were read. If not, the journal has to be read again.
  package func secure(in fileSystem: any FileSystem) throws(DiskError) -> Bool {
    if let unproven, try !secure(unproven, in: fileSystem) { return false }
    for path in unreadablePaths { try fileSystem.remove(path) }
    if let path = unreadablePaths.first { try fileSystem.synchronizeFolder(fileSystem.folder(of: path)) }
    return true
  }

  private func secure(_ unproven: UnprovenSegment, in fileSystem: any FileSystem) throws(DiskError) -> Bool {
    do throws(DiskError) {
      return try unproven.secure(in: fileSystem)
    } catch {
      // On a full disk, a segment that was allotted ahead may be what is in the way.
      if !error.isLackOfRoom || emptyPaths.isEmpty { throw error }
      for path in emptyPaths { try fileSystem.remove(path) }
      return try unproven.secure(in: fileSystem)
    }
  }
}
