/// A segment in the folder of the journal, as far as its length and its commits matter.
package struct SegmentExtent: Equatable, Sendable {
  package var sequence: UInt64
  /// The version of the last commit before the segment.
  package var lastVersion: UInt64
  /// Bytes in it that an opening would read: what this process wrote, or the opening read.
  package var byteCount = 0
  /// Where the last frame ends: that of the last commit, or a proof of it.
  package var end: Int
  /// The length of the file.
  package var allottedByteCount: Int

  /// The length that the file is cut to when nothing more is written to it. Whole blocks go; the last one stays as it is,
  /// since it may hold the end of a frame.
  var cutByteCount: Int { (end + 4_095) / 4_096 * 4_096 }
}
