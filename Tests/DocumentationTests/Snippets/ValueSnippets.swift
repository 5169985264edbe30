import Firn
import Foundation

/// The code in comments on values and custom types.
private enum Values {
  class Invoice: Object {
    @Persisted var total: Decimal128
  }

  static func change(_ invoice: Invoice) {
    invoice.total = "19.99"
    invoice.total *= 1.2
  }

  struct Celsius: CustomPersistable {
    typealias PersistedType = Double
    var degrees: Double
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
  }

  class CoordinateObject: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
  }
  struct Coordinate: CustomPersistable {
    typealias PersistedType = CoordinateObject
    var latitude, longitude: Double
    init(persistedValue: CoordinateObject) {
      latitude = persistedValue.latitude
      longitude = persistedValue.longitude
    }
    var persistableValue: CoordinateObject { CoordinateObject(value: [latitude, longitude]) }
  }

  struct Link: FailableCustomPersistable {
    typealias PersistedType = String
    let url: URL
    init?(persistedValue: String) {
      guard let url = URL(string: persistedValue) else { return nil }
      self.url = url
    }
    var persistableValue: String { url.absoluteString }
  }
}

/// The code of the page on values and custom types.
private enum ValuePage {
  class Invoice: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var total: Decimal128
  }

  struct Rights: OptionSet, PersistableRawRepresentable {
    let rawValue: Int
    static let read = Rights(rawValue: 1)
    static let write = Rights(rawValue: 2)
  }

  struct Distance: CustomPersistable {
    typealias PersistedType = Double
    var metres: Double
    init(persistedValue: Double) { metres = persistedValue }
    var persistableValue: Double { metres }
  }

  class Ride: Object {
    @Persisted var distance: Distance
  }

  class MoneyObject: EmbeddedObject {
    @Persisted var amount: Decimal128
    @Persisted var currency: String
  }

  struct Money: CustomPersistable {
    typealias PersistedType = MoneyObject
    var amount: Decimal128
    var currency: String
    init(persistedValue: MoneyObject) {
      amount = persistedValue.amount
      currency = persistedValue.currency
    }
    var persistableValue: MoneyObject { MoneyObject(value: [amount, currency] as [Any]) }
  }

  class Fare: Object {
    @Persisted var price: Money
    @Persisted var refund: Money?
    @Persisted var fees: Map<String, Money>
  }

  static func compare(_ fares: Results<Fare>, _ price: Money) {
    let same = fares.where { $0.price == price }
    let cheap = fares.where { $0.price.persistableValue.amount < 20 }
    _ = (same, cheap)
  }

  static func query(_ trips: Results<Ride>) {
    let far = trips.where { $0.distance > Distance(persistedValue: 1000) }
    let near = trips.where { $0.distance.persistableValue < 10 }
    _ = (far, near)
  }
}

struct Flags: OptionSet {
  let rawValue: Int
  static let bold = Flags(rawValue: 1)
}

extension Flags: PersistableRawRepresentable {}
