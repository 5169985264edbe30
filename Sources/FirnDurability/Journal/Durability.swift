/// When commits reach the disk.
package enum Durability: Equatable, Sendable {
  /// Before anybody sees them.
  case everyCommit
  /// At most that long after they were made.
  case interval(Duration)
  /// With the next checkpoint, or when somebody asks.
  case onCheckpoint
}
