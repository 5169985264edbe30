internal import FirnEngine

/// What has to be done with the rows of a store so that they fit the application's tables.
package struct Rewriting: Sendable {
  /// A stored column that the application's tables no longer have.
  package struct GoneColumn: Sendable {
    package let table: UInt32
    package let column: Catalogue.Column
    /// The column that has its name now.
    package var successor: UInt32?
    /// Whether the successor takes over the values.
    package var keepsValues = false
    /// The successor where it is as old: it keeps the values that were written to it.
    package var late: LateRename?
  }

  /// A column that has the values of another one and its own.
  package struct LateRename: Sendable {
    package let successor: Catalogue.Column
    /// Whether all rows got the same when the column was added.
    package let hasOneDefault: Bool
  }

  /// A new column that has another value in each row.
  package struct FilledColumn: Sendable {
    package let table: UInt32
    package let column: UInt32
    /// The column among those of the application's tables.
    package let place: (table: Int, column: Int)
  }

  /// Whether the catalogue alone cannot say what is different.
  package var isNeeded = false
  /// Tables whose rows are embedded no longer: they stay when a column that owned them goes.
  var becameTopLevel: Set<UInt32> = []
  package private(set) var gone: [GoneColumn] = []
  package private(set) var filled: [FilledColumn] = []

  package init() {}

  mutating func remove(_ column: Catalogue.Column, from table: UInt32) {
    gone.append(GoneColumn(table: table, column: column))
    // What belongs to the rows of the column goes with it.
    if column.ownsRows { isNeeded = true }
  }

  /// Without the columns whose values nobody looks at.
  func withoutUnread(hasBlock: Bool) -> Rewriting {
    if hasBlock { return self }
    var rewriting = self
    rewriting.gone.removeAll { !$0.keepsValues && !$0.column.ownsRows }
    return rewriting
  }

  mutating func replace(_ column: Catalogue.Column, by successor: UInt32, in table: UInt32, keepsValues: Bool) {
    gone.append(GoneColumn(table: table, column: column, successor: successor, keepsValues: keepsValues))
    isNeeded = true
  }

  mutating func rename(
    _ column: Catalogue.Column, to successor: Catalogue.Column, in table: UInt32, hasOneDefault: Bool
  ) {
    gone.append(
      GoneColumn(
        table: table, column: column, successor: successor.id, keepsValues: true,
        late: LateRename(successor: successor, hasOneDefault: hasOneDefault)))
    isNeeded = true
  }

  mutating func fillEachRow(_ table: UInt32, _ column: UInt32, column place: (table: Int, column: Int)) {
    filled.append(FilledColumn(table: table, column: column, place: place))
    isNeeded = true
  }
}

extension Catalogue.Column {
  /// Whether there can be rows that belong to those of the column.
  var ownsRows: Bool { ownsTargets || type == .mixed }
}
