package import FirnEngine

/// The properties of one row.
package final class ObjectView: View {
  private let table: TableID
  private let row: RowKey

  package init(_ table: TableID, _ row: RowKey) {
    self.table = table
    self.row = row
  }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] {
    let own = ViewPlace.row(table, row)
    return filter.looksBehindLinks ? [own, .behind(table, row, filter)] : [own]
  }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> ObjectViewChange? {
    if step.isDeleted(row, in: table.index) { return ObjectViewChange(isDeleted: true) }
    var change = ObjectViewChange()
    change.columns = step.written(row, in: table.index)
    if let wanted = filter.columns { change.columns.formIntersection(wanted) }
    for path in filter.paths {
      switch path[0] {
      case .column(let column) where change.columns.contains(column): break
      case .backlinks where change.backlinks.contains(path[0]): break
      case .column(let column):
        if step.isWritten(path[...], from: row, in: table.index) { change.columns.insert(column) }
      case .backlinks:
        if step.isWritten(path[...], from: row, in: table.index) { change.backlinks.insert(path[0]) }
      }
    }
    return change.isEmpty ? nil : change
  }
}

/// What happened to a row.
package struct ObjectViewChange: Span {
  /// Properties of its own that were written, or behind which something was.
  package internal(set) var columns = ColumnSet()
  /// The backlinks that are others than before, or behind which something was written.
  package internal(set) var backlinks: Set<PathStep> = []
  package internal(set) var isDeleted = false

  package var isEmpty: Bool { columns.isEmpty && backlinks.isEmpty && !isDeleted }

  package mutating func merge(_ later: ObjectViewChange) {
    columns.formUnion(later.columns)
    backlinks.formUnion(later.backlinks)
    isDeleted = isDeleted || later.isDeleted
  }
}
