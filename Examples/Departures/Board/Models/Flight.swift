package import DeparturePlan
package import Firn

package enum FlightStatus: String, PersistableEnum {
  case scheduled, delayed, departed, arrived, cancelled, diverted
}

package class Flight: Object {
  @Persisted(primaryKey: true) package var id: String
  @Persisted package var airline: Airline?
  @Persisted package var number: Int
  /// Nil for planes that the registry extract does not know.
  @Persisted package var plane: Plane?
  @Persisted package var origin: Airport?
  @Persisted package var destination: Airport?
  @Persisted package var distanceMiles: Int
  @Persisted package var scheduledDeparture: Date
  @Persisted package var scheduledArrival: Date
  @Persisted(indexed: true) package var status: FlightStatus
  /// Minutes, as far as known; final from the departure on, and negative for an early one.
  @Persisted package var delay: Int?
  /// From two hours before its scheduled departure until some minutes after it left.
  @Persisted(indexed: true) package var isOnBoard: Bool
  /// When there was last news of this flight.
  @Persisted package var newsTime: Date
  /// `B6 123 JFK→BOS`. Stored, because every line of news begins with it.
  @Persisted package var route: String

  override package class var renamedProperties: [String: String] { ["changed": "newsTime"] }

  /// The flight without its links, which live in a realm.
  package convenience init(_ record: FlightRecord) {
    self.init()
    id = record.id
    number = record.number
    distanceMiles = record.distanceMiles
    scheduledDeparture = Date(record.scheduledDeparture)
    scheduledArrival = Date(record.scheduledArrival)
    route = Flight.route(record.carrier, record.number, record.origin, record.destination)
  }

  static func route(_ airline: String, _ number: Int, _ origin: String, _ destination: String) -> String {
    "\(airline) \(number) \(origin)→\(destination)"
  }
}
