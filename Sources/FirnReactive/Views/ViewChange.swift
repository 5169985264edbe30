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

  package struct Modification: Hashable, Sendable {
    /// In the old version.
    package var position: Int
    /// The columns written; writing an equal value counts.
    package var columns: ColumnSet

    package init(position: Int, columns: ColumnSet) {
      self.position = position
      self.columns = columns
    }
  }

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// What a subscriber gets who asked for modifications of some columns only (nil: of all). Nil: nothing to deliver.
  ///
  /// Deletions and insertions are never filtered, because positions would be wrong without them.
  package func positions(of columns: ColumnSet? = nil) -> PositionChanges? {
    var result = PositionChanges(deletions: deletions, insertions: insertions)
    result.modifications.reserveCapacity(modifications.count)
    for modification in modifications where columns.map({ !$0.isDisjoint(with: modification.columns) }) ?? true {
      result.modifications.append(modification.position)
    }
    return result.isEmpty ? nil : result
  }

  /// The change that replaces all rows, for an observer that has lagged too far behind to learn more.
  package static func replacing(_ oldCount: Int, with newCount: Int) -> ViewChange {
    var change = ViewChange()
    change.deletions = Array(0..<oldCount)
    change.insertions = Array(0..<newCount)
    change.oldCount = oldCount
    change.newCount = newCount
    return change
  }
}
