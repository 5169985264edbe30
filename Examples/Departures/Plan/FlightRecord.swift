/// One row of flights.csv: what was scheduled, and what became of it.
package struct FlightRecord: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case arrived(departure: Minute, arrival: Minute)
    case diverted(departure: Minute)
    case cancelled
  }

  package let id: String
  package let carrier: String
  package let number: Int
  package let tailNumber: String?
  package let origin: String
  package let destination: String
  package let distanceMiles: Int
  package let scheduledDeparture: Minute
  package let scheduledArrival: Minute
  package let outcome: Outcome

  package init(
    id: String, carrier: String, number: Int, tailNumber: String?, origin: String, destination: String,
    distanceMiles: Int, scheduledDeparture: Minute, scheduledArrival: Minute, outcome: Outcome
  ) {
    self.id = id
    self.carrier = carrier
    self.number = number
    self.tailNumber = tailNumber
    self.origin = origin
    self.destination = destination
    self.distanceMiles = distanceMiles
    self.scheduledDeparture = scheduledDeparture
    self.scheduledArrival = scheduledArrival
    self.outcome = outcome
  }
}

extension FlightRecord {
  /// A delay beyond this is taken for a broken row; it also bounds the number of replay events of a row.
  private static let delayMinutesMax = 48 * 60

  package init(_ row: CSVRow) throws {
    id = try row.text("id")
    carrier = try row.text("carrier")
    number = try row.integer("number", in: 1...99_999)
    tailNumber = try row.optionalText("tailnum")
    origin = try row.text("origin")
    destination = try row.text("dest")
    distanceMiles = try row.integer("distance_mi", in: 1...15_000)
    scheduledDeparture = try row.minute("sched_dep")
    scheduledArrival = try row.minute("sched_arr")
    guard (1...FlightRecord.delayMinutesMax).contains(scheduledArrival - scheduledDeparture) else {
      throw row.error("sched_arr", "expected a time within two days after sched_dep")
    }
    outcome = try Outcome(row, scheduledDeparture: scheduledDeparture, scheduledArrival: scheduledArrival)
  }
}

extension FlightRecord.Outcome {
  fileprivate init(_ row: CSVRow, scheduledDeparture: Minute, scheduledArrival: Minute) throws {
    let airMinutes = try row.optionalInteger("air_time_min", in: 1...1_500)
    let departure = try row.actualTime("dep", scheduled: scheduledDeparture, delay: "dep_delay_min")
    let arrival = try row.actualTime("arr", scheduled: scheduledArrival, delay: "arr_delay_min")
    let name = try row.text("outcome")
    switch (name, departure, arrival) {
    case ("arrived", let departure?, let arrival?):
      guard let airMinutes, departure + airMinutes <= arrival else {
        throw row.error("air_time_min", "expected the minutes in the air, no more than from dep to arr")
      }
      self = .arrived(departure: departure, arrival: arrival)
    case ("diverted", let departure?, nil): self = .diverted(departure: departure)
    case ("cancelled", nil, nil): self = .cancelled
    case ("arrived", _, _): throw row.error("outcome", "expected dep and arr for a flight that arrived")
    case ("diverted", _, _): throw row.error("outcome", "expected dep and no arr for a diverted flight")
    case ("cancelled", _, _): throw row.error("outcome", "expected neither dep nor arr for a cancelled flight")
    default: throw row.error("outcome", "expected arrived, cancelled or diverted, found \"\(name)\"")
    }
  }
}

extension CSVRow {
  /// A time and its delay field, which say the same thing twice; nil if both are empty.
  fileprivate func actualTime(_ field: String, scheduled: Minute, delay delayField: String) throws -> Minute? {
    let actual = try optionalMinute(field)
    let delay = try optionalInteger(delayField, in: -1_440...2_880)
    guard actual == delay.map({ scheduled + $0 }) else {
      let expectation = actual.map { "\($0 - scheduled), the minutes from sched_\(field) to \(field)" }
      let found = delay.map(String.init) ?? "nothing"
      throw error(delayField, "expected \(expectation ?? "nothing, as in \(field)"), found \(found)")
    }
    return actual
  }
}
