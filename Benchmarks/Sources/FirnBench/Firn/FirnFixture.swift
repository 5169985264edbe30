import Firn
import Foundation

/// A realm in memory, open on the thread that made the fixture.
final class FirnFixture {
  let configuration: Realm.Configuration
  let realm: Realm

  /// Empty.
  init(tracksObservation: Bool = false) throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.tracksObservation = tracksObservation
    self.configuration = configuration
    realm = try Realm(configuration: configuration)
  }

  convenience init(filledWith dataset: Dataset, tracksObservation: Bool = false) throws {
    try self.init(tracksObservation: tracksObservation)
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
