import Firn

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
