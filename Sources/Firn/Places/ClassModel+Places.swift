internal import FirnEngine

extension ClassModel {
  /// The place that objects of the class are, behind some links to them; nil for a class that holds none.
  func place(behind links: [ColumnID]) -> PlacePath? {
    guard let type = properties.first(where: { $0.columnName == "type" })?.column(ofType: .string, in: nil),
      let coordinates = properties.first(where: { $0.columnName == "coordinates" })?.column(ofType: .double, in: .list)
    else { return nil }
    return PlacePath(links: links, type: type, coordinates: coordinates)
  }
}

extension ClassModel.Property {
  /// The column, if it holds that.
  fileprivate func column(ofType type: PropertyType, in collection: CollectionKind?) -> ColumnID? {
    shape.type == type && shape.collection == collection ? ColumnID(column) : nil
  }
}
