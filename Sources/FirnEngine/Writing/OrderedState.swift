/// What the writer keeps of one ordered index during a transaction.
///
/// The tree holds only rows whose values are as they were when they were put in: a row leaves it before the first of its
/// values changes, and comes back when the index is settled, that is when a query or the commit needs it. So rows in the
/// tree are compared by what their cells hold, and nobody remembers old values.
struct OrderedState {
  /// The first row key that has not been put in yet: rows at or above it are new.
  var firstNewKey: UInt64
  /// Whether anything has to be put in.
  var isOpen = false
  /// Rows that were taken out because they are written, or were deleted.
  var out = TakenRows()
  /// Whether so many were taken out that the tree was given up, to be built anew.
  var isDropped = false
  /// Rows behind many links of which all rows of the index that lead to them have been taken out.
  private var climbed: Set<Climb> = []
  /// The last row behind few links of which the same holds: often several of its values are written.
  private var lastClimb: Climb?
  /// The rows of a unique index that had an equal when they were put in. They have to be looked at before the commit.
  var suspects: Set<UInt64> = []

  struct Climb: Hashable {
    let links: [OrderedReach.Link]
    let row: UInt64
  }

  init(firstNewKey: UInt64) { self.firstNewKey = firstNewKey }

  /// Whether all rows that lead to a row have been taken out.
  @inline(__always)
  func hasClimbed(_ climb: Climb) -> Bool {
    if let lastClimb, lastClimb.row == climb.row, lastClimb.links == climb.links { return true }
    return !climbed.isEmpty && climbed.contains(climb)
  }

  mutating func didClimb(_ climb: Climb, _ linkCount: Int) {
    if linkCount > 64 { climbed.insert(climb) } else { lastClimb = climb }
  }

  mutating func forgetClimbs() {
    lastClimb = nil
    if !climbed.isEmpty { climbed.removeAll() }
  }

  /// Whether a row is in the tree, if it is a row of the table.
  func holds(_ row: UInt64) -> Bool { !isDropped && row < firstNewKey && !out.contains(row) }
}

/// A set of row keys that is fastest while it is small.
struct TakenRows {
  private var few: [UInt64] = []
  /// All of them once they are many.
  private var many: Set<UInt64> = []
  private static var fewMax: Int { 8 }

  var count: Int { max(few.count, many.count) }

  @inline(__always)
  func contains(_ row: UInt64) -> Bool { many.isEmpty ? few.contains(row) : many.contains(row) }

  /// Adds a row that is not there.
  @inline(__always)
  mutating func insert(_ row: UInt64) {
    if many.isEmpty, few.count < Self.fewMax { return few.append(row) }
    if many.isEmpty {
      many = Set(few)
      few.removeAll(keepingCapacity: true)
    }
    many.insert(row)
  }

  mutating func removeAll(keepingCapacity: Bool) {
    few.removeAll(keepingCapacity: true)
    if !many.isEmpty { many.removeAll(keepingCapacity: keepingCapacity) }
  }

  /// Ascending.
  func sorted() -> [UInt64] { many.isEmpty ? (few.count < 2 ? few : few.sorted()) : many.sorted() }
}

/// What keeping ordered indexes cost a writer so far, counted for tests.
package struct OrderedWork: Equatable, Sendable {
  /// Rows taken out of a tree or put into one.
  package var movedRows = 0
  /// Rows of trees that were built anew.
  package var builtRows = 0
  /// Links that were followed backwards, from rows that were written.
  package var climbedLinks = 0
}
