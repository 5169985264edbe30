/// One step of a path from a row on, through links and against them.
package enum PathStep: Hashable, Sendable {
  /// A column of the row; of links, be it one or a collection, also the way to the rows that they lead to.
  case column(ColumnID)
  /// The rows of a table that link to the row through a column.
  case backlinks(origin: TableID, ColumnID)

  /// The table that the step leads to from another; nil behind a value.
  package func target(from table: Int, _ layout: GraphLayout) -> Int? {
    switch self {
    case .column(let column):
      let target = Int(layout.tables[table].columns[column.index].target)
      return layout.tables[table].columns[column.index].type == .link ? target : nil
    case .backlinks(let origin, _): return origin.index
    }
  }

  /// The tables whose rows the steps of a path are seen from.
  package static func tables(along path: [PathStep], from table: Int, _ layout: GraphLayout) -> [Int] {
    var tables = [table]
    for step in path.dropLast() {
      guard let next = step.target(from: tables[tables.count - 1], layout) else { break }
      tables.append(next)
    }
    return tables
  }
}

extension [PathStep] {
  /// Whether what lies at the end may change although nothing is written in the row where the path begins.
  package var leadsToOtherRows: Bool {
    if case .backlinks = first { return true }
    return count > 1
  }
}
