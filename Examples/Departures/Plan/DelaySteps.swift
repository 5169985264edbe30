/// Decides when an airline's average delay is worth a line: when it has moved by a whole step since the last line.
///
/// Measuring from the last line, not from fixed marks, keeps an average that trembles around a mark from filling the
/// board.
package struct DelaySteps {
  package static let stepMinutes = 10.0
  /// Averages over fewer departures jump too much to mean anything.
  package static let departureCountMin = 5

  private var announced: [String: Double] = [:]

  package init() {}

  package mutating func isWorthALine(airline: String, averageMinutes: Double, departureCount: Int) -> Bool {
    guard departureCount >= DelaySteps.departureCountMin else { return false }
    guard abs(averageMinutes - announced[airline, default: 0]) >= DelaySteps.stepMinutes else { return false }
    announced[airline] = averageMinutes
    return true
  }
}
