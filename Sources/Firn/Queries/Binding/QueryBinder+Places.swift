internal import FirnEngine

/// Places in regions of the globe.
extension QueryBinder {
  func bind(
    _ path: QueryKeyPath, _ comparison: QueryComparison, within shape: any GeoShape
  ) throws(QueryError) -> Predicate {
    let bound = try follow(path)
    let isNone = try checkModifier(comparison, bound)
    let place = try place(bound, comparison.position)
    let region: SphereRegion
    do throws(InvalidPolygon) {
      region = try shape.region()
    } catch {
      throw QueryError(
        "Invalid region in GEOWITHIN query for '\(bound.name)': \(error.rawValue).", expected: "a region",
        found: "an invalid polygon", at: comparison.position)
    }
    return modified(.within(place, region), bound, isNone: isNone)
  }

  /// The place that a path leads to.
  func place(at path: QueryKeyPath) throws(QueryError) -> PlacePath { try place(try follow(path), path.position) }

  /// The place that a path ends with.
  private func place(_ bound: BoundPath, _ position: Int?) throws(QueryError) -> PlacePath {
    guard case .values(let shape) = bound.content, shape.type == .object, let table = shape.target else {
      throw QueryError(
        "'\(bound.name)' holds data in the wrong format for a geoWithin query: it is of type '\(bound.typeName)', and "
          + "places are embedded objects.", expected: "an embedded object", found: bound.typeName,
        at: position)
    }
    let model = store.model(table)
    guard model.type.isEmbedded() else {
      throw QueryError(
        "A geoWithin query can only operate on a link to an embedded class: '\(bound.name)' leads to '\(model.name)', "
          + "which is none.", expected: "an embedded object", found: model.name, at: position)
    }
    var links: [ColumnID] = []
    if case .column(let path) = bound.operand { links = path.links + [path.column] }
    guard let place = model.place(behind: links) else {
      throw QueryError(
        "'\(bound.name)' links to data in the wrong format for a geoWithin query: '\(model.name)' needs the columns "
          + "'type' (String) and 'coordinates' (List<Double>).", expected: "a class that holds places",
        found: model.name, at: position)
    }
    return place
  }
}
