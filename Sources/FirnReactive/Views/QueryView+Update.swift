package import FirnEngine

/// A row of a view's table, or an element of its collection, that came, went or was written.
package struct TouchedRow: Hashable, Sendable {
  /// The key of the row, or the label of the element.
  package var key: RowKey
  /// Index in the modified rows of the table's changes, -1 when the row was inserted or deleted.
  package var modified: Int32
  package var wasIn: Bool
  package var isIn: Bool
  /// Whether something was written, perhaps behind its links, that decides about the order or about what the steps keep.
  package var mayMove: Bool

  package init(key: RowKey, modified: Int32, wasIn: Bool, isIn: Bool, mayMove: Bool = false) {
    self.key = key
    self.modified = modified
    self.wasIn = wasIn
    self.isIn = isIn
    self.mayMove = mayMove
  }
}

extension QueryView {
  /// Moves the view from one version to a later one. Nil when nothing changed for observers.
  ///
  /// `touched` names, ascending by key, the touched rows that were or are in the view; unless the view is to run its
  /// query anew.
  ///
  /// - Parameter number: That of the later version.
  package func update(
    _ touched: [TouchedRow], runsAnew: Bool = false, written: [ModifiedRow], old: GraphContents, new: GraphContents,
    number: UInt64 = 0, counters: inout WorkCounters
  ) -> ViewChange? {
    var change: ViewChange
    var touched = touched
    let runsAnew = runsAnew || !pass(&touched, old, new)
    switch rows {
    case _ where runsAnew:
      counters.rerunViews &+= 1
      change = rerun(written, old, new)
    case .everyRow:
      counters.ranks &+= touched.count
      change = updateEveryRow(touched, written, old, new)
    case .keys(let tree):
      if Self.isLarge(touched.count, tree.count) {
        counters.rebuiltViews &+= 1
        change = rebuild(tree, touched, written)
      } else {
        counters.ranks &+= touched.count
        change = update(tree, touched, written)
      }
    case .entries(let tree):
      if Self.isLarge(touched.count, tree.count) {
        counters.rebuiltViews &+= 1
        change = rebuild(tree, touched, written, new)
      } else {
        counters.ranks &+= touched.count &* 2
        change = update(tree, touched, written, old, new)
      }
    }
    if keepsLeft, !runsAnew { change.left = touched.lazy.filter { $0.wasIn && !$0.isIn }.map(\.key) }
    let versions = StepVersions(old: old, new: new, number: number)
    for entry in groupViews {
      guard let groups = entry.view else { continue }
      if runsAnew {
        groups.rebuild(self, versions)
      } else {
        groups.follow(touched, of: self, written, versions, &counters)
      }
    }
    return change.isEmpty ? nil : change
  }

  /// Takes what was touched through the stages. False when that is so much that the query is to be run anew.
  private func pass(_ touched: inout [TouchedRow], _ old: GraphContents, _ new: GraphContents) -> Bool {
    for stage in stages {
      switch stage {
      case .filter(let predicate):
        for index in touched.indices {
          let row = row(touched[index].key)
          touched[index].wasIn = touched[index].wasIn && Self.matches(predicate, row, old)
          touched[index].isIn = touched[index].isIn && Self.matches(predicate, row, new)
        }
        touched.removeAll { !$0.wasIn && !$0.isIn }
      case .distinct(let rows):
        if Self.isLarge(touched.count, rows.count) { return false }
        rows.pass(&touched, old, new)
      case .window(let rows):
        if Self.isLarge(touched.count, rows.count) { return false }
        rows.pass(&touched, old, new)
      }
    }
    return true
  }

  /// Whether walking all rows is cheaper than finding each touched one.
  private static func isLarge(_ touched: Int, _ count: Int) -> Bool {
    touched > 32 && touched &* (Int.bitWidth &- count.leadingZeroBitCount) > count
  }

  private func updateEveryRow(
    _ touched: [TouchedRow], _ written: [ModifiedRow], _ old: GraphContents, _ new: GraphContents
  ) -> ViewChange {
    var change = ViewChange()
    change.oldCount = old.rowCount(query.table)
    change.newCount = new.rowCount(query.table)
    for row in touched {
      if !row.wasIn {
        change.insertions.append(new.rank(of: row.key, in: query.table))
      } else {
        change.addStayingOrLeaving(row, at: old.rank(of: row.key, in: query.table), written)
      }
    }
    return change
  }

  /// In key order nothing moves, so a new rank is the old rank shifted by what came and left before.
  private func update(_ tree: CountedTree<UInt64>, _ touched: [TouchedRow], _ written: [ModifiedRow]) -> ViewChange {
    var change = ViewChange()
    change.oldCount = tree.count
    if !written.isEmpty { change.modifications.reserveCapacity(min(touched.count, written.count)) }
    var inserted: [UInt64] = []
    for row in touched {
      let key = row.key.rawValue
      let rank = tree.rank { $0 < key }
      if row.wasIn {
        change.addStayingOrLeaving(row, at: rank, written)
      } else {
        change.insertions.append(rank &+ inserted.count &- change.deletions.count)
        inserted.append(key)
      }
    }
    for position in change.deletions.reversed() { tree.remove(at: position) }
    for (index, key) in inserted.enumerated() { tree.insert(key, at: change.insertions[index]) }
    change.newCount = tree.count
    return change
  }

  private func rebuild(_ tree: CountedTree<UInt64>, _ touched: [TouchedRow], _ written: [ModifiedRow]) -> ViewChange {
    var change = ViewChange()
    change.oldCount = tree.count
    var keys: [UInt64] = []
    keys.reserveCapacity(tree.count &+ touched.count)
    var next = 0
    var position = 0
    func insertTouched(before key: UInt64) {
      while next < touched.count, touched[next].key.rawValue < key, !touched[next].wasIn {
        change.insertions.append(keys.count)
        keys.append(touched[next].key.rawValue)
        next &+= 1
      }
    }
    tree.walk { key in
      insertTouched(before: key)
      if next < touched.count, touched[next].key.rawValue == key {
        change.addStayingOrLeaving(touched[next], at: position, written)
        if touched[next].isIn { keys.append(key) }
        next &+= 1
      } else {
        keys.append(key)
      }
      position &+= 1
    }
    insertTouched(before: .max)
    tree.rebuild(keys)
    change.newCount = keys.count
    return change
  }
}

extension ViewChange {
  /// A row that was in the view, in an order in which nothing moves.
  fileprivate mutating func addStayingOrLeaving(_ row: TouchedRow, at position: Int, _ written: [ModifiedRow]) {
    if !row.isIn {
      deletions.append(position)
    } else if row.modified >= 0 {
      modifications.append(Modification(position: position, written[Int(row.modified)]))
    }
  }
}
