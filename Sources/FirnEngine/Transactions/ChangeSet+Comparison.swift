extension ChangeSet {
  /// What differs between two versions of one graph, found by comparing their trees and skipping what they share.
  ///
  /// Unlike the change sets of commits it tells values, not writes: a cell written with an equal value is not listed, a
  /// list that differs is reported as replaced; sets are compared element by element, maps key by key.
  ///
  /// - Complexity: O(blocks that differ).
  package init(from old: GraphContents, to new: GraphContents) {
    self.init(tableCount: new.layout.visibleCount)
    for table in new.layout.tables where table.isVisible {
      let before = old.tableRoot(TableID(table.index))
      let after = new.tableRoot(TableID(table.index))
      if before == after { continue }
      var comparison = TableComparison(old: old, new: new, layout: table)
      comparison.compare(before, after)
      tables[table.index] = comparison.changes
    }
    addOwners(in: new)
  }
}

/// Compares one table in two versions.
private struct TableComparison {
  let old: GraphContents
  let new: GraphContents
  let layout: TableLayout
  var changes = TableChanges()

  mutating func compare(_ before: UnsafeRawPointer, _ after: UnsafeRawPointer) {
    var oldTop = TableRoot.top(before)
    var newTop = TableRoot.top(after)
    let oldHeight = TableRoot.height(before)
    let newHeight = TableRoot.height(after)
    // The lower tree stands where the first child of the higher one does.
    if oldTop == nil || newTop == nil { return compareNodes(oldTop, newTop, max(oldHeight, newHeight)) }
    var height = max(oldHeight, newHeight)
    var pending: [(UnsafeRawPointer?, UnsafeRawPointer?, Int)] = []
    while height > oldHeight {
      for entry in 1..<64 { pending.append((nil, Directory.child(newTop.unsafelyUnwrapped, entry), height - 1)) }
      newTop = Directory.child(newTop.unsafelyUnwrapped, 0)
      height -= 1
      if newTop == nil { break }
    }
    while height > newHeight, newTop != nil {
      for entry in 1..<64 { pending.append((Directory.child(oldTop.unsafelyUnwrapped, entry), nil, height - 1)) }
      oldTop = Directory.child(oldTop.unsafelyUnwrapped, 0)
      height -= 1
      if oldTop == nil { break }
    }
    if newTop == nil, oldTop != nil { height = oldHeight }
    if oldTop == nil, newTop != nil { height = newHeight }
    compareNodes(oldTop, newTop, height)
    for (oldNode, newNode, level) in pending.sorted(by: { $0.2 < $1.2 }) { compareNodes(oldNode, newNode, level) }
    changes.inserted.sort()
    changes.deleted.sort()
    changes.modified.sort { $0.key < $1.key }
  }

  /// `level` is 1 for nodes whose children are clusters.
  private mutating func compareNodes(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ level: Int) {
    if old == new || level == 0 { return }
    if level > 1 {
      for entry in 0..<64 {
        compareNodes(
          old.flatMap { Directory.child($0, entry) }, new.flatMap { Directory.child($0, entry) }, level - 1)
      }
      return
    }
    compareRows(rows(of: old, except: new), rows(of: new, except: old))
  }

  /// The rows below a lowest node, without clusters that stand in the same place of the other node.
  private func rows(of node: UnsafeRawPointer?, except other: UnsafeRawPointer?) -> [RowLocation] {
    guard let node else { return [] }
    var rows: [RowLocation] = []
    var previous: UnsafeRawPointer?
    for entry in 0..<64 {
      guard let cluster = Directory.child(node, entry), cluster != previous else { continue }
      previous = cluster
      if let other, Directory.child(other, entry) == cluster { continue }
      for slot in 0..<Cluster.slotCount(cluster) where Cluster.isLive(cluster, slot) {
        rows.append(RowLocation(cluster: cluster, slot: slot))
      }
    }
    return rows
  }

  private mutating func compareRows(_ old: [RowLocation], _ new: [RowLocation]) {
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < old.count || newIndex < new.count {
      if newIndex == new.count || (oldIndex < old.count && old[oldIndex].key < new[newIndex].key) {
        changes.deleted.append(old[oldIndex].key)
        oldIndex += 1
      } else if oldIndex == old.count || new[newIndex].key < old[oldIndex].key {
        changes.inserted.append(new[newIndex].key)
        newIndex += 1
      } else {
        compareRow(old[oldIndex], new[newIndex])
        oldIndex += 1
        newIndex += 1
      }
    }
  }

  private mutating func compareRow(_ before: RowLocation, _ after: RowLocation) {
    var columns = ColumnSet()
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      let offset = Int(column.offset)
      if column.storage.isCollection {
        compareCollections(before, after, index, &columns)
        continue
      }
      if column.storage != .bits, column.nullOffset == 0, before.slot == after.slot,
        Cluster.leaf(before.cluster, at: offset) == Cluster.leaf(after.cluster, at: offset)
      {
        continue
      }
      if !old.value(index, at: before, in: layout).isIdentical(to: new.value(index, at: after, in: layout)) {
        columns.insert(ColumnID(index))
      }
    }
    if !columns.isEmpty { changes.modified.append(ModifiedRow(key: after.key, columns: columns)) }
  }

  private mutating func compareCollections(
    _ before: RowLocation, _ after: RowLocation, _ index: Int, _ columns: inout ColumnSet
  ) {
    let offset = Int(layout.columns[index].offset)
    let old = FixedLeaf.load(Cluster.leaf(before.cluster, at: offset), before.slot, as: UnsafeRawPointer?.self)
    let new = FixedLeaf.load(Cluster.leaf(after.cluster, at: offset), after.slot, as: UnsafeRawPointer?.self)
    if old == new { return }
    let column = layout.columns[index]
    let delta =
      switch column.storage {
      case .set: ListDelta(from: old, to: new, type: column.type, shape: layout.listShape(index))
      case .map: ListDelta(from: old, to: new, type: column.type, valueShape: layout.listShape(index))
      default: ListDelta(replacing: ListTree.count(old), with: ListTree.count(new))
      }
    if delta.isEmpty { return }
    columns.insert(ColumnID(index))
    changes.lists[ListID(row: after.key, column: ColumnID(index))] = delta
  }
}

extension Value {
  /// Whether both are stored alike: unlike with `==`, a NaN is identical to itself, and 0 is not to -0.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left.bitPattern == right.bitPattern
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    default: self == other
    }
  }
}
