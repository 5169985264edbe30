import Firn
import Foundation

/// Is encoded and decoded as it stands.
final class Parcel: Object, Codable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var weight: Decimal128
  @Persisted var sent: Date?
  @Persisted var labels: List<String>
  @Persisted var notes: Map<String, String?>
  @Persisted var destination: Destination?
}

final class Destination: EmbeddedObject, Codable {
  @Persisted var city: String
  @Persisted var country: String?
}

/// A type of the program's own, whose stored form may have become unreadable.
struct Postcode: FailableCustomPersistable, Equatable {
  typealias PersistedType = String
  let digits: String

  init?(persistedValue: String) {
    guard persistedValue.count == 5 else { return nil }
    digits = persistedValue
  }
  var persistableValue: String { digits }
}

class Warehouse: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var postcode: Postcode?
  @Persisted var served: List<Postcode>
  @Persisted var byStreet: Map<String, Postcode?>
}
