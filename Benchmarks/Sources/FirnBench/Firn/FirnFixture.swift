import Firn
import Foundation

/// A realm in memory, open on the thread that made the fixture.
final class FirnFixture {
  let configuration: Realm.Configuration
  let realm: Realm

  /// Empty.
  init() throws {
    configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    realm = try Realm(configuration: configuration)
  }

  convenience init(filledWith dataset: Dataset) throws {
    try self.init()
    try realm.write {
      for index in 0..<dataset.count { realm.add(Person(dataset.record(at: index))) }
    }
    try realm.write {
      for id in 0..<dataset.count { person(withID: id).best = person(withID: dataset.bests[id]) }
    }
  }

  func person(withID id: Int) -> Person {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: id) else { fatalError("no person \(id)") }
    return person
  }

  func persons(withIDs ids: [Int]) -> [Person] {
    ids.map(person(withID:))
  }

  func store() throws -> RealmStore {
    let configuration = configuration
    return try waitFor { try await RealmStore.open(configuration) }
  }

  func engineByteCount() throws -> Int {
    try store().statistics.engineByteCount
  }
}
