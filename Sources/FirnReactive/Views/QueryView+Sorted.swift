import FirnEngine

extension QueryView {
  /// Ranks in the old version, then removals, insertions, and ranks in the new version.
  ///
  /// While rows are removed the tree holds old places only. When rows are inserted, all others in it are untouched in
  /// the columns of the order, so the new version orders them like the old one.
  func update(
    _ tree: CountedTree<OrderEntry>, _ touched: [TouchedRow], _ written: [ModifiedRow], _ old: GraphContents,
    _ new: GraphContents
  ) -> ViewChange {
    guard let order else { fatalError("A sorted view without an order.") }
    let oldCount = tree.count
    var ranked: [RankedRow] = []
    ranked.reserveCapacity(touched.count)
    var removed: [Int] = []
    for row in touched {
      let rank = row.wasIn ? self.rank(of: row.key, in: old) : -1
      ranked.append(RankedRow(old: rank, new: -1, modified: row.modified, stays: stays(row, written)))
      if row.wasIn, !row.isIn || isReordered(row, written) { removed.append(rank) }
    }
    removed.sort()
    for position in removed.reversed() { tree.remove(at: position) }
    var inserted = -1
    for row in touched where row.isIn && (!row.wasIn || isReordered(row, written)) {
      let entry = order.entry(for: row.key, in: new)
      var place = OrderPlace(entry, order, new)
      inserted = tree.rank { place.isAfter($0) }
      tree.insert(entry, at: inserted)
    }
    let isUnmoved = removed.isEmpty && inserted < 0
    for (index, row) in touched.enumerated() where row.isIn {
      if isUnmoved {
        ranked[index].new = ranked[index].old
      } else {
        ranked[index].new = touched.count == 1 ? inserted : rank(of: row.key, in: new)
      }
    }
    return ViewChange(ranked, written: written, oldCount: oldCount, newCount: tree.count)
  }

  /// The same result by walking all rows once.
  func rebuild(
    _ tree: CountedTree<OrderEntry>, _ touched: [TouchedRow], _ written: [ModifiedRow], _ new: GraphContents
  ) -> ViewChange {
    guard let order else { fatalError("A sorted view without an order.") }
    let oldCount = tree.count
    var ranked = touched.map { RankedRow(old: -1, new: -1, modified: $0.modified, stays: stays($0, written)) }
    var indices: [UInt64: Int] = Dictionary(minimumCapacity: touched.count)
    for (index, row) in touched.enumerated() { indices[row.key.rawValue] = index }

    var coming: [RowKey] = []
    for row in touched where row.isIn && (!row.wasIn || isReordered(row, written)) { coming.append(row.key) }
    let arriving = order.entries(for: coming, in: new)
    var entries: [OrderEntry] = []
    entries.reserveCapacity(oldCount &+ arriving.count)
    var next = 0
    func append(_ entry: OrderEntry, _ index: Int?) {
      if let index { ranked[index].new = entries.count }
      entries.append(entry)
    }
    var position = 0
    tree.walk { entry in
      let index = indices[entry.key]
      if let index { ranked[index].old = position }
      position &+= 1
      if let index, !touched[index].isIn || isReordered(touched[index], written) { return }
      while next < arriving.count, order.precedes(arriving[next], entry, in: new) {
        append(arriving[next], indices[arriving[next].key])
        next &+= 1
      }
      append(entry, index)
    }
    while next < arriving.count {
      append(arriving[next], indices[arriving[next].key])
      next &+= 1
    }
    tree.rebuild(entries)
    return ViewChange(ranked, written: written, oldCount: oldCount, newCount: entries.count)
  }

  private func isReordered(_ row: TouchedRow, _ written: [ModifiedRow]) -> Bool {
    guard let arrangement else { return false }
    return row.mayMove && arrangement.orderFollowsLinks
      || row.modified >= 0 && !written[Int(row.modified)].columns.isDisjoint(with: arrangement.orderColumns)
  }

  /// Whether a row counts although nothing was written in it that decides about its place.
  private func stays(_ row: TouchedRow, _ written: [ModifiedRow]) -> Bool {
    row.wasIn && row.isIn && !(row.mayMove && arrangement?.orderFollowsLinks == true)
      && (row.modified < 0 || written[Int(row.modified)].columns.isEmpty)
  }

  /// Runs the query in the new version and compares by row.
  ///
  /// When the order follows links, any row may have moved because of what its links lead to, so all count as touched.
  func rerun(_ written: [ModifiedRow], _ old: GraphContents, _ new: GraphContents) -> ViewChange {
    var oldRows: [RowKey] = []
    forEachRow(in: old) { oldRows.append($0) }
    let keys = run(in: new)
    set(keys, in: new)
    var modified: [RowKey: Int32] = Dictionary(minimumCapacity: written.count)
    for (index, row) in written.enumerated() { modified[row.key] = Int32(index) }
    if sequence != nil {
      let newRows = keys.map { row($0) }
      let positions = PositionChanges(from: oldRows, to: newRows) { modified[$0] != nil }
      var change = ViewChange()
      (change.deletions, change.insertions) = (positions.deletions, positions.insertions)
      for position in positions.modifications {
        guard let index = modified[oldRows[position]] else { continue }
        change.modifications.append(ViewChange.Modification(position: position, written[Int(index)]))
      }
      (change.oldCount, change.newCount) = (oldRows.count, newRows.count)
      return change
    }
    let orderFollowsLinks = arrangement?.orderFollowsLinks == true
    var newRanks: [RowKey: Int] = Dictionary(minimumCapacity: keys.count)
    for (rank, key) in keys.enumerated() { newRanks[key] = rank }
    var ranked: [RankedRow] = []
    for (rank, key) in oldRows.enumerated() {
      var row = RankedRow(old: rank, new: newRanks.removeValue(forKey: key) ?? -1, modified: modified[key] ?? -1)
      row.stays =
        !orderFollowsLinks && row.new >= 0 && row.modified >= 0 && written[Int(row.modified)].columns.isEmpty
      if row.new < 0 || row.modified >= 0 || orderFollowsLinks { ranked.append(row) }
    }
    for rank in newRanks.values { ranked.append(RankedRow(old: -1, new: rank, modified: -1)) }
    var change = ViewChange(ranked, written: written, oldCount: oldRows.count, newCount: keys.count)
    if keepsLeft { change.left = ranked.lazy.filter { $0.new < 0 }.map { oldRows[$0.old] } }
    return change
  }
}
