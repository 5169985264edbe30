/// The state of the replay.
package struct BoardStatus: Equatable, Sendable {
  /// Of the town.
  package let name: String
  package let day: String
  package let time: String
  package let minutesPerSecond: Double
  package let isPaused: Bool
  /// Whether the last flight has come down.
  package let isDayOver: Bool

  package init(
    name: String, day: String, time: String, minutesPerSecond: Double, isPaused: Bool, isDayOver: Bool
  ) {
    self.name = name
    self.day = day
    self.time = time
    self.minutesPerSecond = minutesPerSecond
    self.isPaused = isPaused
    self.isDayOver = isDayOver
  }
}
