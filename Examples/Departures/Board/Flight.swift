import DeparturePlan
import Firn
import Foundation

enum FlightStatus: String, PersistableEnum {
  case scheduled, delayed, departed, arrived, cancelled, diverted
}

class Flight: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var airline: Airline?
  @Persisted var number: Int
  /// Nil for planes that the registry extract does not know.
  @Persisted var plane: Plane?
  @Persisted var origin: Airport?
  @Persisted var destination: Airport?
  @Persisted var distanceMiles: Int
  @Persisted var scheduledDeparture: Date
  @Persisted var scheduledArrival: Date
  @Persisted(indexed: true) var status: FlightStatus
  /// Minutes, as far as known; final from the departure on, and negative for an early one.
  @Persisted var delay: Int?
  /// When the board last changed this flight.
  @Persisted var changed: Date

  /// The flight without its links, which live in a realm.
  convenience init(_ record: FlightRecord) {
    self.init()
    id = record.id
    number = record.number
    distanceMiles = record.distanceMiles
    scheduledDeparture = Date(record.scheduledDeparture)
    scheduledArrival = Date(record.scheduledArrival)
  }

  /// `B6 123 JFK→BOS`
  var route: String {
    "\(airline?.code ?? "??") \(number) \(origin?.code ?? "???")→\(destination?.code ?? "???")"
  }
}
