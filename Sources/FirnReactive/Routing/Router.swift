package import FirnEngine

/// Finds the views that touched rows can affect, by the values of the rows.
///
/// Each view is registered under conditions that its rows satisfy (see `Access`): equalities in hash tables, ranges in
/// interval trees, per column; places count as numbers of cells. A touched row is looked up with its old and its new value, so that leaving, entering and
/// being written in place are all found; the whole predicate is evaluated on what was found only. Views without such
/// conditions are residual: they see every touched row of their table.
///
/// What views read behind links is registered by path (see `PathRoute`): a row that was written there touches those from
/// which the path leads to it.
///
/// Cost per touched row: O(registered columns + log n + candidates).
package struct Router {
  let layout: GraphLayout
  var schema: [TableDescription] { layout.schema }
  var tables: [TableRoutes]
  /// The registered views. Elsewhere they are named by their places here, which take less memory.
  var slots: [QueryView?] = []
  /// The paths through links that some view reads.
  var paths: [PathRoute] = []
  private var freeSlots: [Int32] = []
  /// The slots that the running call has found, in the order found.
  var affected: [Int32] = []
  var epoch: UInt64 = 0
  /// What the running look-up in an interval tree has found.
  var found: [Int32] = []
  package var counters = WorkCounters()

  /// What is registered for the rows of one table.
  struct TableRoutes {
    var columns: [ColumnRoutes] = []
    var everyRow: [Int32] = []
    var residual: [Int32] = []

    var hasRowRoutes: Bool { !columns.isEmpty || !everyRow.isEmpty || !residual.isEmpty }
  }

  /// By reference, so that a look-up copies nothing.
  final class ColumnRoutes {
    let path: RoutedPath
    /// The same, if it leads through single links to a single value that a column holds.
    let column: ColumnPath?
    let equal = ValueSlots()
    let ranges = IntervalTree()

    init(_ path: RoutedPath, _ column: ColumnPath?) { (self.path, self.column) = (path, column) }

    var isEmpty: Bool { equal.isEmpty && ranges.isEmpty }
  }

  /// So many links are followed backwards along a path in one step before views run anew, or a quarter of their table.
  let climbMin: Int

  /// - Parameter climbMin: See there; for tests.
  package init(layout: GraphLayout, climbMin: Int = 1024) {
    self.layout = layout
    self.climbMin = climbMin
    tables = Array(repeating: TableRoutes(), count: layout.schema.count)
  }

  /// Views that see every touched row of their table although they have a predicate. Should stay small.
  package var residualViewCount: Int { tables.reduce(0) { $0 + $1.residual.count } }

  var isEmpty: Bool { slots.count == freeSlots.count }

  package mutating func register(_ view: QueryView) {
    if view.routing.slot >= 0 { fatalError("View \(view.number) is registered already.") }
    let (query, condition) = (view.query, view.condition)
    let index = freeSlots.popLast() ?? Int32(slots.count)
    var routing = RoutingState()
    routing.slot = index
    routing.ordersBehindLinks = query.orderReads.contains(where: \.leadsToOtherRows)
    var accesses: [RegisteredAccess] = []
    if condition.isAlways {
      routing.kind = .everyRow
      tables[query.table.index].everyRow.append(index)
    } else if let (path, value) = condition.equality {
      routing.kind = .exact
      _ = add(.equal(RoutedPath(path.reads), value), index, query.table)
    } else if let found = query.predicate.accesses(query.table, schema) {
      accesses = Set(found).map { add($0, index, query.table) }
    } else {
      routing.kind = .residual
      tables[query.table.index].residual.append(index)
    }
    let paths = query.reads.filter(\.leadsToOtherRows)
    for path in paths {
      let isOpen =
        if let equality = condition.equality { equality.path.reads != path } else {
          accesses.isEmpty || accesses.contains { !$0.path.reads(path) }
        }
      addPath(path, of: index, query.table, isOpen: isOpen)
    }
    if routing.kind != .exact && routing.kind != .everyRow || !paths.isEmpty {
      routing.details = RoutingState.Details(accesses, paths, query.predicateColumns)
    }
    view.routing = routing
    if Int(index) == slots.count { slots.append(view) } else { slots[Int(index)] = view }
  }

  package mutating func unregister(_ view: QueryView) {
    let routing = view.routing
    if routing.slot < 0 { fatalError("View \(view.number) is not registered.") }
    let table = view.query.table.index
    switch routing.kind {
    case .everyRow: tables[table].everyRow.removeAll { $0 == routing.slot }
    case .residual: tables[table].residual.removeAll { $0 == routing.slot }
    case .routed: for access in routing.details?.accesses ?? [] { remove(access, routing.slot, table) }
    case .exact:
      if let (path, value) = view.condition.equality {
        remove(.equal(RoutedPath(path.reads), value), routing.slot, table)
      }
    }
    for path in routing.details?.paths ?? [] { removePath(path, of: routing.slot, view.query.table) }
    view.routing = RoutingState()
    slots[Int(routing.slot)] = nil
    freeSlots.append(routing.slot)
  }

  private mutating func add(_ access: Access, _ slot: Int32, _ table: TableID) -> RegisteredAccess {
    switch access {
    case .equal(let path, let value):
      let position = columnPosition(path, table.index)
      tables[table.index].columns[position].equal.insert(slot, for: value)
      return .equal(path, value)
    case .range(let path, let lower, let upper):
      let position = columnPosition(path, table.index)
      let handle = tables[table.index].columns[position].ranges.add(lower: lower, upper: upper, owner: slot)
      return .range(path, handle: handle)
    }
  }

  private mutating func remove(_ access: RegisteredAccess, _ slot: Int32, _ table: Int) {
    let position = columnPosition(access.path, table)
    switch access {
    case .equal(_, let value): tables[table].columns[position].equal.remove(slot, for: value)
    case .range(_, let handle): tables[table].columns[position].ranges.remove(handle)
    }
    if tables[table].columns[position].isEmpty {
      tables[table].columns.remove(at: position)
      columnsDidChange(table)
    }
  }

  private mutating func columnPosition(_ path: RoutedPath, _ table: Int) -> Int {
    if let position = tables[table].columns.firstIndex(where: { $0.path == path }) { return position }
    let column = path.isPlace ? nil : layout.columnPath(path.steps, from: table)
    tables[table].columns.append(ColumnRoutes(path, column))
    columnsDidChange(table)
    return tables[table].columns.count - 1
  }
}
