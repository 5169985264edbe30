/// The average of the last measurements.
///
/// The store's clock has a resolution of some milliseconds, so that one measurement of a short time says 0, or far too
/// much; many of them together are right.
package struct LatencyAverage: Sendable {
  private static let countMax = 128

  private var durations: [Duration] = []
  private var next = 0

  package init() {}

  package mutating func add(_ duration: Duration) {
    if durations.count < LatencyAverage.countMax {
      durations.append(duration)
    } else {
      durations[next] = duration
    }
    next = (next + 1) % LatencyAverage.countMax
  }

  /// Nil before the first measurement.
  package var average: Duration? {
    durations.isEmpty ? nil : durations.reduce(.zero, +) / durations.count
  }
}
