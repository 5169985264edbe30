/// Commits per second over the last seconds, from readings of a counter.
package struct CommitRate: Sendable {
  private static let window = Duration.seconds(3)

  private var readings: [(count: Int, time: ContinuousClock.Instant)] = []

  package init() {}

  /// Takes a reading, no earlier than the one before, and gives the rate up to it; 0 for the first.
  package mutating func read(_ count: Int, at time: ContinuousClock.Instant) -> Double {
    readings.append((count, time))
    // One reading from before the window stays, so that the window is always covered.
    while readings.count > 2, time - readings[1].time >= CommitRate.window { readings.removeFirst() }
    let elapsed = time - readings[0].time
    return elapsed > .zero ? Double(count - readings[0].count) / (elapsed / .seconds(1)) : 0
  }
}
