import DeparturePlan
import Firn

class Airline: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name: String
  @Persisted var departureCount: Int
  /// Of all departures together; an early one counts as punctual.
  @Persisted var delayMinutes: Int

  convenience init(_ record: AirlineRecord) {
    self.init()
    code = record.code
    name = record.name
  }

  /// 0 before the first departure.
  var averageDelayMinutes: Double {
    departureCount == 0 ? 0 : Double(delayMinutes) / Double(departureCount)
  }
}
