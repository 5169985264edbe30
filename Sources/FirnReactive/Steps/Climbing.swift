package import FirnEngine

extension GraphContents {
  /// The rows of a table from which a path leads to some of the rows that count along it. Climbs against the path, each row
  /// of a table once.
  ///
  /// - Parameters:
  ///   - rows: For each step of the path, the rows of its table that count by themselves.
  ///   - limit: So many links are followed. Nil when there are more.
  ///   - climbed: Counts the links that were followed.
  package func rowsReaching(
    along path: [PathStep], from table: Int, _ rows: [Set<RowKey>], following limit: Int, counting climbed: inout Int
  ) -> Set<RowKey>? {
    let tables = PathStep.tables(along: path, from: table, layout)
    var budget = limit
    var below: Set<RowKey> = []
    for level in tables.indices.reversed() {
      var found = rows[level]
      switch path[level] {
      case .column(let column):
        let backlink = Int(layout.tables[tables[level]].columns[column.index].backlink)
        for row in below {
          guard let sources = backlinks(backlink, of: row, in: TableID(tables[level + 1])) else { continue }
          budget &-= sources.count
          if budget < 0 { return nil }
          climbed &+= sources.count
          sources.forEachKey { found.insert($0) }
        }
      case .backlinks(let origin, let column):
        for row in below {
          forEachLink(column, of: row, in: origin) {
            budget &-= 1
            climbed &+= 1
            if budget >= 0 { found.insert($0) }
          }
          if budget < 0 { return nil }
        }
      }
      below = found
    }
    return below
  }
}
