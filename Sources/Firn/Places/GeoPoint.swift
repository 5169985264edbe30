internal import FirnEngine

/// A point of the globe, as a part of shapes that places are looked for in.
///
/// What is stored is an embedded object of a class of your own, with `type` and `coordinates`; see <doc:Places>.
public final class GeoPoint: Sendable, Equatable {
  /// Degrees north of the equator: -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich: -180 to 180.
  public let longitude: Double
  /// The height, which queries ignore: 0 or more.
  public let altitude: Double

  /// Makes a point.
  ///
  /// - Returns: Nil when a number is NaN or out of its range.
  public convenience init?(latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude, altitude: 0)
  }

  /// Makes a point with a height.
  ///
  /// - Returns: Nil when a number is NaN or out of its range.
  public init?(latitude: Double, longitude: Double, altitude: Double) {
    // NaN is in no range.
    guard latitude.magnitude <= 90, longitude.magnitude <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  convenience init?(_ pair: (Double, Double)) { self.init(latitude: pair.0, longitude: pair.1) }

  /// Whether all three numbers are equal.
  public static func == (left: GeoPoint, right: GeoPoint) -> Bool {
    left.latitude == right.latitude && left.longitude == right.longitude && left.altitude == right.altitude
  }

  var spherePoint: SpherePoint { SpherePoint(latitude: latitude, longitude: longitude) }

  /// The points of pairs of latitude and longitude; nil when one is none.
  static func points(_ pairs: [(Double, Double)]) -> [GeoPoint]? {
    let points = pairs.compactMap { GeoPoint($0) }
    return points.count == pairs.count ? points : nil
  }
}
