import Firn
import Foundation
import Testing

final class ResultsDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(indexed: true) var breed: String
  @Persisted var age: Int
  @Persisted var weight: Double?
  @Persisted var born: Date
  @Persisted var friend: ResultsDog?

  convenience init(id: Int, name: String, breed: String = "mutt", age: Int = 0, weight: Double? = nil) {
    self.init()
    self.id = id
    self.name = name
    self.breed = breed
    self.age = age
    self.weight = weight
    born = Date(timeIntervalSinceReferenceDate: Double(id))
  }

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A realm of its own for each test, so that tests run beside each other.
func makeResultsRealm(dogs count: Int = 0) throws -> Realm {
  let realm = try Realm(
    configuration: .init(inMemoryIdentifier: UUID().uuidString, objectTypes: [ResultsDog.self]))
  try addDogs(0..<count, to: realm)
  return realm
}

func addDogs(_ ids: Range<Int>, to realm: Realm) throws {
  try realm.write {
    for id in ids {
      realm.add(
        ResultsDog(
          id: id, name: "dog \(id % 7)", breed: "breed \(id % 5)", age: id * 7 % 20,
          weight: id % 3 == 0 ? nil : Double(id % 11)))
    }
  }
}
