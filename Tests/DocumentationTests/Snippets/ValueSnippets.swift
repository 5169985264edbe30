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

struct Flags: OptionSet {
  let rawValue: Int
  static let bold = Flags(rawValue: 1)
}

extension Flags: PersistableRawRepresentable {}
