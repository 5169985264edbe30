/// What happens on the board and when: the day's rows turned into a list of events in order of time.
///
/// A flight appears two hours before its scheduled departure. If it leaves late, the delay known to the board grows in
/// steps of 15 minutes, each posted when the time posted before has come:
///
///     scheduled 14:00, left 14:40    14:00 delayed 15    14:15 delayed 30    14:30 delayed 40    14:40 departed
///
/// A cancelled flight is cancelled at its scheduled departure. A diverted flight, whose landing the data does not give,
/// is diverted when it would have landed: at its scheduled arrival, later by the delay at departure. Some minutes after
/// its departure, or its cancellation, a flight leaves the board.
package struct ReplayPlan: Sendable {
  /// Raised when the same day gives other steps, because boards count the steps that are done.
  package static let version = 1

  package enum Change: Equatable, Sendable {
    case appears
    case delayed(minutes: Int)
    case cancelled
    /// Negative: early.
    case departed(delayMinutes: Int)
    case arrived
    case diverted
    case leavesBoard
  }

  package struct Event: Equatable, Sendable {
    package let time: Minute
    /// Position in the flights that the plan was made from.
    package let flight: Int
    package let change: Change

    package init(time: Minute, flight: Int, change: Change) {
      self.time = time
      self.flight = flight
      self.change = change
    }
  }

  /// Everything that the replay does at one time.
  package struct Step: Sendable {
    package let time: Minute
    package let events: ArraySlice<Event>
    /// The observations made since the step before, in order of time.
    package let weather: ArraySlice<WeatherRecord>
  }

  package static let leadMinutes = 120
  package static let delayStepMinutes = 15
  package static let departedMinutes = 10
  package static let cancelledMinutes = 45

  /// In order of time; at one time in order of flights, and for one flight in the order in which they happen.
  package let events: [Event]
  private let weather: [WeatherRecord]

  package init(_ day: FlightDay) {
    self.init(flights: day.flights, weather: day.weather)
  }

  /// - Parameter weather: In order of time.
  package init(flights: [FlightRecord], weather: [WeatherRecord] = []) {
    self.weather = weather
    // `sort` is stable for equal elements only by accident, so the order of making is part of the key.
    let made = flights.enumerated().flatMap { position, flight in
      ReplayPlan.changes(of: flight).map { Event(time: $0.time, flight: position, change: $0.change) }
    }
    events = made.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  /// A step for each minute in which something happens to a flight.
  package var steps: [Step] {
    var steps: [Step] = []
    var start = 0
    var observed = 0
    while start < events.count {
      let time = events[start].time
      let end = events[start...].firstIndex { $0.time != time } ?? events.count
      let seen = weather[observed...].firstIndex { $0.time > time } ?? weather.count
      steps.append(Step(time: time, events: events[start..<end], weather: weather[observed..<seen]))
      (start, observed) = (end, seen)
    }
    return steps
  }

  private static func changes(of flight: FlightRecord) -> [(time: Minute, change: Change)] {
    let scheduled = flight.scheduledDeparture
    let departure: Minute
    let end: (time: Minute, change: Change)
    switch flight.outcome {
    case .cancelled:
      return [
        (scheduled - leadMinutes, .appears), (scheduled, .cancelled), (scheduled + cancelledMinutes, .leavesBoard),
      ]
    case .arrived(let left, let arrival):
      departure = left
      end = (arrival, .arrived)
    case .diverted(let left):
      departure = left
      end = (flight.scheduledArrival + (left - scheduled), .diverted)
    }
    let delay = departure - scheduled
    var changes: [(Minute, Change)] = [(min(scheduled - leadMinutes, departure), .appears)]
    for posted in stride(from: 0, to: delay, by: delayStepMinutes) {
      changes.append((scheduled + posted, .delayed(minutes: min(posted + delayStepMinutes, delay))))
    }
    changes.append((departure, .departed(delayMinutes: delay)))
    changes.append((departure + departedMinutes, .leavesBoard))
    changes.append(end)
    return changes
  }
}
