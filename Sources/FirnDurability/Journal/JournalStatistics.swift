/// What a journal did since it was opened.
package struct JournalStatistics: Equatable, Sendable {
  package var commitCount = 0
  package var syncCount = 0
  /// Bytes that an opening would read: those after the last checkpoint.
  package var byteCount = 0
  package var segmentCount = 0

  /// Commits per sync, on average.
  package var commitsPerSync: Double { syncCount == 0 ? 0 : Double(commitCount) / Double(syncCount) }
}
