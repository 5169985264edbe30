package import DeparturePlan
package import Firn

package class Plane: Object {
  @Persisted(primaryKey: true) package var tailNumber: String
  @Persisted package var manufacturer: String
  @Persisted package var model: String
  @Persisted package var year: Int?
  @Persisted package var seatCount: Int

  package convenience init(_ record: PlaneRecord) {
    self.init()
    tailNumber = record.tailNumber
    manufacturer = record.manufacturer
    model = record.model
    year = record.year
    seatCount = record.seatCount
  }
}
