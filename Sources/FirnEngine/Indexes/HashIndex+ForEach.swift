extension HashIndex {
  /// Calls `body` with the row key of each entry, in no particular order.
  package static func forEach(_ root: UnsafeRawPointer?, _ body: (_ rowKey: UInt64) -> Void) {
    forEachEntry(root) { body($0.row) }
  }

  /// Calls `body` with each entry; of its hash only the top 32 bits are known, the others are 0.
  static func forEachEntry(_ root: UnsafeRawPointer?, _ body: (HashEntry) -> Void) {
    guard let root else { return }
    forEachPage(HashChunk(Block(mutating: root)), base: 0, hash: 0) { page, hash in
      page.forEach(hash: hash) { slot, top in
        body(HashEntry(hash: knownHash(slot: slot, topBits: top), row: (slot & rowMask) &- 1))
      }
    }
  }

  /// Calls `body` with each page and the smallest hash that belongs to it.
  static func forEachPage(
    _ chunk: HashChunk, base: Int, hash: UInt64, _ body: (_ page: HashPage, _ hash: UInt64) -> Void
  ) {
    var index = 0
    while index < 1 &<< chunk.bits {
      let entry = chunk.entries[index]
      let below = hash | ((UInt64(index) &<< 1) &<< UInt64(63 &- base &- chunk.bits))
      if HashChunk.isChunk(entry) {
        forEachPage(HashChunk(entry: entry), base: base &+ chunkBits, hash: below, body)
        index &+= 1
      } else {
        let page = HashPage(entry: entry)
        body(page, below)
        index &+= 1 &<< (base &+ chunk.bits &- page.depth)
      }
    }
  }
}
