/// What evaluating queries cost, counted for tests and for explaining slow queries.
package struct QueryWork: Equatable, Sendable {
  /// Clusters whose leaves were compared as a whole.
  package var scannedClusters = 0
  /// Rows that were tested one by one.
  package var testedRows = 0
  /// Look-ups in primary keys and indexes.
  package var lookups = 0
  /// Rows that indexes led to.
  package var foundRows = 0
  /// Links that were followed backwards inside of a transaction, from what it wrote.
  package var climbedLinks = 0

  package init() {}

  /// How many rows may be looked at one by one beside a scan of so many: each costs about as much as sixteen scanned ones.
  static func singleRowMax(beside rowCount: Int) -> Int { max(256, rowCount / 16) }
}
