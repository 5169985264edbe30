extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Whether the place lies in a box. Objects that are no place, and nil, lie in none.
  ///
  /// Traps when the class holds no places, and for a box without width or height.
  public func geoWithin(_ value: GeoBox) -> Query<Bool> { isWithin(value) }

  /// Whether the place lies in a polygon. Objects that are no place, and nil, lie in none.
  ///
  /// Traps when the class holds no places, and for a polygon whose rings cross, or lie where they do not belong.
  public func geoWithin(_ value: GeoPolygon) -> Query<Bool> { isWithin(value) }

  /// Whether the place lies in a circle. Objects that are no place, and nil, lie in none.
  ///
  /// Traps when the class holds no places.
  public func geoWithin(_ value: GeoCircle) -> Query<Bool> { isWithin(value) }

  /// Whether the place lies in a shape, in code that is generic over shapes.
  ///
  /// Traps as the forms for each shape do.
  @_disfavoredOverload
  public func geoWithin<Shape: RLMGeospatial>(_ value: Shape) -> Query<Bool> {
    guard let shape = value as? any GeoShape else {
      fatalError("'\(Shape.self)' is no shape. Give a GeoBox, a GeoCircle or a GeoPolygon.")
    }
    return isWithin(shape)
  }

  private func isWithin(_ shape: any GeoShape) -> Query<Bool> { compare(.isIn, shape) }
}
