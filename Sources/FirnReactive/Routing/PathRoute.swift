import FirnEngine

/// A path through links that views of one table read, and who reads it.
///
/// Views whose every condition of access is on the path are found by the values at its end, before and after; so what was
/// written there matters only if a view names one of the values. For the others, which are *open*, all of it matters. From
/// what matters the links are climbed backwards, each row once, to rows of the views' table.
struct PathRoute {
  let table: TableID
  let path: ColumnPath
  /// The tables along the path: that of the views, then one for each link.
  let tables: [TableID]
  var open: [Int32] = []
  var closedCount = 0

  /// The path as steps.
  let steps: [PathStep]

  init(_ path: ColumnPath, from table: TableID, _ layout: GraphLayout) {
    self.table = table
    self.path = path
    steps = path.steps
    tables = PathStep.tables(along: steps, from: table.index, layout).map { TableID($0) }
  }

  /// The column that is read of the rows of one of the tables.
  func column(_ level: Int) -> ColumnID { level < path.links.count ? path.links[level] : path.column }
}

/// A row from which a path leads to something that was written.
struct ReachedRow {
  var key: RowKey
  /// The first links of such paths.
  var columns: ColumnSet
}

extension Router {
  mutating func addPath(_ path: ColumnPath, of slot: Int32, _ table: TableID, isOpen: Bool) {
    let index = paths.firstIndex { $0.table == table && $0.path == path } ?? paths.count
    if index == paths.count { paths.append(PathRoute(path, from: table, layout)) }
    if isOpen { paths[index].open.append(slot) } else { paths[index].closedCount += 1 }
  }

  mutating func removePath(_ path: ColumnPath, of slot: Int32, _ table: TableID) {
    guard let index = paths.firstIndex(where: { $0.table == table && $0.path == path }) else { return }
    if let place = paths[index].open.firstIndex(of: slot) {
      paths[index].open.remove(at: place)
    } else {
      paths[index].closedCount -= 1
    }
    if paths[index].open.isEmpty, paths[index].closedCount == 0 { paths.remove(at: index) }
  }

  /// The rows that paths lead from to what was written, by table, ascending.
  ///
  /// Where these would be a large part of the table, the views that are concerned are to run anew instead.
  mutating func reachedRows(_ changes: ChangeSet, _ old: GraphContents, _ new: GraphContents) -> [Int: [ReachedRow]] {
    var reached: [Int: [RowKey: ColumnSet]] = [:]
    for index in paths.indices {
      let route = paths[index]
      if route.tables.dropFirst().allSatisfy({ changes.tables[$0.index].modified.isEmpty }) { continue }
      found.removeAll(keepingCapacity: true)
      guard let rows = climb(route, changes, old, new) else {
        for slot in route.open + found {
          slots[Int(slot)].runsAnew = true
          markAffected(Int(slot))
        }
        continue
      }
      for row in rows {
        reached[route.table.index, default: [:]][row, default: ColumnSet()].insert(route.path.links[0])
      }
    }
    return reached.mapValues { rows in
      rows.map { ReachedRow(key: $0.key, columns: $0.value) }.sorted { $0.key < $1.key }
    }
  }

  /// The rows of the route's table; nil when there are too many. Leaves the views that name a value in `found`.
  private mutating func climb(
    _ route: PathRoute, _ changes: ChangeSet, _ old: GraphContents, _ new: GraphContents
  ) -> Set<RowKey>? {
    let columns = tables[route.table.index].columns.firstIndex { $0.path == route.path }
    var rows: [Set<RowKey>] = [[]]
    for level in 1..<route.tables.count {
      var counting: Set<RowKey> = []
      for row in changes.tables[route.tables[level].index].modified where row.columns.contains(route.column(level)) {
        counters.rowsExamined &+= 1
        let isNamed = columns.map { self.isNamed(route, level, row.key, $0, old, new) } ?? false
        if isNamed || !route.open.isEmpty { counting.insert(row.key) }
      }
      rows.append(counting)
    }
    if rows.allSatisfy(\.isEmpty) { return [] }
    return new.rowsReaching(
      along: route.steps, from: route.table.index, rows,
      following: climbMin == 0 ? 0 : max(climbMin, new.rowCount(route.table) / 4), counting: &counters.rowsClimbed)
  }

  /// Whether a view names the value to which the rest of the path leads from a row, now or before.
  private mutating func isNamed(
    _ route: PathRoute, _ level: Int, _ key: RowKey, _ position: Int, _ old: GraphContents, _ new: GraphContents
  ) -> Bool {
    let count = found.count
    let table = route.tables[level]
    let before = old.value(at: route.path, skipping: level, of: key, in: table)
    let after = new.value(at: route.path, skipping: level, of: key, in: table)
    findNaming(before, route.table.index, position)
    if after != before { findNaming(after, route.table.index, position) }
    return found.count > count
  }

  /// Appends the views of which a condition on a path is satisfied by a value to `found`.
  mutating func findNaming(_ value: Value, _ table: Int, _ position: Int) {
    if let equal = tables[table].columns[position].equal[value] { found += equal }
    if tables[table].columns[position].ranges.count == 0 || value == .null || value.isNaN { return }
    counters.treeNodesVisited &+= tables[table].columns[position].ranges.collect(containing: value, into: &found)
  }
}
