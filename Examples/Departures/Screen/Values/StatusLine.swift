/// How many flights have a status, and how late they are.
package struct StatusLine: Equatable, Sendable {
  package let status: DepartureLine.Status
  package let flightCount: Int
  /// Nil when no flight has a delay that is known.
  package let averageDelayMinutes: Int?

  package init(status: DepartureLine.Status, flightCount: Int, averageDelayMinutes: Int?) {
    self.status = status
    self.flightCount = flightCount
    self.averageDelayMinutes = averageDelayMinutes
  }

  /// `+31`; empty without a delay.
  var delayText: String {
    averageDelayMinutes.map { $0 > 0 ? "+\($0)" : "\($0)" } ?? ""
  }
}
