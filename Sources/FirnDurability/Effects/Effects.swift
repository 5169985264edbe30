internal import FirnEngine

/// What one or more commits did, read back and checked against the columns of a graph. Immutable.
///
/// Holds a copy of the encoded bytes and where in them the cells of each column begin, so it takes little more memory than
/// they do. All that can be told without the graph has been checked: what ``CellCursor`` reads is there.
package final class Effects: Sendable {
  let bytes: [UInt8]
  /// Ascending by table.
  let tables: [TableEffects]
  let map: CatalogueMap

  init(bytes: [UInt8], tables: [TableEffects], map: CatalogueMap) {
    self.bytes = bytes
    self.tables = tables
    self.map = map
  }
}

/// What happened to one table. All keys ascend.
struct TableEffects: Sendable {
  var table: TableID
  var nextKey: UInt64
  var inserted: [RowKey] = []
  /// The columns of the graph, in its order, if there are inserted rows, but for those that were added later.
  var insertedColumns: [CellColumn] = []
  var groups: [ModifiedGroup] = []
  var deleted: [RowKey] = []
  var deletedPrimaryKeys: CellColumn?
  /// What the deleted rows had in the other columns, but for collections, if that is known.
  var deletedColumns: [CellColumn] = []
}

/// Rows that were modified in the same columns.
struct ModifiedGroup: Sendable {
  var keys: [RowKey]
  var columns: [CellColumn]
  /// The primary keys of the rows, if they are known.
  var primaryKeys: CellColumn?
  /// What the rows had before in the columns, but for collections, if that is known.
  var oldColumns: [CellColumn] = []
}

/// Where the cells of a column lie.
struct CellColumn: Sendable {
  var column: ColumnID
  var format: CellFormat
  var count: Int
  var offset: Int
}

/// What cells look like.
struct CellFormat: Sendable {
  var type: ColumnType
  /// Which collection each cell is; nil for single values.
  var collection: CollectionKind?
  /// Whether null bits stand in front.
  var hasNulls: Bool
  /// Whether cells of links may be 0. Those of elements of lists and sets may not.
  let hasNullLinks: Bool

  init(_ description: ColumnDescription) {
    type = description.type
    collection = description.collection
    let hasNullBits = description.isNullable && description.type != .link
    hasNulls = hasNullBits && description.collection == nil
    elementsAreNullable = hasNullBits && description.collection != nil
    hasNullLinks = description.isNullable
  }

  private let elementsAreNullable: Bool

  /// The format of the elements of a collection, of the values of a map.
  var element: CellFormat {
    var element = self
    element.collection = nil
    element.hasNulls = elementsAreNullable
    return element
  }
}

/// Effects that cannot be applied to the version at hand.
package struct EffectsError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// Whether they may be right, but take too much memory.
  package private(set) var isBeyondBudget = false

  package init(_ message: String) { self.message = message }

  init(beyondBudget byteCountMax: Int) {
    self.init("More than \(byteCountMax) bytes of memory are needed")
    isBeyondBudget = true
  }

  package var description: String { message }
}
