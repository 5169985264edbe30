/// What routing and maintenance have done, for tests that gate on work instead of time.
package struct WorkCounters: Hashable, Sendable {
  /// Touched rows of tables that some view looks at.
  package var rowsExamined = 0
  /// Links that were followed backwards from rows that were written.
  package var rowsClimbed = 0
  /// Views found for a touched row, each once per row.
  package var candidates = 0
  package var predicateEvaluations = 0
  /// Nodes of interval trees.
  package var treeNodesVisited = 0
  /// Look-ups of a row's position in a view.
  package var ranks = 0
  /// Views walked as a whole because of a large change.
  package var rebuiltViews = 0
  /// Views whose query was run anew.
  package var rerunViews = 0

  /// Rows that were taken out of groups, or in.
  package var groupedRows = 0

  package init() {}

  /// Adds what was done behind links.
  mutating func add(_ other: WorkCounters) {
    rowsExamined &+= other.rowsExamined
    rowsClimbed &+= other.rowsClimbed
  }

  package mutating func reset() { self = WorkCounters() }
}
