/// Backlinks (or postings) of one column that wait to be merged into their targets.
struct PendingLinks {
  struct Entry {
    let target: UInt64
    /// The source shifted by one; the lowest bit is set for an addition. So it orders by source, removals first.
    let order: UInt64

    @inline(__always)
    init(target: UInt64, source: UInt64, delta: Int32) {
      self.target = target
      order = source &<< 1 | (delta > 0 ? 1 : 0)
    }

    var source: UInt64 { order &>> 1 }
    /// 1 adds a backlink, -1 removes one.
    var delta: Int32 { order & 1 != 0 ? 1 : -1 }
  }

  /// The column that the links are in.
  let origin: (table: Int, column: Int)
  let target: Int
  /// Which of the target's backlink columns they are mirrored in.
  let backlink: Int
  var entries: [Entry] = []
  /// Targets that gained and lost a backlink since the last flush, so that nothing remained to be merged.
  var cancelled: [UInt64] = []

  init(origin: (table: Int, column: Int), target: Int, backlink: Int) {
    self.origin = origin
    self.target = target
    self.backlink = backlink
  }

  /// Orders entries by target, then source, then removals before additions, keeping only the net effect.
  mutating func settle() {
    if entries.count < 2 { return }
    sort()
    cancelOut()
  }

  /// Orders entries by target, then source, then removals before additions.
  mutating func sort() {
    if entries.count < 64 {
      entries.sort(by: Self.precedes)
    } else {
      sortByTarget()
    }
    // Sources arrive mostly ascending, so after the stable sort by target most runs are in order already.
    var start = 0
    while start < entries.count {
      var end = start + 1
      var isSorted = true
      while end < entries.count, entries[end].target == entries[start].target {
        if Self.precedes(entries[end], entries[end - 1]) { isSorted = false }
        end += 1
      }
      if !isSorted { entries[start..<end].sort(by: Self.precedes) }
      start = end
    }
  }

  private static func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
    lhs.target != rhs.target ? lhs.target < rhs.target : lhs.order < rhs.order
  }

  /// Drops pairs of a removal and an addition of the same backlink.
  private mutating func cancelOut() {
    var write = 0
    var start = 0
    while start < entries.count {
      var end = start
      var net: Int32 = 0
      while end < entries.count, entries[end].target == entries[start].target,
        entries[end].source == entries[start].source
      {
        net += entries[end].delta
        end += 1
      }
      let entry = entries[start]
      if net == 0, cancelled.last != entry.target { cancelled.append(entry.target) }
      for _ in 0..<abs(net) {
        entries[write] = Entry(target: entry.target, source: entry.source, delta: net > 0 ? 1 : -1)
        write += 1
      }
      start = end
    }
    entries.removeSubrange(write...)
  }

  /// A stable radix sort by target, eleven bits at a time.
  private mutating func sortByTarget() {
    var largest: UInt64 = 0
    for entry in entries { largest |= entry.target }
    var from = entries
    var to = entries
    var shift: UInt64 = 0
    while largest >> shift != 0 {
      var starts = [Int](repeating: 0, count: 2049)
      for entry in from { starts[Int(entry.target >> shift & 2047) + 1] += 1 }
      for digit in 1...2048 { starts[digit] += starts[digit - 1] }
      for entry in from {
        let digit = Int(entry.target >> shift & 2047)
        to[starts[digit]] = entry
        starts[digit] += 1
      }
      swap(&from, &to)
      shift += 11
    }
    entries = from
  }
}

extension Writer {
  @inline(__always)
  func addPendingLink(_ table: Int, _ column: Int, target: UInt64, source: UInt64, delta: Int32) {
    addPendingLink(firstPendingLinks[table] + column, target: target, source: source, delta: delta)
  }

  @inline(__always)
  func addPendingLink(_ index: Int, target: UInt64, source: UInt64, delta: Int32) {
    if pendingLinks[index].entries.isEmpty { activePendingLinks.append(index) }
    pendingLinks[index].entries.append(PendingLinks.Entry(target: target, source: source, delta: delta))
  }

  /// Finds or makes the row of a value in an index's value table and notes that `source` has the value.
  @discardableResult
  func addPosting(
    _ value: some ColumnKey, _ table: Int, _ column: Int, _ description: ColumnLayout, _ source: UInt64
  ) -> UInt64 {
    let valueTable = Int(description.target)
    let valueColumn = layout.tables[valueTable].columns[0]
    let entry: UInt64
    if let found = contents.find(value, in: tableRoot(valueTable), column: valueColumn) {
      entry = found.key.rawValue
    } else {
      entry = insert(into: TableID(valueTable)) { $0.setColumnKey(value) }.rawValue
    }
    addPendingLink(table, column, target: entry, source: source, delta: 1)
    return entry
  }

  /// Notes that `source` no longer has the value.
  func removePosting(
    _ value: some ColumnKey, _ table: Int, _ column: Int, _ description: ColumnLayout, _ source: UInt64
  ) {
    let valueTable = Int(description.target)
    guard
      let found = contents.find(value, in: tableRoot(valueTable), column: layout.tables[valueTable].columns[0])
    else { fatalError("The index of '\(layout.tables[table].name)' lacks a value that a row has.") }
    addPendingLink(table, column, target: found.key.rawValue, source: source, delta: -1)
  }

  /// Merges all buffered backlinks and postings into their targets.
  func flushLinks() {
    if activePendingLinks.isEmpty { return }
    // Deleting the row of a value that lost its last posting buffers nothing, so one pass is enough.
    for index in activePendingLinks { flush(index) }
    activePendingLinks.removeAll(keepingCapacity: true)
  }

  private func flush(_ index: Int) {
    pendingLinks[index].settle()
    let target = pendingLinks[index].target
    let offset = layout.tables[target].backlinkOffset(pendingLinks[index].backlink)
    let isPosting = layout.tables[target].backlink(pendingLinks[index].backlink).isPosting
    var entries: [PendingLinks.Entry] = []
    swap(&entries, &pendingLinks[index].entries)
    var start = 0
    var emptied: [RowKey] = []
    while start < entries.count {
      let cluster = ownCluster(target, of: entries[start].target)
      var end = start
      guard let cluster else {
        // The target was deleted meanwhile, with all its backlinks.
        start += 1
        continue
      }
      while end < entries.count,
        Directory.cluster(tableRoot(target), of: entries[end].target) == UnsafeRawPointer(cluster)
      {
        end += 1
      }
      merge(entries[start..<end], into: cluster, at: offset)
      if isPosting { noteEmptied(entries[start..<end], cluster, offset, &emptied) }
      start = end
    }
    if isPosting { noteUnused(pendingLinks[index].cancelled, target, offset, &emptied) }
    if !pendingLinks[index].cancelled.isEmpty { pendingLinks[index].cancelled.removeAll() }
    if !emptied.isEmpty { delete(emptied, from: TableID(target)) }
    // The buffer's memory serves the next transaction, unless that was an unusually big one.
    if entries.count < 4096 {
      entries.removeAll(keepingCapacity: true)
      swap(&entries, &pendingLinks[index].entries)
    }
  }

  /// Collects targets that never had a posting outside of the buffer.
  private func noteUnused(_ targets: [UInt64], _ table: Int, _ offset: Int, _ emptied: inout [RowKey]) {
    for target in targets {
      guard let location = Directory.locate(tableRoot(table), target) else { continue }
      if BacklinkLeaf.count(Cluster.optionalLeaf(location.cluster, at: offset), location.slot) == 0 {
        emptied.append(RowKey(target))
      }
    }
  }

  private func merge(
    _ entries: ArraySlice<PendingLinks.Entry>, into cluster: Block, at offset: Int
  ) {
    var leaf = Cluster.mutableLeaf(cluster, at: offset)
    let capacity = LeafCapacity.slots(for: Cluster.slotCount(cluster))
    if entries.count == 1, let entry = entries.first, entry.delta > 0 {
      guard let slot = Cluster.slot(cluster, of: entry.target) else { return }
      return Cluster.setLeaf(
        cluster, at: offset, BacklinkLeaf.add(leaf, slot, entry.source, capacity: capacity, store))
    }
    var additions: [Backlink] = []
    var removals: [Backlink] = []
    for entry in entries {
      guard let slot = Cluster.slot(cluster, of: entry.target) else { continue }
      if entry.delta > 0 {
        additions.append(Backlink(slot: UInt16(slot), source: entry.source))
      } else {
        removals.append(Backlink(slot: UInt16(slot), source: entry.source))
      }
    }
    if !removals.isEmpty {
      guard let existing = leaf else { fatalError("A backlink that should be removed does not exist.") }
      leaf = removals.withUnsafeBufferPointer { BacklinkLeaf.removeAll(existing, sorted: $0, store) }
    }
    if additions.count == 1 {
      leaf = BacklinkLeaf.add(leaf, Int(additions[0].slot), additions[0].source, capacity: capacity, store)
    } else if !additions.isEmpty {
      additions.withUnsafeBufferPointer { additions in
        leaf = BacklinkLeaf.addAll(leaf, sorted: additions, capacity: capacity, store)
      }
    }
    Cluster.setLeaf(cluster, at: offset, leaf)
  }

  /// Collects the targets that lost their last posting.
  private func noteEmptied(
    _ entries: ArraySlice<PendingLinks.Entry>, _ cluster: Block, _ offset: Int, _ emptied: inout [RowKey]
  ) {
    let leaf = Cluster.optionalLeaf(cluster, at: offset)
    for entry in entries where entry.delta < 0 {
      guard let slot = Cluster.slot(cluster, of: entry.target) else { continue }
      let key = RowKey(entry.target)
      if BacklinkLeaf.count(leaf, slot) == 0, emptied.last != key { emptied.append(key) }
    }
  }
}

extension RowInserter {
  /// Sets the only column of a value table.
  mutating func setColumnKey(_ key: some ColumnKey) {
    let column = ColumnID(0)
    switch key {
    case let key as IntKey: setInt(column, key.value)
    case let key as BytesKey: setBytes(column, key.bytes)
    case let key as BoolKey: setBool(column, key.value)
    case let key as DoubleKey: setDouble(column, key.value)
    case let key as Bytes12Key: setBytes12(column, key.value)
    case let key as Bytes16Key: setBytes16(column, key.value)
    default: fatalError("Null has no entry in an index.")
    }
  }
}
