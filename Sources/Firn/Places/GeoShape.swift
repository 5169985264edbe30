internal import FirnEngine

/// ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``, for code that is generic over them. Not to be conformed to.
public protocol RLMGeospatial: AnyObject, Sendable {}

/// A part of the globe that places are looked for in: an argument of queries.
protocol GeoShape: RLMGeospatial {
  /// The part of the sphere. Throws for rings that bound nothing certain.
  ///
  /// - Complexity: O(1) for circles and boxes, O(n log n) for polygons of n vertices.
  func region() throws(InvalidPolygon) -> SphereRegion
}
