/// What the footer tells about the store.
package struct StoreFigures: Equatable, Sendable {
  package var commitsPerSecond: Double
  /// From the last commit to its observers; nil before the first.
  package var notificationMilliseconds: Double?
  package var rowCount: Int
  package var memoryByteCount: Int
  /// Nil for a store in memory, which has none.
  package var journalByteCount: Int?
  /// Nil before the first.
  package var secondsSinceCheckpoint: Double?

  package init(
    commitsPerSecond: Double, notificationMilliseconds: Double?, rowCount: Int, memoryByteCount: Int,
    journalByteCount: Int?, secondsSinceCheckpoint: Double?
  ) {
    self.commitsPerSecond = commitsPerSecond
    self.notificationMilliseconds = notificationMilliseconds
    self.rowCount = rowCount
    self.memoryByteCount = memoryByteCount
    self.journalByteCount = journalByteCount
    self.secondsSinceCheckpoint = secondsSinceCheckpoint
  }
}
