package import FirnEngine

/// Which tables links lead to from a table, and in how many steps at least.
///
/// Objects at most three links away count as part of an element when the observer names no key paths.
package final class LinkReach: Hashable, Sendable {
  static var depth: Int { 3 }

  let table: Int
  /// By table; more than the depth where no links lead.
  let distances: [Int]
  /// By table, the backlinks that lead from it towards the table, and where each comes from.
  let backlinks: [[Int]]
  let origins: [[Int]]
  /// Whether all links on the way are properties; mixed values may hold others.
  let isExact: Bool

  /// Nil when the table has no links.
  package init?(from table: Int, _ layout: GraphLayout) {
    var distances = Array(repeating: Self.depth + 1, count: layout.visibleCount)
    distances[table] = 0
    var pending = [table]
    var hasLinks = false
    var hasMixed = false
    while !pending.isEmpty {
      let next = pending.removeFirst()
      let distance = distances[next]
      if distance == Self.depth { continue }
      let tableLayout = layout.tables[next]
      func reach(_ target: Int) {
        hasLinks = true
        if distances[target] > Self.depth {
          distances[target] = distance + 1
          pending.append(target)
        }
      }
      for index in 0..<tableLayout.columnCount {
        let column = tableLayout.columns[index]
        if column.type == .link { reach(Int(column.target)) }
        // Mixed values lead anywhere.
        if column.type == .mixed {
          hasMixed = true
          for target in 0..<layout.visibleCount { reach(target) }
        }
      }
    }
    if !hasLinks { return nil }
    self.table = table
    self.distances = distances
    backlinks = layout.tables.prefix(distances.count).enumerated().map { table, layout in
      if distances[table] > Self.depth { return [] }
      return (0..<layout.backlinkCount).filter {
        let backlink = layout.backlinks[$0]
        return !backlink.isPosting && distances[Int(backlink.originTable)] < Self.depth
      }
    }
    origins = backlinks.enumerated().map { table, indices in
      indices.map { Int(layout.tables[table].backlinks[$0].originTable) }
    }
    isExact = !hasMixed
  }

  package static func == (left: LinkReach, right: LinkReach) -> Bool { left.table == right.table }

  package func hash(into hasher: inout Hasher) { hasher.combine(table) }
}
