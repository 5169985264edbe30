extension Writer {
  /// Rebuilds clusters that lost rows and lets sparse neighbours share one, so that a churned table stays about as small
  /// as a fresh one. Runs once per commit.
  ///
  /// The last cluster of a table, where rows are still appended, is left alone.
  func compact() {
    for table in activeTables where !tables[table].sparseCandidates.isEmpty {
      var candidates = tables[table].sparseCandidates
      tables[table].sparseCandidates.removeAll(keepingCapacity: true)
      candidates.sort()
      for key in candidates { compact(table, around: key) }
    }
  }

  private func compact(_ table: Int, around key: UInt64) {
    let tail = tables[table].nextKey &>> 8
    guard let cluster = Directory.cluster(tableRoot(table), of: key), Cluster.base(cluster) &>> 8 < tail else { return }
    let liveCount = Cluster.liveCount(cluster)
    if liveCount == 0 {
      removeCluster(table, cluster)
      return
    }
    if liveCount * 4 >= 3 * Cluster.slotCount(cluster), liveCount > Self.mergeLimit || Cluster.offsets(cluster) != nil {
      return
    }
    var block = ownCluster(table, of: key).unsafelyUnwrapped
    if liveCount * 4 < 3 * Cluster.slotCount(cluster) {
      block = rebuild(table, first: block, second: nil, base: Cluster.base(block), span: Cluster.span(block))
    }
    mergeWithNeighbours(table, block, tail: tail)
  }

  /// The most rows that a cluster made of two may have.
  private static var mergeLimit: Int { 160 }

  /// Merges a cluster with its aligned neighbour of the same span, as often as that works. A neighbour without rows only
  /// widens the span.
  private func mergeWithNeighbours(_ table: Int, _ cluster: Block, tail: UInt64) {
    var cluster = cluster
    while Cluster.span(cluster) < 64 {
      let span = Cluster.span(cluster)
      let first = Cluster.base(cluster) &>> 8
      let other = first ^ UInt64(span)
      let start = min(first, other)
      if start + UInt64(2 * span) > tail { return }
      let node = ownLowestNode(table, of: first << 8)
      let entry = Int(other & 63)
      guard let neighbour = Directory.mutableChild(node, entry) else {
        if (entry..<(entry + span)).contains(where: { Directory.child(node, $0) != nil }) { return }
        if Cluster.liveCount(cluster) > Self.mergeLimit { return }
        cluster = rebuild(table, first: cluster, second: nil, base: start << 8, span: 2 * span)
        continue
      }
      guard Cluster.span(neighbour) == span, Cluster.base(neighbour) &>> 8 == other,
        Cluster.liveCount(neighbour) + Cluster.liveCount(cluster) <= Self.mergeLimit
      else { return }
      let (low, high) = first < other ? (cluster, neighbour) : (neighbour, cluster)
      cluster = rebuild(table, first: low, second: high, base: start << 8, span: 2 * span)
    }
  }

  /// Makes one sparse cluster of the living rows of one or two and puts it in place of them.
  private func rebuild(_ table: Int, first: Block, second: Block?, base: UInt64, span: Int) -> Block {
    let layout = self.layout.tables[table]
    let kept = Survivors(first)
    let keptSecond = Survivors(second)
    let count = kept.slots.count + keptSecond.slots.count
    let cluster = Cluster.make(base: base, layout: layout, store: store)
    Cluster.setSpan(cluster, span)
    Cluster.setSlotCount(cluster, count)
    Cluster.setLiveCount(cluster, count)
    for slot in 0..<count { Cluster.setBit(cluster, Cluster.liveOffset, slot, true) }

    let offsets = store.allocate(byteCount: 16 + max(count, 1) * 2)
    offsets.blockKind = 10
    let keys = (offsets + 16).assumingMemoryBound(to: UInt16.self)
    for (index, slot) in kept.slots.enumerated() {
      keys[index] = UInt16(Cluster.key(first, Int(slot)).rawValue - base)
    }
    for (index, slot) in keptSecond.slots.enumerated() {
      keys[kept.slots.count + index] = UInt16(Cluster.key(second.unsafelyUnwrapped, Int(slot)).rawValue - base)
    }
    Cluster.setLeaf(cluster, at: 40, offsets)

    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      rebuildColumn(column, cluster, first, kept, second, keptSecond)
      if column.nullOffset != 0 { gatherBits(Int(column.nullOffset), cluster, first, kept, second, keptSecond) }
    }
    for index in 0..<layout.backlinkCount {
      let offset = layout.backlinkOffset(index)
      let leaf = kept.slots.withUnsafeBufferPointer { slots in
        keptSecond.slots.withUnsafeBufferPointer { secondSlots in
          BacklinkLeaf.merge(
            Cluster.mutableLeaf(first, at: offset), keeping: slots,
            second.flatMap { Cluster.mutableLeaf($0, at: offset) }, keeping: secondSlots,
            capacity: LeafCapacity.slots(for: max(count, 1)), store)
        }
      }
      Cluster.setLeaf(cluster, at: offset, leaf)
    }

    let node = ownLowestNode(table, of: base)
    let firstEntry = Int(base &>> 8 & 63)
    for entry in firstEntry..<(firstEntry + span) {
      Directory.setChild(node, entry, cluster)
      Directory.setCount(node, entry, entry == firstEntry ? count : 0)
    }
    retireHeader(first)
    if let second { retireHeader(second) }
    didMoveClusters()
    return cluster
  }

  /// Which slots of a cluster hold rows.
  private struct Survivors {
    var slots: [UInt16] = []
    var slotCount = 0

    init(_ cluster: Block?) {
      guard let cluster else { return }
      slotCount = Cluster.slotCount(cluster)
      slots.reserveCapacity(Cluster.liveCount(cluster))
      for slot in 0..<slotCount where Cluster.isLive(cluster, slot) { slots.append(UInt16(slot)) }
    }
  }

  private func rebuildColumn(
    _ column: ColumnLayout, _ cluster: Block, _ first: Block, _ kept: Survivors, _ second: Block?,
    _ keptSecond: Survivors
  ) {
    let offset = Int(column.offset)
    if column.storage == .bits { return gatherBits(offset, cluster, first, kept, second, keptSecond) }
    let leaf = kept.slots.withUnsafeBufferPointer { slots in
      keptSecond.slots.withUnsafeBufferPointer { secondSlots in
        let ofFirst = LeafSurvivors(Cluster.mutableLeaf(first, at: offset), slotCount: kept.slotCount, slots)
        let ofSecond = LeafSurvivors(
          second.flatMap { Cluster.mutableLeaf($0, at: offset) }, slotCount: keptSecond.slotCount, secondSlots)
        switch column.storage {
        case .int, .link, .interned: return IntLeaf.rebuild(ofFirst, ofSecond, store: store)
        case .fixed, .list, .set, .map:
          return FixedLeaf.rebuild(ofFirst, ofSecond, valueSize: Int(column.elementSize), store: store)
        case .bytes: return BytesLeaf.rebuild(ofFirst, ofSecond, store: store)
        case .bits: fatalError("Bits have no leaf.")
        }
      }
    }
    Cluster.setLeaf(cluster, at: offset, leaf)
  }

  private func gatherBits(
    _ offset: Int, _ cluster: Block, _ first: Block, _ kept: Survivors, _ second: Block?, _ keptSecond: Survivors
  ) {
    for (index, slot) in kept.slots.enumerated() where Cluster.bit(first, offset, Int(slot)) {
      Cluster.setBit(cluster, offset, index, true)
    }
    guard let second else { return }
    for (index, slot) in keptSecond.slots.enumerated() where Cluster.bit(second, offset, Int(slot)) {
      Cluster.setBit(cluster, offset, kept.slots.count + index, true)
    }
  }

  /// Gives up a cluster whose leaves went elsewhere.
  private func retireHeader(_ cluster: Block) {
    if let offsets = Cluster.mutableLeaf(cluster, at: 40) { store.retire(offsets) }
    store.retire(cluster)
  }

  /// Takes a cluster without rows out of the directory, and the nodes that are empty then.
  private func removeCluster(_ table: Int, _ cluster: UnsafeRawPointer) {
    let layout = self.layout.tables[table]
    let block = UnsafeMutableRawPointer(mutating: cluster)
    let base = Cluster.base(cluster)
    let node = ownLowestNode(table, of: base)
    let first = Int(base &>> 8 & 63)
    for entry in first..<(first + Cluster.span(cluster)) {
      Directory.setChild(node, entry, nil)
      Directory.setCount(node, entry, 0)
    }
    let slotCount = Cluster.slotCount(cluster)
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      guard column.storage != .bits, let leaf = Cluster.mutableLeaf(block, at: Int(column.offset)) else { continue }
      if column.storage == .bytes {
        BytesLeaf.retireAll(leaf, slotCount: slotCount, store: store)
      } else {
        store.retire(leaf)
      }
    }
    for index in 0..<layout.backlinkCount {
      BacklinkLeaf.retireAll(Cluster.mutableLeaf(block, at: layout.backlinkOffset(index)), store)
    }
    retireHeader(block)
    removeEmptyNodes(table, of: base)
    didMoveClusters()
  }

  private func removeEmptyNodes(_ table: Int, of key: UInt64) {
    let tableRoot = ownTable(table)
    guard let top = TableRoot.mutableTop(tableRoot) else { return }
    let index = key &>> 8
    if removeEmptyNodes(top, index, shift: UInt64(6 * (TableRoot.height(tableRoot) - 1))) {
      store.retire(top)
      TableRoot.setTop(tableRoot, nil)
      TableRoot.setHeight(tableRoot, 0)
    }
  }

  /// Removes empty nodes below an owned one. True when it is empty itself.
  private func removeEmptyNodes(_ node: Block, _ index: UInt64, shift: UInt64) -> Bool {
    if shift > 0 {
      let entry = Int(index &>> shift & 63)
      if let child = Directory.mutableChild(node, entry), removeEmptyNodes(child, index, shift: shift - 6) {
        Directory.setChild(node, entry, nil)
        store.retire(child)
      }
    }
    for entry in 0..<64 where Directory.child(node, entry) != nil { return false }
    return true
  }
}
