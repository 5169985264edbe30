import Firn

/// What the store keeps.
public final class Flight: Object {
  @Persisted(primaryKey: true) public var id: String
  @Persisted public var destination: String
  @Persisted public var gate: String?
  @Persisted(indexed: true) public var delay: Int
}

/// What clients get.
public struct FlightAnswer: Codable, Hashable, Sendable {
  public var id: String
  public var destination: String
  public var gate: String?
  public var delay: Int

  public init(_ flight: Flight) {
    id = flight.id
    destination = flight.destination
    gate = flight.gate
    delay = flight.delay
  }
}

/// All flights that were asked for, and where to go on from.
public struct FlightsAnswer: Codable, Hashable, Sendable {
  public var flights: [FlightAnswer]
  /// To be given to `/flights/live` as `after`.
  public var token: String

  public init(flights: [FlightAnswer], token: String) {
    self.flights = flights
    self.token = token
  }
}

/// What happened: put `upserted` in place of the flights with their ids or beside the others, and forget those of
/// `removed`.
public struct FlightsDelta: Codable, Hashable, Sendable {
  public var upserted: [FlightAnswer]
  public var removed: [String]
}
