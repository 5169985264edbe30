internal import FirnEngine

/// What a ring of points bounds on the globe, less some holes.
///
/// Its sides are the shortest ways between neighbouring points. The inside of a ring is the side that is smaller than half
/// of the globe, in whichever direction the points follow each other. A point on a side may count as inside or outside.
///
/// A ring has at least four points, and the last one is the first one again. Rings that cross themselves or each other, touch
/// in more than one point, or lie outside of where they belong, can be made, but are refused by queries.
public final class GeoPolygon: Sendable, Equatable {
  /// The points around it, the first one again at the end.
  public let outerRing: [GeoPoint]
  /// The rings of what is left out; nil where none were given.
  public let holes: [[GeoPoint]]?

  private init?(checking outerRing: [GeoPoint], _ holes: [[GeoPoint]]?) {
    for ring in [outerRing] + (holes ?? []) where ring.count < 4 || ring.first != ring.last { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes a polygon without holes.
  ///
  /// - Returns: Nil for fewer than four points, and when the last point is not the first one.
  public convenience init?(outerRing: [GeoPoint]) { self.init(checking: outerRing, nil) }

  /// Makes a polygon.
  ///
  /// - Returns: Nil when a ring has fewer than four points, and when its last point is not its first one.
  public convenience init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) { self.init(checking: outerRing, holes) }

  /// Makes a polygon of points as pairs of latitude and longitude.
  ///
  /// - Returns: Nil when a number is NaN or out of its range, a ring has fewer than four points, or its last point is not its
  ///   first one.
  public convenience init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    let rings = holes.compactMap { GeoPoint.points($0) }
    guard let outerRing = GeoPoint.points(outerRing), rings.count == holes.count else { return nil }
    self.init(checking: outerRing, rings)
  }

  /// Makes a polygon of points as pairs of latitude and longitude.
  ///
  /// - Returns: Nil when a number is NaN or out of its range, a ring has fewer than four points, or its last point is not its
  ///   first one.
  public convenience init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// Whether all rings are equal. Polygons made without a word about holes equal none.
  public static func == (left: GeoPolygon, right: GeoPolygon) -> Bool {
    guard let holes = left.holes, let others = right.holes else { return false }
    return left.outerRing == right.outerRing && holes == others
  }
}

extension GeoPolygon: GeoShape {
  func region() throws(InvalidPolygon) -> SphereRegion {
    .polygon(
      try SpherePolygon(
        outer: outerRing.map(\.spherePoint), holes: (holes ?? []).map { $0.map(\.spherePoint) }))
  }
}
