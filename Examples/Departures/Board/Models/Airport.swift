package import DeparturePlan
package import Firn

package class Airport: Object {
  @Persisted(primaryKey: true) package var code: String
  @Persisted package var name: String
  @Persisted package var city: String
  @Persisted package var location: Coordinates?
  @Persisted package var timeZone: String

  package convenience init(_ record: AirportRecord) {
    self.init()
    code = record.code
    name = record.name
    city = record.city
    location = Coordinates(latitude: record.latitude, longitude: record.longitude)
    timeZone = record.timeZone
  }
}
