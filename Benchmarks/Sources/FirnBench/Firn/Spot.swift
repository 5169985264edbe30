import Firn
import Foundation

/// An object with a place. Not in the default schema: the two classes have one name.
protocol PlacedObject: Object {
  var id: Int { get set }
  var location: SpotLocation? { get set }
}

class SpotLocation: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ place: Place) {
    self.init()
    coordinates.append(objectsIn: [place.longitude, place.latitude])
  }

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum Indexed {
  class Spot: Object, PlacedObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var location: SpotLocation?

    override class func indexes() -> [Index] { [.geo(\Spot.location)] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

enum Unindexed {
  class Spot: Object, PlacedObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var location: SpotLocation?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

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
