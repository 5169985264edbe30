package import FirnEngine

/// A list, set or map: a column of a row.
package struct ListPlace: Hashable, Sendable {
  package let table: TableID
  package let row: RowKey
  package let column: ColumnID

  package init(table: TableID, row: RowKey, column: ColumnID) {
    self.table = table
    self.row = row
    self.column = column
  }

  /// The tree in the cell in a version; nil when it is empty or its owner does not exist.
  func root(_ contents: GraphContents) -> UnsafeRawPointer? {
    contents.listRoot(contents.layout.tables[table.index].columns[column.index], of: row, in: table)
  }

  /// The elements, or the values of a map, in a version; nil when there are none.
  package func elements(_ contents: GraphContents) -> UnsafeRawPointer? {
    contents.elementsRoot(contents.layout.tables[table.index].columns[column.index], of: row, in: table)
  }

  /// What happened to the collection; nil when nothing did. When its owner is gone, so are the elements.
  func delta(_ step: Step) -> ListDelta? {
    if step.isDeleted(row, in: table.index) {
      let count = count(step.old)
      return count == 0 ? nil : ListDelta(replacing: count, with: 0)
    }
    return step.changes.tables[table.index].lists[ListID(row: row, column: column)]
  }

  func count(_ contents: GraphContents) -> Int { contents.listCount(column, of: row, in: table) }

  /// The table of the elements; nil for values.
  package func target(_ layout: GraphLayout) -> Int? {
    let column = layout.tables[table.index].columns[column.index]
    return column.type == .link ? Int(column.target) : nil
  }

  /// Calls `body` with the rows of the elements, nil for a null in a map, in order.
  func forEachElement(_ contents: GraphContents, _ body: (RowKey?) -> Void) {
    let layout = contents.layout.tables[table.index]
    var cursor = ListCursor(elements(contents), layout.listShape(column.index))
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count {
        let key = chunk.elements.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
        body(chunk.isNull(index) ? nil : RowKey(key))
      }
    }
  }

  /// Whether the collection holds a row, by the row's backlinks. O(log n).
  func contains(_ element: RowKey, _ contents: GraphContents) -> Bool {
    let layout = contents.layout.tables[table.index].columns[column.index]
    let owners = contents.backlinks(Int(layout.backlink), of: element, in: TableID(Int(layout.target)))
    return owners.map { !$0.positions(of: row).isEmpty } ?? false
  }
}
