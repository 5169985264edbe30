import Firn
import Foundation

enum FlightStatus: String, PersistableEnum, CaseIterable {
  case boarding, cancelled, departed
}

class LiveCarrier: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var fee: Double
  @Persisted var alliance: String?
  @Persisted var partner: LiveCarrier?
  @Persisted var fleet: List<LiveFlight>
  @Persisted var favourites: MutableSet<LiveFlight>
  @Persisted(originProperty: "carrier") var flights: LinkingObjects<LiveFlight>
}

class LiveFlight: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var gate: String
  @Persisted var status: FlightStatus
  @Persisted var delay: Int?
  @Persisted var fare: Double
  @Persisted var weight: Float
  @Persisted var price: Decimal128
  @Persisted var departs: Date
  @Persisted var isFull: Bool
  @Persisted var note: AnyRealmValue
  @Persisted var carrier: LiveCarrier?
}

/// A realm in memory with carriers and flights.
func liveRealm() throws -> Realm {
  try Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [LiveCarrier.self, LiveFlight.self]))
}

extension Realm {
  @discardableResult
  func addFlight(
    _ id: Int, gate: String = "A", _ status: FlightStatus = .boarding, delay: Int? = nil, fare: Double = 0,
    carrier: LiveCarrier? = nil
  ) -> LiveFlight {
    create(
      LiveFlight.self,
      value: ["id": id, "gate": gate, "status": status, "delay": delay as Any, "fare": fare, "carrier": carrier as Any])
  }
}
