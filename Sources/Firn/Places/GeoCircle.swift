internal import FirnEngine

/// All points of the globe within a distance of a centre, those at that distance included.
public final class GeoCircle: Sendable, Equatable {
  /// The centre.
  public let center: GeoPoint
  /// The greatest distance from the centre, as an angle.
  public let radians: Double

  private init?(_ center: GeoPoint?, _ radians: Double) {
    guard let center, radians >= 0 else { return nil }
    self.center = center
    self.radians = radians
  }

  /// Makes a circle.
  ///
  /// - Returns: Nil when the radius is NaN or negative. An infinite one is the whole globe.
  public convenience init?(center: GeoPoint, radiusInRadians: Double) { self.init(Optional(center), radiusInRadians) }

  /// Makes a circle.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radians = radius.radians
  }

  /// Makes a circle about a pair of latitude and longitude.
  ///
  /// - Returns: Nil when a number is NaN or out of its range.
  public convenience init?(center: (Double, Double), radiusInRadians: Double) {
    self.init(GeoPoint(center), radiusInRadians)
  }

  /// Makes a circle about a pair of latitude and longitude.
  ///
  /// - Returns: Nil when a number of the pair is NaN or out of its range.
  public convenience init?(center: (Double, Double), radius: Distance) { self.init(GeoPoint(center), radius.radians) }

  /// Whether centre and radius are equal.
  public static func == (left: GeoCircle, right: GeoCircle) -> Bool {
    left.center == right.center && left.radians == right.radians
  }
}

extension GeoCircle: GeoShape {
  func region() -> SphereRegion { .cap(SphereCap(center: center.spherePoint, radius: radians)) }
}
