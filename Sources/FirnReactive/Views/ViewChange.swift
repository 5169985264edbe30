package import FirnEngine

/// Positions of a collection that changed, as observers get them. All arrays ascend.
///
/// Applied to the old rows they give the new ones: delete `deletions`, then insert at `insertions`. `modifications` are
/// old positions of rows that stayed. A row that moved is a deletion and an insertion.
package struct PositionChanges: Hashable, Sendable {
  package var deletions: [Int]
  package var insertions: [Int]
  package var modifications: [Int]

  package init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// What happened to a view between two versions. Shared by all its subscribers, who filter it by written columns.
package struct ViewChange: Sendable {
  /// Old positions of rows that left or moved, ascending.
  package var deletions: [Int] = []
  /// New positions of rows that came or moved, ascending.
  package var insertions: [Int] = []
  /// Rows that stayed in place and were written, ascending by old position.
  package var modifications: [Modification] = []
  package var oldCount = 0
  package var newCount = 0
  /// Rows that left, in no order; only where the view keeps them.
  package var left: [RowKey] = []

  package struct Modification: Hashable, Sendable {
    /// In the old version.
    package var position: Int
    package var row: RowKey
    /// The columns written; writing an equal value counts. None when something behind the row's links was written.
    package var columns: ColumnSet

    package init(position: Int, _ row: ModifiedRow) {
      self.position = position
      self.row = row.key
      columns = row.columns
    }
  }

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// What a subscriber gets. Nil: nothing to deliver.
  ///
  /// Deletions and insertions are never filtered, because positions would be wrong without them.
  ///
  /// - Parameter counts: Whether a modification counts.
  package func positions(where counts: (Modification) -> Bool) -> PositionChanges? {
    var result = PositionChanges(deletions: deletions, insertions: insertions)
    result.modifications.reserveCapacity(modifications.count)
    for modification in modifications where counts(modification) {
      result.modifications.append(modification.position)
    }
    return result.isEmpty ? nil : result
  }

  func positions(counting filter: KeyPathFilter, _ step: Step, _ table: Int) -> PositionChanges? {
    positions { counts($0, filter, step, table) }
  }

  /// Whether a modification counts for a filter.
  func counts(_ modification: Modification, _ filter: KeyPathFilter, _ step: Step, _ table: Int) -> Bool {
    if filter.includes(modification.columns) { return true }
    if !filter.looksBehindLinks { return false }
    let limit = step.climbLimit(observing: modifications.count)
    if let behind = step.rowsBehind(filter, in: table, following: limit) {
      return behind.containsSorted(modification.row)
    }
    return step.isTouched(modification.row, filter, in: table)
  }
}
