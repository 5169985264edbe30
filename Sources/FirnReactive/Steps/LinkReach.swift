package import FirnEngine

/// Which tables links lead to from a table, and in how many steps at least.
///
/// Objects at most three links away count as part of an element when the observer names no key paths.
package final class LinkReach: Hashable, Sendable {
  static var depth: Int { 3 }

  let table: Int
  /// By table; more than the depth where no links lead.
  let distances: [Int]
  /// The backlinks of links that lead from each table towards the table, table by table, and where those of each begin.
  private let backlinks: [Backlink]
  private let firstBacklinks: [Int]
  /// The backlinks of mixed values, which every table has, and their first position in each.
  private let mixedBacklinks: [Backlink]
  private let firstMixedBacklinks: [Int]
  /// Whether all links on the way are properties; mixed values may hold others.
  let isExact: Bool

  struct Backlink: BitwiseCopyable {
    let index: Int
    /// The table that the links are of.
    let origin: Int
  }

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
        // Mixed values lead anywhere, so that one column is enough to reach all tables.
        if column.type == .mixed, !hasMixed {
          hasMixed = true
          for target in 0..<layout.visibleCount { reach(target) }
        }
      }
    }
    if !hasLinks { return nil }
    self.table = table
    self.distances = distances
    var backlinks: [Backlink] = []
    var firstBacklinks = [0]
    for (table, layout) in layout.tables.prefix(distances.count).enumerated() {
      for index in 0..<layout.firstMixedBacklink where distances[table] <= Self.depth {
        let backlink = layout.backlink(index)
        let origin = Int(backlink.originTable)
        if backlink.isPosting || distances[origin] >= Self.depth { continue }
        backlinks.append(Backlink(index: index, origin: origin))
      }
      firstBacklinks.append(backlinks.count)
    }
    (self.backlinks, self.firstBacklinks) = (backlinks, firstBacklinks)
    mixedBacklinks = layout.mixedColumns.enumerated().compactMap { index, column in
      distances[column.table.index] < Self.depth ? Backlink(index: index, origin: column.table.index) : nil
    }
    firstMixedBacklinks = mixedBacklinks.isEmpty ? [] : layout.tables.prefix(distances.count).map(\.firstMixedBacklink)
    isExact = !hasMixed
  }

  /// The backlinks that lead from a table towards the table.
  @inline(__always)
  func forEachBacklink(of table: Int, _ body: (Backlink) -> Void) {
    var place = firstBacklinks[table]
    let end = firstBacklinks[table &+ 1]
    while place < end {
      body(backlinks[place])
      place &+= 1
    }
    for backlink in mixedBacklinks {
      body(Backlink(index: firstMixedBacklinks[table] + backlink.index, origin: backlink.origin))
    }
  }

  package static func == (left: LinkReach, right: LinkReach) -> Bool { left.table == right.table }

  package func hash(into hasher: inout Hasher) { hasher.combine(table) }
}
