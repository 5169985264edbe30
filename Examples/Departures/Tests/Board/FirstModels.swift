import DepartureBoard
import Firn
import Foundation

/// The classes that have changed since, as they were in the first version of the board. Stores of that version have the
/// schema version 0.
enum FirstModels {
  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted var name: String
    @Persisted var city: String
    @Persisted var latitude: Double
    @Persisted var longitude: Double
    @Persisted var timeZone: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Flight: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var airline: Airline?
    @Persisted var number: Int
    @Persisted var plane: Plane?
    @Persisted var origin: Airport?
    @Persisted var destination: Airport?
    @Persisted var distanceMiles: Int
    @Persisted var scheduledDeparture: Date
    @Persisted var scheduledArrival: Date
    @Persisted(indexed: true) var status: FlightStatus
    @Persisted var delay: Int?
    @Persisted(indexed: true) var isOnBoard: Bool
    @Persisted var changed: Date

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Board: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var clock: Date
    @Persisted var isOpen: Bool
    @Persisted var stepCount: Int
    @Persisted var isDayOver: Bool
    @Persisted var minutesPerSecond: Double
    @Persisted var isPaused: Bool
    @Persisted var day: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static var types: [ObjectBase.Type] {
    [Airline.self, Airport.self, Plane.self, Weather.self, Flight.self, Board.self]
  }

  /// Writes what a board holds as the first version would have written it.
  static func write(_ board: Realm, into realm: Realm) {
    for airline in board.objects(Airline.self) { realm.create(Airline.self, value: airline) }
    for old in board.objects(DepartureBoard.Airport.self) {
      let airport = Airport()
      airport.code = old.code
      airport.name = old.name
      airport.city = old.city
      airport.longitude = old.location?.coordinates.first ?? 0
      airport.latitude = old.location?.coordinates.last ?? 0
      airport.timeZone = old.timeZone
      realm.add(airport)
    }
    for plane in board.objects(Plane.self) { realm.create(Plane.self, value: plane) }
    for weather in board.objects(Weather.self) { realm.create(Weather.self, value: weather) }
    for old in board.objects(DepartureBoard.Flight.self) {
      let flight = Flight()
      flight.id = old.id
      flight.airline = realm.object(ofType: Airline.self, forPrimaryKey: old.airline?.code)
      flight.number = old.number
      flight.plane = realm.object(ofType: Plane.self, forPrimaryKey: old.plane?.tailNumber)
      flight.origin = realm.object(ofType: Airport.self, forPrimaryKey: old.origin?.code)
      flight.destination = realm.object(ofType: Airport.self, forPrimaryKey: old.destination?.code)
      flight.distanceMiles = old.distanceMiles
      flight.scheduledDeparture = old.scheduledDeparture
      flight.scheduledArrival = old.scheduledArrival
      flight.status = old.status
      flight.delay = old.delay
      flight.isOnBoard = old.isOnBoard
      flight.changed = old.newsTime
      realm.add(flight)
    }
    for old in board.objects(DepartureBoard.Board.self) {
      let board = Board()
      board.name = old.name
      board.clock = old.clock
      board.isOpen = old.isOpen
      board.stepCount = old.stepCount
      board.isDayOver = old.isDayOver
      board.minutesPerSecond = old.minutesPerSecond
      board.isPaused = old.isPaused
      board.day = old.day
      realm.add(board)
    }
  }
}
