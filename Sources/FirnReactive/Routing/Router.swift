package import FirnEngine

/// The number of a view within one stage. Never given out twice; ascends in the order of registration.
package struct ViewID: Hashable, Sendable, Comparable {
  package let index: Int

  package init(_ index: Int) { self.index = index }

  package static func < (lhs: ViewID, rhs: ViewID) -> Bool { lhs.index < rhs.index }
}

/// Finds the views that touched rows can affect, by the values of the rows.
///
/// Each view is registered under conditions that its rows satisfy (see `Access`): equalities in hash tables, ranges in
/// interval trees, per column. A touched row is looked up with its old and its new value, so that leaving, entering and
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
  var slots: [Slot] = []
  /// The paths through links that some view reads.
  var paths: [PathRoute] = []
  private var freeSlots: [Int32] = []
  private var slotOfView: [ViewID: Int32] = [:]
  /// The slots that the running call has found, in the order found.
  var affected: [Int32] = []
  var epoch: UInt64 = 0
  /// What the running look-up in an interval tree has found.
  var found: [Int32] = []
  package var counters = WorkCounters()

  /// A registered view.
  struct Slot {
    var view: ViewID
    var table: TableID
    var kind: Kind
    var condition: RowCondition
    /// Columns that decide about membership.
    var columns: ColumnSet
    var accesses: [RegisteredAccess] = []
    /// Paths to other rows that the view reads.
    var paths: Set<[PathStep]> = []
    /// Whether what is behind links decides about the order, or about what the steps of the query keep.
    var ordersBehindLinks = false
    /// Whether more rows may have come, left or moved than could be found.
    var runsAnew = false
    /// The row that last found this slot, so that several conditions find it once.
    var epoch: UInt64 = 0
    var isAffected = false
    var touched: [TouchedRow] = []
  }

  enum Kind {
    case everyRow, residual
    /// Found by accesses that its rows satisfy.
    case routed
    /// Found by the value that its rows have, and no others.
    case exact
  }

  enum RegisteredAccess {
    case equal([PathStep], Value)
    case range([PathStep], handle: Int32)

    var path: [PathStep] {
      switch self {
      case .equal(let path, _), .range(let path, _): path
      }
    }
  }

  /// What is registered for the rows of one table.
  struct TableRoutes {
    var columns: [ColumnRoutes] = []
    var everyRow: [Int32] = []
    var residual: [Int32] = []

    var hasRowRoutes: Bool { !columns.isEmpty || !everyRow.isEmpty || !residual.isEmpty }
  }

  struct ColumnRoutes {
    let path: [PathStep]
    /// The same, if it leads through single links to a single value.
    let column: ColumnPath?
    var equal: [Value: SlotList] = [:]
    var ranges = IntervalTree()

    var isEmpty: Bool { equal.isEmpty && ranges.count == 0 }
  }

  /// So many links are followed backwards along a path in one step before views run anew, or a quarter of their table.
  let climbMin: Int

  /// - Parameter climbMin: See there; for tests.
  package init(layout: GraphLayout, climbMin: Int = 1024) {
    self.layout = layout
    self.climbMin = climbMin
    tables = Array(repeating: TableRoutes(), count: layout.schema.count)
  }

  package var viewCount: Int { slotOfView.count }

  /// Views that see every touched row of their table although they have a predicate. Should stay small.
  package var residualViewCount: Int { tables.reduce(0) { $0 + $1.residual.count } }

  /// Returns the view's slot.
  @discardableResult
  package mutating func register(_ view: ViewID, _ query: ViewQuery) -> Int {
    register(view, query, RowCondition(query.predicate, query.table, layout))
  }

  mutating func register(_ view: ViewID, _ query: ViewQuery, _ condition: RowCondition) -> Int {
    if slotOfView[view] != nil { fatalError("View \(view.index) is registered already.") }
    var slot = Slot(
      view: view, table: query.table, kind: .routed, condition: condition, columns: query.predicateColumns)
    let index = freeSlots.popLast() ?? Int32(slots.count)
    if condition.isAlways {
      slot.kind = .everyRow
      tables[query.table.index].everyRow.append(index)
    } else if let (path, value) = condition.equality {
      slot.kind = .exact
      _ = add(.equal(path.reads, value), index, query.table)
    } else if let accesses = query.predicate.accesses(query.table, schema) {
      slot.accesses = Set(accesses).map { add($0, index, query.table) }
    } else {
      slot.kind = .residual
      tables[query.table.index].residual.append(index)
    }
    slot.paths = query.reads.filter(\.leadsToOtherRows)
    slot.ordersBehindLinks = query.orderReads.contains(where: \.leadsToOtherRows)
    for path in slot.paths {
      let isOpen =
        if let equality = condition.equality { equality.path.reads != path } else {
          slot.accesses.isEmpty || slot.accesses.contains { $0.path != path }
        }
      addPath(path, of: index, query.table, isOpen: isOpen)
    }
    if Int(index) == slots.count { slots.append(slot) } else { slots[Int(index)] = slot }
    slotOfView[view] = index
    return Int(index)
  }

  package mutating func unregister(_ view: ViewID) {
    guard let index = slotOfView.removeValue(forKey: view) else { fatalError("View \(view.index) is not registered.") }
    let slot = slots[Int(index)]
    let table = slot.table.index
    switch slot.kind {
    case .everyRow: tables[table].everyRow.removeAll { $0 == index }
    case .residual: tables[table].residual.removeAll { $0 == index }
    case .routed: for access in slot.accesses { remove(access, index, table) }
    case .exact:
      if let (path, value) = slot.condition.equality { remove(.equal(path.reads, value), index, table) }
    }
    for path in slot.paths { removePath(path, of: index, slot.table) }
    slots[Int(index)].accesses = []
    slots[Int(index)].paths = []
    slots[Int(index)].touched = []
    freeSlots.append(index)
  }

  private mutating func add(_ access: Access, _ slot: Int32, _ table: TableID) -> RegisteredAccess {
    switch access {
    case .equal(let path, let value):
      let position = columnPosition(path, table.index)
      if tables[table.index].columns[position].equal[value]?.append(slot) == nil {
        tables[table.index].columns[position].equal[value] = .one(slot)
      }
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
    case .equal(_, let value):
      if let list = tables[table].columns[position].equal[value] {
        tables[table].columns[position].equal[value] = list.removing(slot)
      }
    case .range(_, let handle): tables[table].columns[position].ranges.remove(handle)
    }
    if tables[table].columns[position].isEmpty { tables[table].columns.remove(at: position) }
  }

  private mutating func columnPosition(_ path: [PathStep], _ table: Int) -> Int {
    if let position = tables[table].columns.firstIndex(where: { $0.path == path }) { return position }
    tables[table].columns.append(ColumnRoutes(path: path, column: layout.columnPath(path, from: table)))
    return tables[table].columns.count - 1
  }
}
