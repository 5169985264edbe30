internal import FirnEngine

/// A part of the globe that places are looked for in: an argument of queries.
protocol GeoShape: AnyObject, Sendable {
  /// The part of the sphere. Throws for rings that bound nothing certain.
  ///
  /// - Complexity: O(1) for circles and boxes, O(n log n) for polygons of n vertices.
  func region() throws(InvalidPolygon) -> SphereRegion
}
