internal import DeparturePlan
package import Firn

/// What news is made of: the part of a flight that the log shows. Airlines and planes that it links to do not count.
package class FlightNews: Projection<Flight> {
  @Projected(\Flight.newsTime) package var time
  @Projected(\Flight.route) package var route
  @Projected(\Flight.status) package var status
  @Projected(\Flight.delay) var delay
  @Projected(\Flight.scheduledDeparture) var scheduledDeparture

  /// What happened to the flight last: `delayed 30 min`
  func text(_ clock: BoardClock) -> String {
    switch status {
    case .scheduled: "scheduled for \(clock.text(scheduledDeparture))"
    case .delayed: "delayed \(delay ?? 0) min"
    case .departed: "departed \(FlightNews.lateness(delay ?? 0))"
    case .arrived, .cancelled, .diverted: status.rawValue
    }
  }

  private static func lateness(_ minutes: Int) -> String {
    minutes > 0 ? "\(minutes) min late" : minutes < 0 ? "\(-minutes) min early" : "on time"
  }
}
