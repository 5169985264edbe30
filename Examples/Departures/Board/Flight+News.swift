internal import DeparturePlan

extension Flight {
  /// What happened to the flight last: `delayed 30 min`
  func news(_ clock: BoardClock) -> String {
    switch status {
    case .scheduled: "scheduled for \(clock.text(scheduledDeparture))"
    case .delayed: "delayed \(delay ?? 0) min"
    case .departed: "departed \(Flight.lateness(delay ?? 0))"
    case .arrived, .cancelled, .diverted: status.rawValue
    }
  }

  private static func lateness(_ minutes: Int) -> String {
    minutes > 0 ? "\(minutes) min late" : minutes < 0 ? "\(-minutes) min early" : "on time"
  }
}
