/// What the row on replaying the journal does.
enum Replay {
  static let commitCount = 100_000
}
