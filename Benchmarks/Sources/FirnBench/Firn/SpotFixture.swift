import Firn
import Foundation

/// A realm in memory of objects with places, open on the thread that made the fixture.
final class SpotFixture<Kind: PlacedObject> {
  let configuration = Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString, objectTypes: [Kind.self, SpotLocation.self])
  let realm: Realm

  init(filledWith dataset: PlaceDataset) throws {
    realm = try Realm(configuration: configuration)
    try realm.write { realm.addSpots(Kind.self, at: dataset.places) }
  }

  func engineByteCount() throws -> Int {
    let configuration = configuration
    return try waitFor { try await RealmStore.open(configuration) }.statistics.engineByteCount
  }
}

extension Realm {
  func addSpots<Kind: PlacedObject>(_ type: Kind.Type, at places: [Place]) {
    for (id, place) in places.enumerated() {
      let spot = Kind()
      spot.id = id
      spot.location = SpotLocation(place)
      add(spot)
    }
  }
}
