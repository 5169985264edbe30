/// One flight as the board shows it.
package struct DepartureLine: Equatable, Sendable {
  package enum Status: String, CaseIterable, Sendable {
    case scheduled, delayed, departed, arrived, cancelled, diverted

    /// In at most six columns.
    var shortText: String {
      switch self {
      case .scheduled: "sched."
      case .delayed: "late"
      case .departed: "left"
      case .arrived: "landed"
      case .cancelled: "cancel"
      case .diverted: "divert"
      }
    }

    var style: Style {
      switch self {
      case .scheduled: .plain
      case .delayed: Style(.yellow)
      case .departed, .arrived: Style(.green)
      case .cancelled, .diverted: Style(.red, isBold: true)
      }
    }
  }

  /// As on the clock of the airport.
  package let time: String
  /// Airline and number, `B6 123`.
  package let flight: String
  /// The airport of departure.
  package let origin: String
  package let destination: String
  package let status: Status
  package let delayMinutes: Int?
  /// Empty for a plane that nobody knows.
  package let aircraft: String

  package init(
    time: String, flight: String, origin: String, destination: String, status: Status, delayMinutes: Int?,
    aircraft: String
  ) {
    self.time = time
    self.flight = flight
    self.origin = origin
    self.destination = destination
    self.status = status
    self.delayMinutes = delayMinutes
    self.aircraft = aircraft
  }
}
