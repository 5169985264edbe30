import DeparturePlan
import Firn

class Plane: Object {
  @Persisted(primaryKey: true) var tailNumber: String
  @Persisted var manufacturer: String
  @Persisted var model: String
  @Persisted var year: Int?
  @Persisted var seatCount: Int

  convenience init(_ record: PlaneRecord) {
    self.init()
    tailNumber = record.tailNumber
    manufacturer = record.manufacturer
    model = record.model
    year = record.year
    seatCount = record.seatCount
  }
}
