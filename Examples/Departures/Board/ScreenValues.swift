internal import DeparturePlan
internal import DepartureScreen
internal import Firn
internal import Foundation

// What the screen shows of an object.

extension DepartureLine {
  init(_ flight: Flight, _ clock: BoardClock) {
    self.init(
      time: clock.text(flight.scheduledDeparture),
      flight: "\(flight.airline?.code ?? "??") \(flight.number)",
      origin: flight.origin?.code ?? "???",
      destination: flight.destination.map { "\($0.code) \($0.city)" } ?? "???",
      status: Status(flight.status),
      delayMinutes: flight.delay,
      aircraft: flight.plane.map { "\($0.maker) \($0.model)" } ?? "")
  }
}

extension DepartureLine.Status {
  init(_ status: FlightStatus) {
    switch status {
    case .scheduled: self = .scheduled
    case .delayed: self = .delayed
    case .departed: self = .departed
    case .arrived: self = .arrived
    case .cancelled: self = .cancelled
    case .diverted: self = .diverted
    }
  }
}

extension Plane {
  /// `Airbus`, where the registry has `AIRBUS INDUSTRIE`.
  fileprivate var maker: String { manufacturer.prefix { $0 != " " }.capitalized }
}

extension AirlineLine {
  init(_ airline: Airline) {
    self.init(
      code: airline.code, name: airline.name, departureCount: airline.departureCount,
      averageDelayMinutes: Int(airline.averageDelayMinutes))
  }
}

extension WeatherLine {
  init(_ weather: Weather) {
    var figures: [String] = []
    if let temperature = weather.temperature { figures.append("\(Int(temperature.rounded())) °F") }
    if let speed = weather.windSpeed {
      let direction = weather.windDegrees.map { " from \($0)°" } ?? ""
      figures.append("wind \(Int(speed.rounded())) mph" + (speed > 0 ? direction : ""))
    }
    if let rain = weather.rain, rain > 0 { figures.append("rain \(rain) in") }
    if let gusts = weather.gustSpeed { figures.append("gusts \(Int(gusts.rounded())) mph") }
    if let visibility = weather.visibility { figures.append("sight \(Int(visibility.rounded())) mi") }
    self.init(airport: weather.airport, figures: figures)
  }
}

extension StatusLine {
  init(_ group: LiveGroup<FlightStatus, Double?>) {
    self.init(
      status: DepartureLine.Status(group.key), flightCount: group.count,
      averageDelayMinutes: group.values.map { Int($0.rounded()) })
  }

  /// The lines of all groups, in the order in which a flight goes through the statuses.
  static func all(_ groups: BoardFeed.FlightsByStatus) -> [StatusLine] {
    let order = DepartureLine.Status.allCases
    return groups.map { StatusLine($0) }.sorted { left, right in
      order.firstIndex(of: left.status)! < order.firstIndex(of: right.status)!
    }
  }
}

extension LogLine {
  init(_ news: FlightNews, _ clock: BoardClock) {
    self.init(
      time: clock.text(news.time), text: "\(news.route) \(news.text(clock))", status: DepartureLine.Status(news.status))
  }
}

extension BoardStatus {
  init(_ board: Board, _ clock: BoardClock) {
    self.init(
      name: board.name, day: clock.day(of: board.clock), time: clock.text(board.clock),
      minutesPerSecond: board.minutesPerSecond, isPaused: board.isPaused, isDayOver: board.isDayOver)
  }
}
