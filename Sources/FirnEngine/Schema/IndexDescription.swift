/// An ordered index of a table as the schema declares it.
package struct IndexDescription: Hashable, Sendable {
  /// What messages and explanations call it.
  package var name: String
  /// What rows are ordered by, the first path first: columns of the table, or of tables that to-one links lead to. No
  /// collections but the coordinates of places.
  package var paths: [ColumnPath]
  /// Whether no two rows may agree in all values. Rows with a null among them agree with none.
  package var isUnique: Bool
  /// The place by whose cell rows are ordered, instead of by values; the one path leads to its coordinates then.
  package let place: PlacePath?

  package init(name: String, paths: [ColumnPath], isUnique: Bool = false) {
    self.name = name
    self.paths = paths
    self.isUnique = isUnique
    place = nil
  }

  /// An index of places.
  package init(name: String, place: PlacePath) {
    self.name = name
    paths = [ColumnPath(links: place.links, place.coordinates)]
    isUnique = false
    self.place = place
  }

  /// All that the order of the rows depends on.
  var reads: [ColumnPath] { paths + (place.map { [ColumnPath(links: $0.links, $0.type)] } ?? []) }
}
