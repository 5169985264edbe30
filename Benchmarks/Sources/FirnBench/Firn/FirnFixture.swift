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
    try realm.fill(with: dataset)
  }

  func person(withID id: Int) -> Person { realm.person(withID: id) }

  func persons(withIDs ids: [Int]) -> [Person] { realm.persons(withIDs: ids) }

  func store() throws -> RealmStore {
    let configuration = configuration
    return try waitFor { try await RealmStore.open(configuration) }
  }

  func engineByteCount() throws -> Int {
    try store().statistics.engineByteCount
  }
}
