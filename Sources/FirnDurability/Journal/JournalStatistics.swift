/// What a journal did since it was opened.
package struct JournalStatistics: Equatable, Sendable {
  package var commitCount = 0
  package var syncCount = 0
  /// Frames that say that the commits before them are on disk.
  package var proofCount = 0
  /// Bytes that an opening would read: those after the last checkpoint.
  package var byteCount = 0
  /// Bytes of all segments, of which some may not be in use yet and others be kept as history.
  package var allottedByteCount = 0
  package var segmentCount = 0
  /// Those that an opening would read, and their bytes.
  package var neededSegmentCount = 0
  package var neededAllottedByteCount = 0
}
