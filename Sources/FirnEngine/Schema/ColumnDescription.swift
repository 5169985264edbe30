/// What a column stores in each row, or in each element of its collection.
@usableFromInline
package enum ColumnType: UInt8, Hashable, Sendable, BitwiseCopyable {
  case bool, int, float, double, string, data, date, objectID, uuid, decimal128, link
  /// A value of any of these types, or a list or map of such, told by ``MixedBytes``.
  case mixed
}

/// The collections that a column may hold in each row.
package enum CollectionKind: UInt8, Hashable, Sendable {
  /// Elements at positions.
  case list
  /// Each element once, ascending by `ElementOrder`.
  case set
  /// Values by string keys, ascending by the bytes of the keys.
  case map
}

/// A column as the schema declares it.
package struct ColumnDescription: Hashable, Sendable {
  package var name: String
  /// What files call it.
  package var storedName: String
  package var type: ColumnType
  /// Whether rows, or the elements of a collection, may be null. Single links, links in maps and mixed values always may;
  /// links in lists and sets never are.
  package var isNullable: Bool
  /// Which collection of `type` the column holds per row; nil when it holds a single value.
  package var collection: CollectionKind?
  /// Whether equality is served by a hash index.
  package var isIndexed: Bool
  /// Whether values are unique and looked up by ``GraphContents`` as the primary key. At most one per table.
  package var isPrimaryKey: Bool
  /// The table that links lead to.
  package var target: TableID?
  /// What links mean for their targets.
  package var linkKind: LinkKind
  /// What a row gets that is inserted without a value; nil for null, or else zero, false or empty. Neither a link nor a
  /// collection.
  package var insertDefault: Value?

  package init(
    name: String, type: ColumnType, isNullable: Bool = false, collection: CollectionKind? = nil,
    isIndexed: Bool = false, isPrimaryKey: Bool = false, target: TableID? = nil, linkKind: LinkKind = .nullify,
    storedName: String? = nil, insertDefault: Value? = nil
  ) {
    self.name = name
    self.storedName = storedName ?? name
    self.type = type
    self.isNullable = isNullable || (type == .link && (collection == nil || collection == .map)) || type == .mixed
    self.collection = collection
    self.isIndexed = isIndexed && !isPrimaryKey
    self.isPrimaryKey = isPrimaryKey
    self.target = target
    self.linkKind = linkKind
    self.insertDefault = insertDefault
  }
}

/// What the rows of a table are.
package enum TableContent: UInt8, Hashable, Sendable {
  /// Rows that the application knows.
  case objects
  /// Lists inside mixed values, which have no rows of their own otherwise.
  case lists
  /// Maps inside mixed values.
  case maps
}

/// A table as the schema declares it.
package struct TableDescription: Hashable, Sendable {
  package var name: String
  package var columns: [ColumnDescription]
  /// What mixed values call the table, the same in every version and file of a store; 0 for one more than its position.
  package var number: UInt32
  package var content: TableContent
  /// Its ordered indexes. Files know nothing of them.
  package var indexes: [IndexDescription]

  package init(
    name: String, columns: [ColumnDescription], number: UInt32 = 0, content: TableContent = .objects,
    indexes: [IndexDescription] = []
  ) {
    self.name = name
    self.columns = columns
    self.number = number
    self.content = content
    self.indexes = indexes
  }
}
