import Firn
import Foundation

private enum Models {
  class Runway: Object {
    @Persisted var length: Int
  }

  class Airport: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted(indexed: true) var city: String
    @Persisted var elevation: Double?
    @Persisted var opened = Date(timeIntervalSince1970: 0)
    @Persisted var runways: List<Runway>

    var isHigh: Bool { (elevation ?? 0) > 1_500 }
  }

  enum Status: String, PersistableEnum {
    case scheduled, departed, cancelled
  }
}
