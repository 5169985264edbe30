extension TableDescription {
  /// The only column of the tables of collections inside mixed values.
  package static let nestedColumn = ColumnID(0)

  /// One row per list inside a mixed value. The value that leads to the row owns it. No class can have such a name.
  package static var nestedLists: TableDescription {
    TableDescription(
      name: "AnyRealmValue.list", columns: [ColumnDescription(name: "elements", type: .mixed, collection: .list)],
      content: .lists)
  }

  /// One row per map inside a mixed value, like the lists.
  package static var nestedMaps: TableDescription {
    TableDescription(
      name: "AnyRealmValue.dictionary", columns: [ColumnDescription(name: "entries", type: .mixed, collection: .map)],
      content: .maps)
  }
}
