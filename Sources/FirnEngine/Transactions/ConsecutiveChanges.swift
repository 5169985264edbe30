/// The changes of consecutive commits, put together as they come.
package struct ConsecutiveChanges: Sendable {
  /// Oldest first, each part more than twice as large as the next one: as in a merge sort, a change is merged as often as
  /// the logarithm of their number says.
  private var parts: [(changes: ChangeSet, count: Int)] = []

  package init() {}

  /// Adds the changes of the next commit.
  ///
  /// - Complexity: O(touched rows * log n) after n commits, amortised.
  package mutating func append(_ changes: ChangeSet) {
    parts.append((changes, changes.touchedRowCount))
    while parts.count > 1, parts[parts.count - 2].count <= 2 * parts[parts.count - 1].count { mergeLast() }
  }

  /// The changes on the whole; nil when there are none.
  package mutating func merged() -> ChangeSet? {
    while parts.count > 1 { mergeLast() }
    return parts.first?.changes
  }

  private mutating func mergeLast() {
    let (later, count) = parts.removeLast()
    parts[parts.count - 1].changes.merge(later)
    // Changes that came to nothing count too: they were merged.
    parts[parts.count - 1].count += count
  }
}
