internal import FirnEngine

/// The polygon of four corners on the globe.
///
/// Its sides are the shortest ways between the corners. So the northern and the southern side bulge towards the poles: a box
/// is no range of latitudes. Where the corners are more than half of the globe apart the box lies on the other side of it.
public final class GeoBox: Sendable, Equatable {
  /// The south-western corner.
  public let bottomLeft: GeoPoint
  /// The north-eastern corner.
  public let topRight: GeoPoint

  /// Makes a box. One without width or height makes queries trap or throw: it has no inside.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Makes a box of corners as pairs of latitude and longitude.
  ///
  /// - Returns: Nil when a number is NaN or out of its range.
  public convenience init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// Whether the corners are equal.
  public static func == (left: GeoBox, right: GeoBox) -> Bool {
    left.bottomLeft == right.bottomLeft && left.topRight == right.topRight
  }
}

extension GeoBox: GeoShape {
  func region() throws(InvalidPolygon) -> SphereRegion {
    .polygon(
      try SpherePolygon(outer: [
        bottomLeft.spherePoint,
        SpherePoint(latitude: topRight.latitude, longitude: bottomLeft.longitude),
        topRight.spherePoint,
        SpherePoint(latitude: bottomLeft.latitude, longitude: topRight.longitude),
      ]))
  }
}
