import FirnEngine

extension GraphContents {
  /// Calls `body` with every value to which a path leads from a row: links and elements included, null behind a single link
  /// that is null.
  func forEachValue(at path: ArraySlice<PathStep>, of key: RowKey, in table: TableID, _ body: (Value) -> Void) {
    guard let step = path.first else { return body(.link(key)) }
    let rest = path.dropFirst()
    switch step {
    case .backlinks(let origin, let column):
      let backlink = Int(layout.tables[origin.index].columns[column.index].backlink)
      backlinks(backlink, of: key, in: table)?.forEachKey { forEachValue(at: rest, of: $0, in: origin, body) }
    case .column(let column):
      let description = layout.tables[table.index].columns[column.index]
      guard description.storage.isCollection else {
        let value = value(column, of: key, in: table)
        guard !rest.isEmpty else { return body(value) }
        guard case .link(let target) = value else { return body(.null) }
        return forEachValue(at: rest, of: target, in: TableID(Int(description.target)), body)
      }
      for index in 0..<listCount(column, of: key, in: table) {
        let element = listValue(at: index, of: column, of: key, in: table)
        guard !rest.isEmpty else {
          body(element)
          continue
        }
        if case .link(let target) = element {
          forEachValue(at: rest, of: target, in: TableID(Int(description.target)), body)
        }
      }
    }
  }
}

extension GraphLayout {
  /// A path as a column behind single links; nil when it leads through collections or backlinks.
  func columnPath(_ path: [PathStep], from table: Int) -> ColumnPath? {
    var columns: [ColumnID] = []
    var table = table
    for step in path {
      guard case .column(let column) = step, !tables[table].columns[column.index].storage.isCollection else {
        return nil
      }
      columns.append(column)
      table = Int(tables[table].columns[column.index].target)
    }
    return columns.last.map { ColumnPath(links: Array(columns.dropLast()), $0) }
  }
}
