extension HashIndex {
  /// Stops the process if an index is not as `HashIndex` describes it. Reads all of it.
  package static func checkInvariants(root: UnsafeRawPointer?) {
    guard let root else { return }
    let chunk = HashChunk(Block(mutating: root))
    let total = check(chunk, base: 0, hash: 0)
    require(total == chunk.count, "the root counts the entries")
    require(total > 0, "an empty index has no root")
  }

  private static func check(_ chunk: HashChunk, base: Int, hash: UInt64) -> Int {
    require(chunk.block.blockKind == chunkKind, "a chunk is a chunk")
    require(chunk.bits <= chunkBits, "a chunk has at most 8 bits")
    require(base == 0 || !chunk.isHalvable, "a chunk below the root has no bits to spare")
    var total = 0
    var index = 0
    while index < 1 << chunk.bits {
      let entry = chunk.entries[index]
      let below = hash | ((UInt64(index) << 1) << UInt64(63 - base - chunk.bits))
      let birth = address(entry: entry).blockBirth
      require(birth <= chunk.block.blockBirth, "nothing is younger than what leads to it")
      if HashChunk.isChunk(entry) {
        let child = HashChunk(entry: entry)
        require(child.entry == entry, "an entry holds the bits of its chunk")
        require(chunk.bits == chunkBits, "only full chunks have chunks below")
        total += check(child, base: base + chunkBits, hash: below)
        index += 1
      } else {
        let page = HashPage(entry: entry)
        require(page.entry == entry, "an entry holds the capacity of its page")
        require(page.depth <= base + chunk.bits, "a page is no deeper than its chunk")
        require(page.depth > base || base == 0, "a page does not fill a chunk below the root")
        let span = 1 << (base + chunk.bits - page.depth)
        require(index & (span - 1) == 0, "the entries of a page are aligned")
        for other in index..<index + span { require(chunk.entries[other] == entry, "a page owns all its entries") }
        check(page, hash: below)
        total += page.count
        index += span
      }
    }
    return total
  }

  private static func check(_ page: HashPage, hash: UInt64) {
    require(page.block.blockKind == pageKind, "a page is a page")
    require(page.byteCount <= page.block.blockSize, "a page fits its block")
    require(page.capacity >= 8 && page.capacity & 7 == 0, "a capacity is a multiple of 8")
    require(page.count * 8 <= page.capacity * 7, "a page is at most 7/8 full")
    require(page.depth <= knownBits, "a page is no deeper than the known bits")
    require(page.count <= pageCountMax || page.depth == knownBits || !page.isDivisible, "a big page cannot be split")
    var used = 0
    var gap = page.capacity - 1
    while page.slots[gap] != 0 { gap -= 1 }
    gap -= page.capacity
    for index in 0..<page.capacity {
      let slot = page.slots[index]
      if slot == 0 {
        gap = index
        continue
      }
      used += 1
      require(slot & rowMask != 0, "a slot has a row")
      let known = knownHash(slot: slot, topBits: page.keepsTopBits ? page.topBits[index] : topBits(hash))
      require(entryIndex(hash: known ^ hash, bits: UInt64(page.depth)) == 0, "an entry is in the page of its hash")
      let home = home(bits: slot >> 40, capacity: page.capacity)
      require((home <= index ? home : home - page.capacity) > gap, "there is no gap between a home and its entry")
    }
    require(used == page.count, "a page counts its entries")
  }

  private static func require(_ condition: Bool, _ invariant: StaticString) {
    if !condition { fatalError("hash index: \(invariant) (violated)") }
  }
}
