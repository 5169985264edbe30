package import DeparturePlan
package import Firn

package class Airline: Object {
  @Persisted(primaryKey: true) package var code: String
  @Persisted package var name: String
  @Persisted package var departureCount: Int
  /// Of all departures together; an early one counts as punctual.
  @Persisted package var delayMinutes: Int
  /// 0 before the first departure. Stored, because it is sorted by.
  @Persisted package var averageDelayMinutes: Double

  package convenience init(_ record: AirlineRecord) {
    self.init()
    code = record.code
    name = record.name
  }

  func addDeparture(delayMinutes minutes: Int) {
    departureCount += 1
    delayMinutes += max(minutes, 0)
    averageDelayMinutes = Double(delayMinutes) / Double(departureCount)
  }
}
