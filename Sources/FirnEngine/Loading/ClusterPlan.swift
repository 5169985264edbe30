/// A new cluster and the rows that fill it.
struct ClusterPlan {
  let cluster: Block
  /// The rows: positions in the keys that the plan was made from.
  let firstRow: Int
  let rowCount: Int
  /// One more than the last slot with a row.
  let slotCount: Int
  /// The slots that leaves have room for.
  let capacity: Int
  /// Whether the k-th row goes to slot k. Else row keys give the slots, some of which stay free.
  let isContiguous: Bool
}

/// Cuts ascending keys into clusters as compaction would have left them: dense ones where at least three of four slots are in
/// use, else sparse ones, of which neighbours with few rows share one.
struct ClusterPlanner {
  let layout: TableLayout
  let keys: UnsafePointer<UInt64>
  let store: BlockStore
  /// Rows will be appended to the clusters from this directory entry on, so they have to be dense. Nil: not known yet.
  let tail: UInt64?
  private(set) var plans: [ClusterPlan] = []

  init(layout: TableLayout, keys: UnsafePointer<UInt64>, store: BlockStore, tail: UInt64?) {
    self.layout = layout
    self.keys = keys
    self.store = store
    self.tail = tail
  }

  /// The most rows that several directory entries share a cluster for; as in compaction.
  private static var sharedRowCountMax: Int { 160 }

  /// Plans clusters for all rows in a range.
  mutating func plan(_ rows: Range<Int>) {
    var first = rows.lowerBound
    while first < rows.upperBound {
      let node = keys[first] &>> 14
      let end = lowerBound((node + 1) << 14, in: first..<rows.upperBound)
      split(first..<end, entry: node << 6, span: 64)
      first = end
    }
  }

  /// Plans clusters for rows whose keys lie in `span` directory entries from `entry` on.
  mutating func split(_ rows: Range<Int>, entry: UInt64, span: Int) {
    if rows.isEmpty { return }
    if span == 1 { return addSingle(rows, entry: entry) }
    if rows.count <= Self.sharedRowCountMax, tail.map({ entry + UInt64(span) <= $0 }) ?? true {
      return add(rows, entry: entry, span: span, slotCount: rows.count, isDense: false)
    }
    let middle = lowerBound((entry + UInt64(span / 2)) << 8, in: rows)
    split(rows.lowerBound..<middle, entry: entry, span: span / 2)
    split(middle..<rows.upperBound, entry: entry + UInt64(span / 2), span: span / 2)
  }

  private mutating func addSingle(_ rows: Range<Int>, entry: UInt64) {
    let slotCount = Int(keys[rows.upperBound - 1] & 255) + 1
    let isDense = tail.map { entry >= $0 } ?? false || rows.count * 4 >= 3 * slotCount
    add(rows, entry: entry, span: 1, slotCount: isDense ? slotCount : rows.count, isDense: isDense)
  }

  private mutating func add(_ rows: Range<Int>, entry: UInt64, span: Int, slotCount: Int, isDense: Bool) {
    let base = entry << 8
    let cluster = Cluster.make(base: base, layout: layout, store: store)
    Cluster.setSpan(cluster, span)
    Cluster.setSlotCount(cluster, slotCount)
    Cluster.setLiveCount(cluster, rows.count)
    let isContiguous = !isDense || slotCount == rows.count
    if isContiguous {
      SlotMask.fill((cluster + Cluster.liveOffset).assumingMemoryBound(to: UInt64.self), count: slotCount)
    } else {
      for row in rows { Cluster.setBit(cluster, Cluster.liveOffset, Int(keys[row] & 255), true) }
    }
    if !isDense {
      let offsets = store.allocate(byteCount: 16 + rows.count * 2)
      offsets.blockKind = 10
      let target = (offsets + 16).assumingMemoryBound(to: UInt16.self)
      for row in rows { target[row - rows.lowerBound] = UInt16(truncatingIfNeeded: keys[row] - base) }
      Cluster.setLeaf(cluster, at: 40, offsets)
    }
    plans.append(
      ClusterPlan(
        cluster: cluster, firstRow: rows.lowerBound, rowCount: rows.count, slotCount: slotCount,
        capacity: isDense ? LeafCapacity.slots(for: slotCount) : slotCount, isContiguous: isContiguous))
  }

  /// The first of the rows whose key is not below `key`.
  private func lowerBound(_ key: UInt64, in rows: Range<Int>) -> Int {
    var low = rows.lowerBound
    var high = rows.upperBound
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
