extension TableDescription {
  /// The tables of the collections inside mixed values. No class can have such a name.
  package static let nestedListsName = "AnyRealmValue.list"
  package static let nestedMapsName = "AnyRealmValue.dictionary"

  /// The only column of these tables.
  package static let nestedColumn = ColumnID(0)

  /// One row per list inside a mixed value. The value that leads to the row owns it.
  package static var nestedLists: TableDescription {
    TableDescription(
      name: nestedListsName, columns: [ColumnDescription(name: "elements", type: .mixed, collection: .list)])
  }

  /// One row per map inside a mixed value, like the lists.
  package static var nestedMaps: TableDescription {
    TableDescription(
      name: nestedMapsName, columns: [ColumnDescription(name: "entries", type: .mixed, collection: .map)])
  }
}
