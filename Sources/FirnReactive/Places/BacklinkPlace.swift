package import FirnEngine

/// The rows that link to one row through one column.
package struct BacklinkPlace: Hashable, Sendable {
  /// The table of the rows that link, and their link or list.
  package let origin: TableID
  package let column: ColumnID
  /// The row that is linked to.
  package let target: TableID
  package let row: RowKey

  package init(origin: TableID, column: ColumnID, target: TableID, row: RowKey) {
    self.origin = origin
    self.column = column
    self.target = target
    self.row = row
  }

  /// The links in a version; nil when there are none or the row does not exist.
  package func postings(_ contents: GraphContents) -> Postings? {
    let backlink = contents.layout.tables[origin.index].columns[column.index].backlink
    return contents.backlinks(Int(backlink), of: row, in: target)
  }
}
