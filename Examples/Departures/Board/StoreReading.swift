package import DepartureScreen
package import Foundation

/// What a store said of itself at a moment.
package struct StoreReading: Sendable {
  package let commitCount: Int
  package let rowCount: Int
  package let memoryByteCount: Int
  /// How long ago the newest version was committed; nil before the first commit.
  package let ageOfNewest: Duration?
  /// Nil for a store in memory.
  package let journalByteCount: Int?
  package let checkpointDate: Date?

  /// - Parameter latency: How old the newest version was when its observers were called.
  package func figures(commitsPerSecond: Double, latency: Duration?, now: Date = Date()) -> StoreFigures {
    StoreFigures(
      commitsPerSecond: commitsPerSecond, notificationMilliseconds: latency.map { $0 / .milliseconds(1) },
      rowCount: rowCount, memoryByteCount: memoryByteCount, journalByteCount: journalByteCount,
      secondsSinceCheckpoint: checkpointDate.map { max(0, now.timeIntervalSince($0)) })
  }
}
