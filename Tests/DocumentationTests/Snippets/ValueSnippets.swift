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
