import FirnEngine

/// A touched row of a view with its rank in the old and in the new version.
struct RankedRow {
  /// -1 when the row was not in the view.
  var old: Int
  /// -1 when the row is not in the view any more.
  var new: Int
  /// Index of the row in the modified rows of its table, -1 when it was inserted, deleted or not written at all.
  var modified: Int32
  /// Whether it cannot have moved: nothing was written but behind its links.
  var stays = false
}

extension ViewChange {
  /// The change made by the touched rows of a view, in O(k log k) for k rows.
  ///
  /// Untouched rows keep their relative order, so the number of untouched rows in front of a touched one, its *gap*,
  /// tells whether it moved past any of them. Rows of one gap moved only among themselves: a longest run of them whose
  /// order is unchanged stays, the others move. A row that stays is a modification when it was written.
  ///
  /// `rows` must hold every row that came, left or may have moved. Those that stay count as untouched.
  init(_ rows: [RankedRow], written: [ModifiedRow], oldCount: Int, newCount: Int) {
    self.oldCount = oldCount
    self.newCount = newCount
    if rows.count == 1 {
      addSingle(rows[0], written: written)
      return
    }
    let staying = rows.filter(\.stays)
    addAll(staying.isEmpty ? rows : rows.filter { !$0.stays }, written: written)
    if staying.isEmpty { return }
    for row in staying where row.modified >= 0 { addModification(row, written: written) }
    modifications.sort { $0.position < $1.position }
  }

  private mutating func addAll(_ rows: [RankedRow], written: [ModifiedRow]) {
    let newRanks = rows.lazy.filter { $0.new >= 0 }.map(\.new).sorted()
    let inOldOrder = rows.lazy.filter { $0.old >= 0 }.sorted { $0.old < $1.old }
    var stays: [(gap: Int, index: Int)] = []
    var kept = [Bool](repeating: false, count: inOldOrder.count)
    for (touchedBefore, row) in inOldOrder.enumerated() where row.new >= 0 {
      let gap = row.old &- touchedBefore
      if gap == row.new &- newRanks.partitionIndex({ $0 < row.new }) { stays.append((gap, touchedBefore)) }
    }
    var start = 0
    while start < stays.count {
      var end = start &+ 1
      while end < stays.count, stays[end].gap == stays[start].gap { end &+= 1 }
      let group = stays[start..<end]
      if group.count == 1 {
        kept[group[start].index] = true
      } else {
        let run = longestIncreasingRun(group.map { inOldOrder[$0.index].new })
        for (offset, entry) in group.enumerated() { kept[entry.index] = run[offset] }
      }
      start = end
    }
    for (index, row) in inOldOrder.enumerated() {
      if !kept[index] {
        deletions.append(row.old)
      } else if row.modified >= 0 {
        addModification(row, written: written)
      }
    }
    addInsertions(newRanks, keptRanks: inOldOrder.indices.lazy.filter { kept[$0] }.map { inOldOrder[$0].new })
  }

  private mutating func addSingle(_ row: RankedRow, written: [ModifiedRow]) {
    if row.old == row.new || row.stays {
      if row.modified >= 0 { addModification(row, written: written) }
      return
    }
    if row.old >= 0 { deletions.append(row.old) }
    if row.new >= 0 { insertions.append(row.new) }
  }

  private mutating func addModification(_ row: RankedRow, written: [ModifiedRow]) {
    modifications.append(Modification(position: row.old, written[Int(row.modified)]))
  }

  /// Kept rows have ascending new ranks, since neither gaps nor runs inside a gap go back.
  private mutating func addInsertions(_ newRanks: [Int], keptRanks: some Sequence<Int>) {
    var kept = keptRanks.makeIterator()
    var next = kept.next()
    for rank in newRanks {
      if rank == next {
        next = kept.next()
      } else {
        insertions.append(rank)
      }
    }
  }
}
