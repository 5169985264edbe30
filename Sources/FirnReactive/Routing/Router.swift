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
/// Cost per touched row: O(registered columns + log n + candidates).
package struct Router {
  let layout: GraphLayout
  var schema: [TableDescription] { layout.schema }
  var tables: [TableRoutes]
  var slots: [Slot] = []
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
    var predicate: CompiledPredicate
    /// Columns that decide about membership.
    var columns: ColumnSet
    var accesses: [RegisteredAccess] = []
    var columnsBehindLinks: [TableID: ColumnSet] = [:]
    /// The row that last found this slot, so that several conditions find it once.
    var epoch: UInt64 = 0
    var isAffected = false
    var touched: [TouchedRow] = []
  }

  enum Kind { case everyRow, routed, residual, rerun }

  enum RegisteredAccess {
    case equal(ColumnID, Value)
    case range(ColumnID, handle: Int32)
  }

  /// What is registered for the rows of one table.
  struct TableRoutes {
    var columns: [ColumnRoutes] = []
    var everyRow: [Int32] = []
    var residual: [Int32] = []
    /// Views that run anew when rows of this table change in these columns; all columns for their own table.
    var rerun: [(slot: Int32, columns: ColumnSet?)] = []

    var hasRowRoutes: Bool { !columns.isEmpty || !everyRow.isEmpty || !residual.isEmpty }
  }

  struct ColumnRoutes {
    let column: ColumnID
    var equal: [Value: [Int32]] = [:]
    var ranges = IntervalTree()

    var isEmpty: Bool { equal.isEmpty && ranges.count == 0 }
  }

  package init(layout: GraphLayout) {
    self.layout = layout
    tables = Array(repeating: TableRoutes(), count: layout.schema.count)
  }

  package var viewCount: Int { slotOfView.count }

  /// Views that see every touched row of their table although they have a predicate. Should stay small.
  package var residualViewCount: Int { tables.reduce(0) { $0 + $1.residual.count } }

  /// Returns the view's slot.
  @discardableResult
  package mutating func register(_ view: ViewID, _ query: ViewQuery) -> Int {
    if slotOfView[view] != nil { fatalError("View \(view.index) is registered already.") }
    var slot = Slot(
      view: view, table: query.table, kind: .routed,
      predicate: CompiledPredicate(query.predicate, table: query.table, layout: layout),
      columns: query.predicateColumns)
    let index = freeSlots.popLast() ?? Int32(slots.count)
    if query.followsLinks {
      slot.kind = .rerun
      slot.columnsBehindLinks = query.columnsBehindLinks(schema: schema)
      tables[query.table.index].rerun.append((index, nil))
      for (table, columns) in slot.columnsBehindLinks where table != query.table {
        tables[table.index].rerun.append((index, columns))
      }
    } else if query.predicate == .constant(true) {
      slot.kind = .everyRow
      tables[query.table.index].everyRow.append(index)
    } else if let accesses = query.predicate.accesses(schema[query.table.index].columns) {
      slot.accesses = Set(accesses).map { add($0, index, query.table) }
    } else {
      slot.kind = .residual
      tables[query.table.index].residual.append(index)
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
    case .rerun:
      tables[table].rerun.removeAll { $0.slot == index }
      for other in slot.columnsBehindLinks.keys { tables[other.index].rerun.removeAll { $0.slot == index } }
    }
    slots[Int(index)].accesses = []
    slots[Int(index)].touched = []
    freeSlots.append(index)
  }

  private mutating func add(_ access: Access, _ slot: Int32, _ table: TableID) -> RegisteredAccess {
    switch access {
    case .equal(let column, let value):
      let position = columnPosition(column, table.index)
      tables[table.index].columns[position].equal[value, default: []].append(slot)
      return .equal(column, value)
    case .range(let column, let lower, let upper):
      let position = columnPosition(column, table.index)
      let handle = tables[table.index].columns[position].ranges.add(lower: lower, upper: upper, owner: slot)
      return .range(column, handle: handle)
    }
  }

  private mutating func remove(_ access: RegisteredAccess, _ slot: Int32, _ table: Int) {
    let column: ColumnID
    switch access {
    case .equal(let equal, _): column = equal
    case .range(let range, _): column = range
    }
    let position = columnPosition(column, table)
    switch access {
    case .equal(_, let value):
      tables[table].columns[position].equal[value]?.removeAll { $0 == slot }
      if tables[table].columns[position].equal[value]?.isEmpty == true {
        tables[table].columns[position].equal[value] = nil
      }
    case .range(_, let handle): tables[table].columns[position].ranges.remove(handle)
    }
    if tables[table].columns[position].isEmpty { tables[table].columns.remove(at: position) }
  }

  private mutating func columnPosition(_ column: ColumnID, _ table: Int) -> Int {
    if let position = tables[table].columns.firstIndex(where: { $0.column == column }) { return position }
    tables[table].columns.append(ColumnRoutes(column: column))
    return tables[table].columns.count - 1
  }
}
