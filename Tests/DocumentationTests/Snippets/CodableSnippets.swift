import Firn
import Foundation

private enum CodableModels {
  class Passenger: Object, Codable {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var seat: String?
    @Persisted var bags: List<Int>
  }

  static func exchange(_ realm: Realm, _ data: Data) throws -> Data {
    let passenger = try JSONDecoder().decode(Passenger.self, from: data)
    try realm.write { realm.add(passenger, update: .modified) }
    let text = try JSONEncoder().encode(passenger)
    return text
  }
}
