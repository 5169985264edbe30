extension HashIndex {
  /// Pages with more entries do not look for a page to merge with.
  private static var sparsePageCount: Int { 48 }

  /// Removes an entry, recognised by the bits of its hash that the index knows and its row, and returns the new root; nil
  /// when the index is empty. Removing what is not there changes nothing and returns `root`.
  ///
  /// - Complexity: O(1); copies the path and one page when the transaction does not own them yet.
  package static func remove(_ root: Block, hash: UInt64, row: UInt64, store: BlockStore) -> Block? {
    let entry = HashEntry(hash: hash, row: row)
    let found = HashPage(entry: pageEntry(root: root, hash: hash))
    guard let index = found.index(of: entry.slot, topBits: entry.topBits) else { return root }
    if count(root) == 1 {
      retireAll(root, store: store)
      return nil
    }
    let position = HashPosition(root: root, hash: hash, store: store)
    position.root.count &-= 1
    var page = position.page.owned(store: store)
    page.remove(at: index)
    if page.capacity > 8, page.count &* 8 < page.capacity &* 3 {
      page = page.resized(to: HashPage.capacity(holding: page.count &+ page.count &>> 2), store: store)
    }
    position.setPage(page)
    if page.count > sparsePageCount { return position.root.block }
    return merge(position.root.block, hash: hash, store: store)
  }

  /// Merges the page of a hash with its buddy as long as they are small. The transaction owns page and path. Returns the
  /// new root.
  private static func merge(_ root: Block, hash: UInt64, store: BlockStore) -> Block {
    var root = root
    while true {
      var position = HashPosition(root: root, hash: hash, store: store)
      let page = position.page
      let depth = page.depth
      // The limit is less than half a full page, so that a merged page does not split again soon.
      guard depth > 0, let buddy = position.buddy(of: page), page.count &+ buddy.count <= 2 &* sparsePageCount else {
        return root
      }
      let buddyHash = hash ^ (1 &<< UInt64(64 &- depth))
      let count = page.count &+ buddy.count
      let merged = HashPage(capacity: roomyCapacity(count), depth: depth &- 1, store: store)
      page.forEach(hash: hash) { slot, top in merged.place(slot, topBits: top) }
      buddy.forEach(hash: buddyHash) { slot, top in merged.place(slot, topBits: top) }
      merged.count = count
      position.setPage(merged)
      store.retire(page.block)
      store.retire(buddy.block)
      position.flatten(store: store)
      root = position.root.block
    }
  }

  /// Gives up all blocks of an index.
  package static func retireAll(_ root: Block, store: BlockStore) {
    retire(HashChunk(root), base: 0, store: store)
  }

  private static func retire(_ chunk: HashChunk, base: Int, store: BlockStore) {
    var index = 0
    while index < 1 &<< chunk.bits {
      let entry = chunk.entries[index]
      if HashChunk.isChunk(entry) {
        retire(HashChunk(entry: entry), base: base &+ chunkBits, store: store)
        index &+= 1
      } else {
        let page = HashPage(entry: entry)
        index &+= 1 &<< (base &+ chunk.bits &- page.depth)
        store.retire(page.block)
      }
    }
    store.retire(chunk.block)
  }
}
