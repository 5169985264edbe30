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

  private func isWithin(_ shape: any GeoShape) -> Query<Bool> { compare(.isIn, shape) }
}
