/// What a column stores in each row, or in each element of its list.
@usableFromInline
package enum ColumnType: UInt8, Hashable, Sendable, BitwiseCopyable {
  case bool, int, float, double, string, data, date, objectID, uuid, decimal128, link
}

/// A column as the schema declares it.
package struct ColumnDescription: Hashable, Sendable {
  package var name: String
  /// What files call it.
  package var storedName: String
  package var type: ColumnType
  /// Whether rows (or the elements of a list) may be null. Single links always may; links in lists never are.
  package var isNullable: Bool
  /// Whether the column holds a list of `type` per row.
  package var isList: Bool
  /// Whether equality is served by a hash index.
  package var isIndexed: Bool
  /// Whether values are unique and looked up by ``Snapshot`` as the primary key. At most one per table.
  package var isPrimaryKey: Bool
  /// The table that links lead to.
  package var target: TableID?

  package init(
    name: String, type: ColumnType, isNullable: Bool = false, isList: Bool = false, isIndexed: Bool = false,
    isPrimaryKey: Bool = false, target: TableID? = nil, storedName: String? = nil
  ) {
    self.name = name
    self.storedName = storedName ?? name
    self.type = type
    self.isNullable = isNullable || (type == .link && !isList)
    self.isList = isList
    self.isIndexed = isIndexed && !isPrimaryKey
    self.isPrimaryKey = isPrimaryKey
    self.target = target
  }
}

/// A table as the schema declares it.
package struct TableDescription: Hashable, Sendable {
  package var name: String
  package var columns: [ColumnDescription]

  package init(name: String, columns: [ColumnDescription]) {
    self.name = name
    self.columns = columns
  }
}
