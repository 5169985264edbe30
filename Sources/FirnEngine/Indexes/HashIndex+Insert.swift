extension HashIndex {
  /// Adds an entry and returns the new root.
  ///
  /// - Complexity: O(1); copies the path and one page when the transaction does not own them yet.
  package static func insert(_ root: Block?, hash: UInt64, row: UInt64, store: BlockStore) -> Block {
    let entry = HashEntry(hash: hash, row: row)
    return withUnsafePointer(to: entry) { start in
      let run = UnsafeBufferPointer(start: start, count: 1)
      return insertSorted(root ?? emptyRoot(store: store), run, store: store)
    }
  }

  /// Adds many entries, in any order, and returns the new root; nil only if the index stays empty.
  ///
  /// Each page is copied, grown and split once, however many entries it gets. When the index at least doubles, it is
  /// built anew.
  ///
  /// - Complexity: O(n log n) for n new entries.
  package static func insertAll(
    _ root: Block?, _ entries: UnsafeBufferPointer<HashEntry>, store: BlockStore
  ) -> Block? {
    guard let root else { return bulkLoad(entries, store: store) }
    if entries.isEmpty { return root }
    let present = count(root)
    if entries.count >= present {
      return withUnsafeBuffer(of: HashEntry.self, count: present + entries.count) { all in
        var filled = 0
        forEachEntry(root) { entry in
          all.initializeElement(at: filled, to: entry)
          filled &+= 1
        }
        _ = all.suffix(from: filled).update(fromContentsOf: entries)
        retireAll(root, store: store)
        return bulkLoad(UnsafeBufferPointer(all), store: store)
      }
    }
    return withUnsafeBuffer(of: HashEntry.self, count: entries.count) { sorted in
      sortByHash(entries, into: sorted)
      return insertSorted(root, UnsafeBufferPointer(sorted), store: store)
    }
  }

  private static func emptyRoot(store: BlockStore) -> Block {
    let root = HashChunk(bits: 0, store: store)
    root.entries[0] = HashPage(capacity: 8, depth: 0, store: store).entry
    return root.block
  }

  /// Adds entries that are sorted by hash, page by page.
  private static func insertSorted(
    _ root: Block, _ entries: UnsafeBufferPointer<HashEntry>, store: BlockStore
  ) -> Block {
    var root = root
    var start = 0
    while start < entries.count {
      let hash = entries[start].hash
      let position = HashPosition(root: root, hash: hash, store: store)
      root = position.root.block
      let old = position.page
      let end = endOfRun(entries, from: start, depth: old.depth)
      let total = old.count &+ end &- start
      let page = old.prepared(for: total, store: store)
      while start < end {
        page.place(entries[start].slot, topBits: entries[start].topBits)
        start &+= 1
      }
      page.count = total
      if page.block != old.block { position.setPage(page) }
      if total > pageCountMax { root = split(root, hash: hash, store: store) }
    }
    let chunk = HashChunk(root)
    chunk.count &+= entries.count
    return root
  }

  /// The end of the entries that share their top `depth` bits with the one at `start`.
  private static func endOfRun(_ entries: UnsafeBufferPointer<HashEntry>, from start: Int, depth: Int) -> Int {
    let first = entries[start].hash
    var end = start &+ 1
    while end < entries.count, entryIndex(hash: first ^ entries[end].hash, bits: UInt64(depth)) == 0 { end &+= 1 }
    return end
  }

  /// Splits the page of a hash until no page in its place has too many entries, as far as they differ. The transaction
  /// owns page and path. Returns the new root.
  static func split(_ root: Block, hash: UInt64, store: BlockStore) -> Block {
    var position = HashPosition(root: root, hash: hash, store: store)
    let page = position.page
    guard page.count > pageCountMax, page.depth < knownBits, page.isDivisible else { return position.root.block }
    let depth = page.depth
    if position.span(depth: depth) == 1 { position.deepen(hash: hash, store: store) }

    // Without the bits below the page's depth: the smallest hash of each half.
    let low = hash & ~(UInt64.max &>> UInt64(depth))
    let high = low | (1 &<< UInt64(63 &- depth))
    let (lowPage, highPage) = halves(of: page, hash: hash, store: store)
    let span = position.span(depth: depth &+ 1)
    let first = position.index & ~(2 &* span &- 1)
    (position.chunk.entries + first).update(repeating: lowPage.entry, count: span)
    (position.chunk.entries + first + span).update(repeating: highPage.entry, count: span)
    store.retire(page.block)

    var root = position.root.block
    if lowPage.count > pageCountMax { root = split(root, hash: low, store: store) }
    if highPage.count > pageCountMax { root = split(root, hash: high, store: store) }
    return root
  }

  /// Two pages of the next depth with the entries of `page`, with some room to grow.
  private static func halves(of page: HashPage, hash: UInt64, store: BlockStore) -> (HashPage, HashPage) {
    let depth = page.depth
    var highCount = 0
    page.forEach(hash: hash) { slot, top in highCount &+= Int(knownBit(depth, slot: slot, topBits: top)) }
    let lowCount = page.count &- highCount
    let low = HashPage(capacity: roomyCapacity(lowCount), depth: depth &+ 1, store: store)
    let high = HashPage(capacity: roomyCapacity(highCount), depth: depth &+ 1, store: store)
    page.forEach(hash: hash) { slot, top in
      if knownBit(depth, slot: slot, topBits: top) == 0 {
        low.place(slot, topBits: top)
      } else {
        high.place(slot, topBits: top)
      }
    }
    low.count = lowCount
    high.count = highCount
    return (low, high)
  }

  /// A capacity for `count` entries and an eighth more.
  static func roomyCapacity(_ count: Int) -> Int {
    let capacity = HashPage.capacity(holding: count &+ count &>> 3 &+ 1)
    return count <= pageCountMax ? min(capacity, 256) : capacity
  }

  /// Bit `depth` of a hash, counted from the top.
  @inline(__always)
  private static func knownBit(_ depth: Int, slot: UInt64, topBits: UInt8) -> UInt64 {
    if depth < chunkBits { return UInt64(topBits &>> UInt8(chunkBits &- 1 &- depth)) & 1 }
    return (slot &>> UInt64(63 &- (depth &- chunkBits))) & 1
  }
}
