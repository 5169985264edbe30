import FirnEngine

/// A path to other rows that views of one table read, and who reads it.
///
/// Views whose every condition of access is on the path are found by the values at its end, before and after; so what was
/// written there matters only if a view names one of the values. For the others, which are *open*, all of it matters. From
/// what matters the path is climbed backwards, each row once, to rows of the views' table.
final class PathRoute {
  let table: TableID
  let steps: [PathStep]
  /// The tables along the path: that of the views, then one for each step but the last.
  let tables: [TableID]
  @exclusivity(unchecked) var open: [Int32] = []
  var closedCount = 0
  /// The registered columns that are found at its end.
  @exclusivity(unchecked) fileprivate var columns: [Router.ColumnRoutes]

  init(_ steps: [PathStep], from table: TableID, _ router: Router) {
    self.table = table
    self.steps = steps
    tables = PathStep.tables(along: steps, from: table.index, router.layout).map { TableID($0) }
    columns = router.columns(table, at: steps)
  }

  /// Whether a step may have written something on the path, behind the row where it begins.
  func isTouched(by changes: ChangeSet) -> Bool {
    for level in tables.indices {
      switch steps[level] {
      case .column: if level > 0, !changes.tables[tables[level].index].modified.isEmpty { return true }
      case .backlinks(let origin, _): if !changes.tables[origin.index].isEmpty { return true }
      }
    }
    return false
  }
}

/// A row from which a path leads to something that was written.
struct ReachedRow {
  var key: RowKey
  /// The first links of such paths.
  var columns: ColumnSet
  /// Whether such a path begins with backlinks.
  var isByBacklinks: Bool
}

extension Router {
  fileprivate func columns(_ table: TableID, at path: [PathStep]) -> [ColumnRoutes] {
    tables[table.index].columns.filter { $0.path.reads(path) }
  }

  /// Other columns of a table are registered than before.
  func columnsDidChange(_ table: Int) {
    for route in paths where route.table.index == table { route.columns = columns(route.table, at: route.steps) }
  }

  mutating func addPath(_ path: [PathStep], of slot: Int32, _ table: TableID, isOpen: Bool) {
    let index = paths.firstIndex { $0.table == table && $0.steps == path } ?? paths.count
    if index == paths.count { paths.append(PathRoute(path, from: table, self)) }
    if isOpen { paths[index].open.append(slot) } else { paths[index].closedCount += 1 }
  }

  mutating func removePath(_ path: [PathStep], of slot: Int32, _ table: TableID) {
    guard let index = paths.firstIndex(where: { $0.table == table && $0.steps == path }) else { return }
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
    var reached: [Int: [RowKey: ReachedRow]] = [:]
    for index in paths.indices where paths[index].isTouched(by: changes) {
      let route = paths[index]
      found.removeAllInPlace()
      guard let rows = climb(route, changes, old, new) else {
        for slot in route.open + found {
          let view = view(at: slot)
          view.routing.runsAnew = true
          markAffected(view)
        }
        continue
      }
      for row in rows {
        var known =
          reached[route.table.index]?[row] ?? ReachedRow(key: row, columns: ColumnSet(), isByBacklinks: false)
        switch route.steps[0] {
        case .column(let column): known.columns.insert(column)
        case .backlinks: known.isByBacklinks = true
        }
        reached[route.table.index, default: [:]][row] = known
      }
    }
    if reached.isEmpty { return [:] }
    return reached.mapValues { rows in rows.values.sorted { $0.key < $1.key } }
  }

  /// The rows of the route's table; nil when there are too many. Leaves the views that name a value in `found`.
  private mutating func climb(
    _ route: PathRoute, _ changes: ChangeSet, _ old: GraphContents, _ new: GraphContents
  ) -> Set<RowKey>? {
    // Nothing was found on the levels before the first of these.
    var rows: [Set<RowKey>] = []
    for (level, table) in route.tables.enumerated() {
      var counting: Set<RowKey> = []
      switch route.steps[level] {
      case .column(let column) where level > 0:
        for row in changes.tables[table.index].modified where row.columns.contains(column) {
          counters.rowsExamined &+= 1
          var isNamed = false
          for path in route.columns where self.isNamed(route, level, row.key, path, old, new) { isNamed = true }
          if isNamed || !route.open.isEmpty { counting.insert(row.key) }
        }
      case .column: break
      case .backlinks(let origin, let column):
        changes.forEachChangedLink(origin, column, old: old, new: new) { counting.insert($0) }
        counters.rowsExamined &+= counting.count
      }
      if counting.isEmpty, rows.isEmpty { continue }
      while rows.count < level { rows.append([]) }
      rows.append(counting)
    }
    if rows.isEmpty { return [] }
    return new.rowsReaching(
      along: route.steps, from: route.table.index, rows,
      following: climbMin == 0 ? 0 : max(climbMin, new.rowCount(route.table) / 4), counting: &counters.rowsClimbed)
  }

  /// Whether a view names the value to which the rest of the path leads from a row, now or before.
  private mutating func isNamed(
    _ route: PathRoute, _ level: Int, _ key: RowKey, _ column: ColumnRoutes, _ old: GraphContents, _ new: GraphContents
  ) -> Bool {
    let count = found.count
    let table = route.tables[level]
    if let path = column.column {
      let before = old.value(at: path, skipping: level, of: key, in: table)
      let after = new.value(at: path, skipping: level, of: key, in: table)
      findNaming(before, column)
      if after != before { findNaming(after, column) }
    } else {
      for contents in [old, new] {
        contents.forEachValue(at: column.path, skipping: level, of: key, in: table) { findNaming($0, column) }
      }
    }
    return found.count > count
  }

  /// Appends the views of which a condition on a path is satisfied by a value to `found`.
  mutating func findNaming(_ value: Value, _ column: ColumnRoutes) {
    column.equal.visit(value) { found.append($0) }
    if case .null = value { return }
    if column.ranges.isEmpty || value.isUnordered { return }
    counters.treeNodesVisited &+= column.ranges.collect(containing: value, into: &found)
  }
}
