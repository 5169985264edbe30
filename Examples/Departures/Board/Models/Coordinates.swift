package import Firn

/// A place on the globe, in the form in which queries ask for it.
package class Coordinates: EmbeddedObject {
  @Persisted package var type = "Point"
  /// Longitude and latitude in degrees.
  @Persisted package var coordinates: List<Double>

  convenience init(latitude: Double, longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}
