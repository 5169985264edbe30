package import FirnEngine

/// What happened between two versions, with what several views may want to know about it.
///
/// Used where the realm of the views is confined, while both versions are held. Not kept: one object stands for many steps,
/// one after the other.
package final class Step {
  @exclusivity(unchecked) package private(set) var changes: ChangeSet
  @exclusivity(unchecked) package private(set) var old: GraphContents
  @exclusivity(unchecked) package private(set) var new: GraphContents
  /// The number of the version that the step leads to.
  @exclusivity(unchecked) package private(set) var number: UInt64
  /// The rows that count for a filter, by filter and table.
  @exclusivity(unchecked) var touched: [TouchedRows] = []
  /// Rows behind whose links something was written, of the first table that was asked for, and of the others.
  @exclusivity(unchecked) var reached: ReachedRows?
  @exclusivity(unchecked) var otherReached: [Int: ReachedRows] = [:]
  /// Whether something behind the links of a row was written, for those that were looked at from above.
  @exclusivity(unchecked) var looksDown: [RowDepth: Bool] = [:]
  /// Where a climb has been, for its memory.
  @exclusivity(unchecked) var visited = VisitedPlaces()
  @exclusivity(unchecked) package internal(set) var counters = WorkCounters()

  private static let nothing = ChangeSet(tableCount: 0)

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

  /// Makes it stand for another step.
  func begin(_ changes: ChangeSet, old: GraphContents, new: GraphContents, number: UInt64) {
    self.changes = changes
    self.old = old
    self.new = new
    self.number = number
  }

  /// Forgets what it was asked, and lets go of the changes.
  func end() {
    changes = Self.nothing
    if !touched.isEmpty { touched = [] }
    reached = nil
    if !otherReached.isEmpty { otherReached = [:] }
    if !looksDown.isEmpty { looksDown = [:] }
    counters = WorkCounters()
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
