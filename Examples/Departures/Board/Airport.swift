import DeparturePlan
import Firn

class Airport: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name: String
  @Persisted var city: String
  @Persisted var latitude: Double
  @Persisted var longitude: Double
  @Persisted var timeZone: String

  convenience init(_ record: AirportRecord) {
    self.init()
    code = record.code
    name = record.name
    city = record.city
    latitude = record.latitude
    longitude = record.longitude
    timeZone = record.timeZone
  }
}
