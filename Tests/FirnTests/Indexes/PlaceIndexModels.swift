import Foundation

@testable import Firn

/// Spots with an index of their places, and the same classes without one.
enum Placed {
  final class Location: EmbeddedObject {
    @Persisted var type: String
    @Persisted var coordinates: List<Double>
    @Persisted var note = 0

    convenience init(_ latitude: Double, _ longitude: Double) {
      self.init()
      type = "Point"
      coordinates.append(objectsIn: [longitude, latitude])
    }

    override class func _realmObjectName() -> String? { "Location" }
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Spot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kind: Int
    @Persisted var location: Location?
    @Persisted var next: Spot?

    override class func indexes() -> [Index] { [.geo(\Spot.location), .geo(\Spot.next?.location), Index(\Spot.kind)] }
    override class func _realmObjectName() -> String? { "Spot" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static let types: [ObjectBase.Type] = [Spot.self, Location.self]
}

enum Unplaced {
  final class Spot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kind: Int
    @Persisted var location: Placed.Location?
    @Persisted var next: Spot?

    override class func _realmObjectName() -> String? { "Spot" }
    override static func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  static let types: [ObjectBase.Type] = [Spot.self, Placed.Location.self]
}

extension SeededRandom {
  /// A place; mostly near one of few, so that regions hold many or none.
  mutating func location() -> (latitude: Double, longitude: Double) {
    if chance(15) { return (.random(in: -90...90, using: &self), .random(in: -180...180, using: &self)) }
    let centers = [(89.0, 0.0), (-89, 50), (10, 179.5), (-20, -179.5), (0, 0), (45, 45), (35.3, -45)]
    let center = centers[below(centers.count)]
    let longitude = center.1 + .random(in: -2...2, using: &self)
    return (
      min(90, max(-90, center.0 + .random(in: -2...2, using: &self))),
      longitude > 180 ? longitude - 360 : (longitude < -180 ? longitude + 360 : longitude)
    )
  }

  mutating func circle() -> GeoCircle {
    GeoCircle(center: location(), radiusInRadians: [0.001, 0.01, 0.03, 0.3, 1.5, 3][below(6)])!
  }

  mutating func box() -> GeoBox {
    let (latitude, longitude) = location()
    let (low, left) = (min(latitude, 88), min(longitude, 177))
    let height = Double.random(in: 0.01...(89.5 - low), using: &self)
    return GeoBox(
      bottomLeft: (low, left), topRight: (low + height, left + .random(in: 0.01...min(120, 179 - left), using: &self)))!
  }
}
