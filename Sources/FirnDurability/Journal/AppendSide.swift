/// Where the next commit goes in the journal, in the order of commits. Guarded by the journal's `appending`.
final class AppendSide {
  /// The bytes of the commit in the making; empty in between.
  var scratch = ByteWriter()
  var segment: Segment
  /// Where the next frame goes; 0 while the segment has no header.
  var position = 0
  /// The chain value after the last commit.
  var chain: UInt32
  /// The last commit.
  var version: UInt64
  /// Whether the segment after this one was ordered.
  var isPreparing = false
  var isClosed = false
  /// The segments that may still be needed, oldest first, the current one last.
  var extents: [SegmentExtent]
  /// Bytes that the opening read and no checkpoint has made superfluous.
  var replayedByteCount: Int

  init(segment: Segment, position: JournalPosition) {
    self.segment = segment
    chain = position.chain
    version = position.version
    extents = [SegmentExtent(sequence: segment.sequence, lastVersion: position.version, byteCount: 0)]
    replayedByteCount = position.replayedByteCount
  }

  /// Goes on in the next segment.
  func enter(_ segment: Segment) {
    self.segment = segment
    position = 0
    extents.append(SegmentExtent(sequence: segment.sequence, lastVersion: version, byteCount: 0))
  }
}

struct SegmentExtent {
  var sequence: UInt64
  /// The version of the last commit before the segment.
  var lastVersion: UInt64
  var byteCount: Int
}
