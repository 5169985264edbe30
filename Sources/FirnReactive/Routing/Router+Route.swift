package import FirnEngine

/// A view that a change set affects.
package struct RoutedView {
  package var view: QueryView
  /// The touched rows that were or are in the view, ascending by key.
  package var rows: [TouchedRow]
  /// Whether there may be more of them.
  package var runsAnew = false
}

extension Router {
  /// The views affected by what happened between two versions, ascending, with the touched rows of each.
  package mutating func route(_ changes: ChangeSet, old: GraphContents, new: GraphContents) -> [RoutedView] {
    find(changes, WrittenRows(), old, new)
    return affected.map { index in
      let view = view(at: index)
      let (rows, runsAnew) = view.routing.take()
      return RoutedView(view: view, rows: rows, runsAnew: runsAnew)
    }
  }

  /// The view in a slot.
  @inline(__always)
  func view(at slot: Int32) -> QueryView { slots[Int(slot)].unsafelyUnwrapped }

  /// The same without a count: it stays registered while rows are routed.
  @inline(__always)
  private func unretainedView(at slot: Int32) -> Unmanaged<QueryView> { .passUnretained(view(at: slot)) }

  /// Leaves the slots of the affected views in `affected`, in the order of the views.
  ///
  /// - Parameter written: Rows that count as modified besides.
  mutating func find(_ changes: ChangeSet, _ written: WrittenRows, _ old: GraphContents, _ new: GraphContents) {
    affected.removeAllInPlace()
    if isEmpty { return }
    let reached = paths.isEmpty ? [:] : reachedRows(changes, old, new)
    for index in changes.tables.touched where reached[index] == nil && !written.hasAdded(to: index) {
      if !changes.tables[index].isEmpty { routeRows(index, changes, written, [], old, new) }
    }
    written.forEachTable { index in
      if reached[index] == nil { routeRows(index, changes, written, [], old, new) }
    }
    for (index, rows) in reached { routeRows(index, changes, written, rows, old, new) }
    if affected.count > 1 {
      let slots = slots
      affected.sort { slots[Int($0)].unsafelyUnwrapped.number < slots[Int($1)].unsafelyUnwrapped.number }
    }
  }

  /// All touched rows of a table in the order of their keys.
  private mutating func routeRows(
    _ index: Int, _ changes: ChangeSet, _ written: WrittenRows, _ reached: [ReachedRow], _ old: GraphContents,
    _ new: GraphContents
  ) {
    if !tables[index].hasRowRoutes { return }
    let table = TableID(index)
    let rows = written.modified(of: index, changes)
    let changes = changes.tables[index]
    counters.rowsExamined &+= changes.inserted.count &+ changes.deleted.count &+ rows.count &+ reached.count
    var nextReached = 0
    var inserted = 0
    var deleted = 0
    var modified = 0
    while true {
      let insertedKey = inserted < changes.inserted.count ? changes.inserted[inserted].rawValue : .max
      let deletedKey = deleted < changes.deleted.count ? changes.deleted[deleted].rawValue : .max
      let modifiedKey = modified < rows.count ? rows[modified].key.rawValue : .max
      if nextReached < reached.count {
        let row = reached[nextReached]
        let key = row.key.rawValue
        if key <= modifiedKey, key < insertedKey, key < deletedKey {
          var routed = RoutedRow(key: row.key, table: table, columns: row.columns)
          routed.isReached = true
          routed.isByBacklinks = row.isByBacklinks
          if key == modifiedKey {
            routed.modified = modified
            routed.columns.formUnion(rows[modified].columns)
            modified &+= 1
          }
          routeRow(routed, old, new)
          nextReached &+= 1
          continue
        }
        // A new row is looked at as a whole.
        if key == insertedKey { nextReached &+= 1 }
      }
      if modifiedKey < insertedKey, modifiedKey < deletedKey {
        let row = rows[modified]
        routeRow(RoutedRow(key: row.key, table: table, modified: modified, columns: row.columns), old, new)
        modified &+= 1
      } else if insertedKey < deletedKey {
        routeRow(RoutedRow(key: RowKey(insertedKey), table: table, existed: false), old, new)
        inserted &+= 1
      } else if deletedKey != .max {
        routeRow(RoutedRow(key: RowKey(deletedKey), table: table, exists: false), old, new)
        deleted &+= 1
      } else {
        return
      }
    }
  }

  /// A touched row and where it exists.
  private struct RoutedRow {
    var key: RowKey
    var table: TableID
    var existed = true
    var exists = true
    /// Index among the modified rows, or -1.
    var modified = -1
    var columns = ColumnSet()
    /// Whether something behind its links was written.
    var isReached = false
    /// Whether other rows link to it than before, or something was written in them.
    var isByBacklinks = false
  }

  private mutating func routeRow(_ row: RoutedRow, _ old: GraphContents, _ new: GraphContents) {
    epoch &+= 1
    let table = row.table.index
    let columns = tables[table].columns
    var position = 0
    while position < columns.count {
      Unmanaged.passUnretained(columns[position])._withUnsafeGuaranteedRef { stab($0, row, old, new) }
      position &+= 1
    }
    position = 0
    while position < tables[table].residual.count {
      unretainedView(at: tables[table].residual[position])._withUnsafeGuaranteedRef { evaluate($0, row, old, new) }
      position &+= 1
    }
    position = 0
    while position < tables[table].everyRow.count {
      counters.candidates &+= 1
      unretainedView(at: tables[table].everyRow[position])._withUnsafeGuaranteedRef {
        add(row, row.existed, row.exists, to: $0)
      }
      position &+= 1
    }
  }

  /// Evaluates the views whose condition on a column a value of the row satisfies, or satisfied.
  @inline(__always)
  private mutating func stab(_ column: ColumnRoutes, _ row: RoutedRow, _ old: GraphContents, _ new: GraphContents) {
    guard let path = column.column else { return stabEach(column, row, old, new) }
    if row.existed, row.exists, !row.columns.contains(path.links.first ?? path.column) {
      return stab(column, value(path, row, in: old), row, old, new, wasIn: true, isIn: true)
    }
    let before = row.existed ? value(path, row, in: old) : nil
    let after = row.exists ? value(path, row, in: new) : nil
    let isSame = before == after
    if let before { stab(column, before, row, old, new, wasIn: true, isIn: isSame) }
    if let after, !isSame { stab(column, after, row, old, new, wasIn: false, isIn: true) }
  }

  /// Evaluates the views whose condition one of the values at the end of a path satisfies.
  @inline(never)
  private mutating func stabEach(
    _ column: ColumnRoutes, _ row: RoutedRow, _ old: GraphContents, _ new: GraphContents
  ) {
    let path = column.path
    if row.existed {
      old.forEachValue(at: path, of: row.key, in: row.table) {
        stab(column, $0, row, old, new, wasIn: true, isIn: true)
      }
    }
    if row.exists, !row.existed || row.isByBacklinks || path.isTouched(by: row.columns) {
      new.forEachValue(at: path, of: row.key, in: row.table) {
        stab(column, $0, row, old, new, wasIn: true, isIn: true)
      }
    }
  }

  @inline(__always)
  private func value(_ path: ColumnPath, _ row: RoutedRow, in contents: GraphContents) -> Value {
    path.links.isEmpty
      ? contents.value(path.column, of: row.key, in: row.table) : contents.value(at: path, of: row.key, in: row.table)
  }

  /// Evaluates the views whose condition on a column the value satisfies.
  ///
  /// - Parameters:
  ///   - wasIn: Whether it is the value before. Those that show the rows with the value, and no others, need no more.
  ///   - isIn: Whether it is the value after.
  private mutating func stab(
    _ column: ColumnRoutes, _ value: Value, _ row: RoutedRow, _ old: GraphContents, _ new: GraphContents, wasIn: Bool,
    isIn: Bool
  ) {
    column.equal.visit(value) { slot in
      unretainedView(at: slot)._withUnsafeGuaranteedRef { view in
        if view.routing.kind != .exact {
          evaluate(view, row, old, new)
        } else if view.condition.isEquality(with: value) {
          counters.candidates &+= 1
          add(row, wasIn, isIn, to: view)
        }
      }
    }
    if case .null = value { return }
    if column.ranges.isEmpty || value.isUnordered { return }
    found.removeAllInPlace()
    counters.treeNodesVisited &+= column.ranges.collect(containing: value, into: &found)
    var index = 0
    while index < found.count {
      unretainedView(at: found[index])._withUnsafeGuaranteedRef { evaluate($0, row, old, new) }
      index &+= 1
    }
  }

  private mutating func evaluate(
    _ view: QueryView, _ row: RoutedRow, _ old: GraphContents, _ new: GraphContents
  ) {
    if view.routing.epoch == epoch { return }
    view.routing.epoch = epoch
    counters.candidates &+= 1
    var wasIn = false
    var isIn = false
    if row.existed {
      counters.predicateEvaluations &+= 1
      wasIn = view.condition.matches(row.key, in: old)
    }
    if row.existed, row.exists, !row.isByBacklinks, view.routing.isIndependent(of: row.columns) {
      isIn = wasIn
    } else if row.exists {
      counters.predicateEvaluations &+= 1
      isIn = view.condition.matches(row.key, in: new)
    }
    if wasIn || isIn { add(row, wasIn, isIn, to: view) }
  }

  private mutating func add(_ row: RoutedRow, _ wasIn: Bool, _ isIn: Bool, to view: QueryView) {
    let mayMove = row.isReached && view.routing.ordersBehindLinks
    // It was reached, and stays where it is.
    if row.modified < 0, wasIn, isIn, !mayMove { return }
    markAffected(view)
    view.routing.touched.append(
      TouchedRow(
        key: row.key, modified: Int32(truncatingIfNeeded: row.modified), wasIn: wasIn, isIn: isIn, mayMove: mayMove))
  }

  mutating func markAffected(_ view: QueryView) {
    if view.routing.isAffected { return }
    view.routing.isAffected = true
    affected.append(view.routing.slot)
  }
}

extension RoutingState {
  /// Whether a write to these columns of a row leaves it in the view, or outside.
  @inline(__always)
  fileprivate func isIndependent(of columns: ColumnSet) -> Bool {
    details.map { columns.isDisjoint(with: $0.columns) } ?? false
  }

  /// The touched rows of a view that was found, which forgets them, and whether it has to run anew. Give their memory back
  /// afterwards.
  @inline(__always)
  mutating func take() -> (rows: [TouchedRow], runsAnew: Bool) {
    var rows: [TouchedRow] = []
    swap(&rows, &touched)
    isAffected = false
    defer { runsAnew = false }
    return (rows, runsAnew)
  }

  /// Keeps the memory of a list for the next rows of the view, unless it is big.
  @inline(__always)
  mutating func giveBack(_ rows: consuming [TouchedRow]) {
    rows.removeAllInPlace(keepingAtMost: 16)
    touched = rows
  }
}
