import FirnEngine

extension LiveView {
  /// Ranks in the old version, then removals, insertions, and ranks in the new version.
  ///
  /// While rows are removed the tree holds old places only. When rows are inserted, all others in it are untouched in
  /// the columns of the order, so the new version orders them like the old one.
  func update(
    _ tree: CountedTree<OrderEntry>, _ touched: [TouchedRow], _ written: [ModifiedRow], _ old: Snapshot, _ new: Snapshot
  ) -> ViewChange {
    guard let order else { fatalError("A sorted view without an order.") }
    let oldCount = tree.count
    var ranked: [RankedRow] = []
    ranked.reserveCapacity(touched.count)
    var removed: [Int] = []
    for row in touched {
      let rank = row.wasIn ? self.rank(of: row.key, in: old) : -1
      ranked.append(RankedRow(old: rank, new: -1, modified: row.modified))
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
    _ tree: CountedTree<OrderEntry>, _ touched: [TouchedRow], _ written: [ModifiedRow], _ new: Snapshot
  ) -> ViewChange {
    guard let order else { fatalError("A sorted view without an order.") }
    let oldCount = tree.count
    var ranked = touched.map { RankedRow(old: -1, new: -1, modified: $0.modified) }
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
    row.mayMove || row.modified >= 0 && !written[Int(row.modified)].columns.isDisjoint(with: orderColumns)
  }

  /// Runs the query in the new version and compares by key.
  ///
  /// When the order follows links, any row may have moved because of what its links lead to, so all count as touched.
  func rerun(_ written: [ModifiedRow], _ old: Snapshot, _ new: Snapshot) -> ViewChange {
    var keys: [RowKey] = []
    forEachKey(in: old) { keys.append($0) }
    let newKeys = run(in: new)
    rebuild(newKeys, in: new)
    var newRanks: [RowKey: Int] = Dictionary(minimumCapacity: newKeys.count)
    for (rank, key) in newKeys.enumerated() { newRanks[key] = rank }
    var modified: [RowKey: Int32] = Dictionary(minimumCapacity: written.count)
    for (index, row) in written.enumerated() { modified[row.key] = Int32(index) }
    let orderFollowsLinks = query.sort.contains { !$0.path.links.isEmpty }
    var ranked: [RankedRow] = []
    for (rank, key) in keys.enumerated() {
      let row = RankedRow(old: rank, new: newRanks.removeValue(forKey: key) ?? -1, modified: modified[key] ?? -1)
      if row.new < 0 || row.modified >= 0 || orderFollowsLinks { ranked.append(row) }
    }
    for rank in newRanks.values { ranked.append(RankedRow(old: -1, new: rank, modified: -1)) }
    return ViewChange(ranked, written: written, oldCount: keys.count, newCount: newKeys.count)
  }

  private func rebuild(_ keys: [RowKey], in snapshot: Snapshot) {
    switch rows {
    case .everyRow: break
    case .keys(let tree): tree.rebuild(keys.map(\.rawValue))
    case .entries(let tree):
      guard let order else { fatalError("A sorted view without an order.") }
      tree.rebuild(keys.map { order.entry(for: $0, in: snapshot) })
    }
  }
}
