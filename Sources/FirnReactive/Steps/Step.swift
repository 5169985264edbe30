package import FirnEngine

/// What happened between two versions, with what several views may want to know about it.
///
/// Used where the realm of the views is confined, while both versions are held.
package final class Step {
  package let changes: ChangeSet
  package let old: GraphContents
  package let new: GraphContents
  /// The number of the version that the step leads to.
  package let number: UInt64
  /// The rows that count for a filter, by filter and table.
  @exclusivity(unchecked) var touched: [TouchedRows] = []
  /// Rows behind whose links something was written, of the first table that was asked for, and of the others.
  @exclusivity(unchecked) var reached: ReachedRows?
  @exclusivity(unchecked) var otherReached: [Int: ReachedRows] = [:]
  /// Whether something behind the links of a row was written, for those that were looked at from above.
  @exclusivity(unchecked) var looksDown: [RowDepth: Bool] = [:]
  @exclusivity(unchecked) package internal(set) var counters = WorkCounters()

  /// So many links are followed from what was written, before it is considered to look from the observed rows instead.
  private let climbMin: Int

  /// - Parameter climbMin: See there; for tests. 0: always look from the observed rows.
  package init(_ changes: ChangeSet, old: GraphContents, new: GraphContents, number: UInt64, climbMin: Int = 1024) {
    self.changes = changes
    self.old = old
    self.new = new
    self.number = number
    self.climbMin = climbMin
  }

  /// So many links are followed, before one looks from the rows that are observed.
  func climbLimit(observing count: Int = 0) -> Int { climbMin == 0 ? 0 : max(climbMin, 4 * count) }

  /// The columns written in a row that stayed; empty when it was not written.
  package func written(_ key: RowKey, in table: Int) -> ColumnSet {
    let modified = changes.tables[table].modified
    let index = modified.partitionIndex { $0.key < key }
    return index < modified.count && modified[index].key == key ? modified[index].columns : ColumnSet()
  }

  package func isDeleted(_ key: RowKey, in table: Int) -> Bool {
    changes.tables[table].deleted.containsSorted(key)
  }
}
