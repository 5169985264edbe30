package import FirnEngine

/// The rows of a query on a table with primary keys, told by row and key instead of by position.
///
/// Takes what happened from the ``QueryView``, which others may observe too.
package final class KeyedView: View {
  private let rows: QueryView
  private let primaryKey: ColumnID

  /// - Precondition: The query tells rows by key: see ``ViewQuery/primaryKey(_:)``.
  package init(_ rows: QueryView, primaryKey: ColumnID) {
    self.rows = rows
    self.primaryKey = primaryKey
    rows.keepsLeft = true
  }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { [] }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> KeyedChange? {
    guard let change = rows.change(in: step) else { return nil }
    let table = rows.query.table
    var keyed = KeyedChange()
    for position in change.insertions { keyed.present.insert(rows.select(position, in: step.new)) }
    for modification in change.modifications where change.counts(modification, filter, step, table.index) {
      keyed.present.insert(modification.row)
    }
    for row in change.left { keyed.left[row] = step.old.value(primaryKey, of: row, in: table) }
    return keyed.isEmpty ? nil : keyed
  }
}

/// Which rows of a query came, were written or left.
///
/// Safe to apply twice, and to rows that were never shown: what is merged is not compared with what was there before.
package struct KeyedChange: CollectionSpan, Sendable {
  /// Rows that came or were written, and belong to the query.
  package var present: Set<RowKey> = []
  /// Rows that left, with their primary keys. They may be there again, and others may have the key now.
  package var left: [RowKey: Value] = [:]
  /// Whether it is not known which rows are concerned.
  package var isUnknown = false

  package init() {}

  package init(isUnknown: Bool) { self.isUnknown = isUnknown }

  package var isEmpty: Bool { present.isEmpty && left.isEmpty && !isUnknown }

  package mutating func merge(_ later: KeyedChange) {
    if isUnknown || later.isUnknown {
      self = KeyedChange(isUnknown: true)
      return
    }
    present.formUnion(later.present)
    for (row, key) in later.left {
      present.remove(row)
      left[row] = key
    }
  }
}

extension ViewQuery {
  /// The column of the primary key, where rows can be told by it: of a query on a table of which each row belongs or
  /// not by itself. Nil where not.
  package func primaryKey(_ layout: GraphLayout) -> ColumnID? {
    if source != .table || !steps.isEmpty { return nil }
    return layout.tables[table.index].primaryKey.map { ColumnID($0) }
  }
}
