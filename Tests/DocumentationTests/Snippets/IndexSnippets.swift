import Firn
import Foundation

/// The code in comments on indexes.
private enum Indexes {
  class Airport: Object {
    @Persisted var city: String
  }

  class Flight: Object {
    @Persisted var number: String
    @Persisted var status: String
    @Persisted var departure: Date
    @Persisted var from: Airport?

    override class func indexes() -> [Index] {
      [Index(\Flight.status, \Flight.departure), Index(\Flight.from?.city), .unique(\Flight.number)]
    }
  }

  class Person: Object {
    @Persisted(index: .ordered) var departure: Date
    @Persisted(index: .unique) var email: String
  }
}
