/// Converts between the day's minutes and the time that passes: a value, which the caller tells what time it is.
package struct PaceClock: Sendable {
  package private(set) var minutesPerSecond: Double
  package private(set) var isPaused = false
  private var isHeld = false
  /// The minute of the day that it was at `since`.
  private var minute = 0.0
  private var since: ContinuousClock.Instant?

  package init(minutesPerSecond: Double) {
    self.minutesPerSecond = minutesPerSecond
  }

  /// Lets the clock go on from a minute.
  package mutating func start(at minute: Double, now: ContinuousClock.Instant) {
    self.minute = minute
    since = now
  }

  package mutating func setMinutesPerSecond(_ speed: Double, at now: ContinuousClock.Instant) {
    settle(at: now)
    minutesPerSecond = speed
  }

  package mutating func setPaused(_ isPaused: Bool, at now: ContinuousClock.Instant) {
    settle(at: now)
    self.isPaused = isPaused
  }

  /// Stands still as in a pause, whether paused or not.
  package mutating func setHeld(_ isHeld: Bool, at now: ContinuousClock.Instant) {
    settle(at: now)
    self.isHeld = isHeld
  }

  /// How long it takes until a minute has come, not above zero if it has; nil while the clock stands still.
  package func duration(until target: Double, at now: ContinuousClock.Instant) -> Duration? {
    guard !isPaused, !isHeld, since != nil else { return nil }
    return .seconds((target - minute(at: now)) / minutesPerSecond)
  }

  private func minute(at now: ContinuousClock.Instant) -> Double {
    guard let since, !isPaused, !isHeld else { return minute }
    let (seconds, attoseconds) = (now - since).components
    return minute + (Double(seconds) + Double(attoseconds) / 1e18) * minutesPerSecond
  }

  private mutating func settle(at now: ContinuousClock.Instant) {
    minute = minute(at: now)
    if since != nil { since = now }
  }
}
