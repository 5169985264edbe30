extension HashIndex {
  /// An index of the given entries, in any order; nil if there are none.
  ///
  /// The entries are counted per page, appended to pages of exactly the capacity they need, and put into their places page
  /// by page in the cache. Placing them at once would touch two random lines per entry, growing pages would move each
  /// entry several times.
  ///
  /// - Complexity: O(n).
  package static func bulkLoad(_ entries: UnsafeBufferPointer<HashEntry>, store: BlockStore) -> Block? {
    bulkLoad(entries, store: store) { _, _ in false }.root
  }

  /// The same for keys that ought to be unique.
  ///
  /// Stops at the first two entries for which `areEqual` holds, given their rows. It is asked about those whose hashes
  /// agree in the bits that the index knows. The root is of no use then.
  package static func bulkLoad(
    _ entries: UnsafeBufferPointer<HashEntry>, store: BlockStore, areEqual: (UInt64, UInt64) -> Bool
  ) -> (root: Block?, duplicate: (UInt64, UInt64)?) {
    if entries.isEmpty { return (nil, nil) }
    var duplicate: (UInt64, UInt64)?
    let depth = bulkDepth(count: entries.count)
    let bits = UInt64(depth)
    var root = withUnsafeBuffer(of: UInt32.self, count: 1 << depth) { counts in
      counts.initialize(repeating: 0)
      var index = 0
      while index < entries.count {
        counts[entryIndex(hash: entries[index].hash, bits: bits)] &+= 1
        index &+= 1
      }
      return withUnsafeBuffer(of: Block.self, count: 1 << depth) { pages in
        makePages(pages, counts: counts, depth: depth, store: store)
        append(entries, to: pages, depth: depth)
        duplicate = placeAll(pages, countMax: Int(counts.max() ?? 0), areEqual)
        return directory(of: pages[...], base: 0, store: store)
      }
    }
    HashChunk(root).count = entries.count
    if duplicate == nil { splitOversized(&root, depth: depth, store: store) }
    return (root, duplicate)
  }

  /// The depth at which pages have up to 192 entries on average, so that few of them exceed 224.
  private static func bulkDepth(count: Int) -> Int {
    if count <= pageCountMax { return 0 }
    var depth = 1
    while count &>> depth > 192, depth < knownBits { depth &+= 1 }
    return depth
  }

  private static func makePages(
    _ pages: UnsafeMutableBufferPointer<Block>, counts: UnsafeMutableBufferPointer<UInt32>, depth: Int,
    store: BlockStore
  ) {
    var index = 0
    while index < pages.count {
      let capacity = HashPage.capacity(holding: Int(counts[index]))
      pages.initializeElement(at: index, to: HashPage(capacity: capacity, depth: depth, store: store).block)
      index &+= 1
    }
  }

  /// Writes the slots of each page one after the other, with the page's count as write head.
  private static func append(
    _ entries: UnsafeBufferPointer<HashEntry>, to pages: UnsafeMutableBufferPointer<Block>, depth: Int
  ) {
    var index = 0
    while index < entries.count {
      let entry = entries[index]
      let page = HashPage(pages[entryIndex(hash: entry.hash, bits: UInt64(depth))])
      let end = page.count
      page.slots[end] = entry.slot
      if page.keepsTopBits { page.topBits[end] = entry.topBits }
      page.count = end &+ 1
      index &+= 1
    }
  }

  /// Moves the appended slots of each page to where lookups expect them. Returns the first two equal rows.
  private static func placeAll(
    _ pages: UnsafeMutableBufferPointer<Block>, countMax: Int, _ areEqual: (UInt64, UInt64) -> Bool
  ) -> (UInt64, UInt64)? {
    withUnsafeBuffer(of: UInt64.self, count: countMax) { slots in
      withUnsafeBuffer(of: UInt8.self, count: countMax) { topBits in
        for block in pages {
          let page = HashPage(block)
          let count = page.count
          _ = slots.update(fromContentsOf: UnsafeBufferPointer(start: page.slots, count: count))
          if page.keepsTopBits {
            _ = topBits.update(fromContentsOf: UnsafeBufferPointer(start: page.topBits, count: count))
          }
          page.slots.update(repeating: 0, count: count)
          var index = 0
          while index < count {
            let slot = slots[index]
            if let equal = page.place(slot, topBits: page.keepsTopBits ? topBits[index] : 0, areEqual) {
              return ((equal & rowMask) &- 1, (slot & rowMask) &- 1)
            }
            index &+= 1
          }
        }
        return nil
      }
    }
  }

  /// The chunks above pages of one depth.
  private static func directory(
    of pages: UnsafeMutableBufferPointer<Block>.SubSequence, base: Int, store: BlockStore
  ) -> Block {
    let bits = min(pages.count.trailingZeroBitCount, chunkBits)
    let chunk = HashChunk(bits: bits, store: store)
    let width = pages.count &>> bits
    var index = 0
    while index < 1 &<< bits {
      let first = pages.startIndex &+ index &* width
      if width == 1 {
        chunk.entries[index] = HashPage(pages[first]).entry
      } else {
        let child = directory(of: pages[first..<first &+ width], base: base &+ chunkBits, store: store)
        chunk.entries[index] = HashChunk(child).entry
      }
      index &+= 1
    }
    return chunk.block
  }

  private static func splitOversized(_ root: inout Block, depth: Int, store: BlockStore) {
    var hashes: [UInt64] = []
    forEachPage(HashChunk(root), base: 0, hash: 0) { page, hash in
      if page.count > pageCountMax { hashes.append(hash) }
    }
    for hash in hashes { root = split(root, hash: hash, store: store) }
  }

  /// Sorts entries by hash: one counting pass over the top bits, then each bucket.
  static func sortByHash(
    _ entries: UnsafeBufferPointer<HashEntry>, into sorted: UnsafeMutableBufferPointer<HashEntry>
  ) {
    let bits = min(16, max(0, Int.bitWidth - entries.count.leadingZeroBitCount - 3))
    withUnsafeBuffer(of: Int.self, count: 1 << bits) { ends in
      ends.initialize(repeating: 0)
      for entry in entries { ends[entryIndex(hash: entry.hash, bits: UInt64(bits))] &+= 1 }
      var sum = 0
      for bucket in ends.indices {
        sum &+= ends[bucket]
        ends[bucket] = sum &- ends[bucket]
      }
      for entry in entries {
        let bucket = entryIndex(hash: entry.hash, bits: UInt64(bits))
        sorted.initializeElement(at: ends[bucket], to: entry)
        ends[bucket] &+= 1
      }
      var start = 0
      for end in ends {
        if end &- start > 1 { sorted[start..<end].sort { $0.hash < $1.hash } }
        start = end
      }
    }
  }

  /// Uninitialised memory for `count` values of a trivial type, for the time of the call.
  static func withUnsafeBuffer<Element: BitwiseCopyable, Result>(
    of type: Element.Type, count: Int, _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    defer { buffer.deallocate() }
    return body(buffer)
  }
}
