/// The place of a page in the directory; all chunks from the root to it are owned by the transaction.
struct HashPosition {
  /// The root of the index, possibly replaced on the way.
  private(set) var root: HashChunk
  /// The chunk that holds the page's entries.
  private(set) var chunk: HashChunk
  /// The entry that leads to `chunk`, nil for the root.
  private var parentEntry: UnsafeMutablePointer<UInt64>?
  /// The hash bits above those of `chunk`.
  private(set) var base = 0
  /// One of the page's entries in `chunk`.
  private(set) var index = 0

  /// Descends to the page of a hash and copies what the transaction does not own yet.
  init(root: Block, hash: UInt64, store: BlockStore) {
    self.root = HashChunk(root).owned(store: store)
    chunk = self.root
    while true {
      index = HashIndex.entryIndex(hash: hash &<< UInt64(base), bits: UInt64(chunk.bits))
      let entry = chunk.entries[index]
      if !HashChunk.isChunk(entry) { return }
      parentEntry = chunk.entries + index
      base &+= HashIndex.chunkBits
      chunk = HashChunk(entry: entry).owned(store: store)
      parentEntry?.pointee = chunk.entry
    }
  }

  var page: HashPage { HashPage(entry: chunk.entries[index]) }

  /// How many entries a page of this depth owns in the chunk.
  func span(depth: Int) -> Int { 1 &<< (base &+ chunk.bits &- depth) }

  /// Lets all entries that a page of this depth owns here lead to `page`.
  func setPage(_ page: HashPage) {
    let span = span(depth: page.depth)
    (chunk.entries + (index & ~(span &- 1))).update(repeating: page.entry, count: span)
  }

  /// The page that differs from the one here in the last bit of its depth, nil if there are deeper pages in its place.
  func buddy(of page: HashPage) -> HashPage? {
    let entry = chunk.entries[index ^ span(depth: page.depth)]
    if HashChunk.isChunk(entry) { return nil }
    let buddy = HashPage(entry: entry)
    return buddy.depth == page.depth ? buddy : nil
  }

  /// Gives a page of full depth a second entry, at the cost of a bigger chunk or one more.
  mutating func deepen(hash: UInt64, store: BlockStore) {
    if chunk.bits < HashIndex.chunkBits {
      replaceChunk(chunk.doubled(store: store))
      index &<<= 1
    } else {
      let child = HashChunk(bits: 1, store: store)
      child.entries.update(repeating: chunk.entries[index], count: 2)
      chunk.entries[index] = child.entry
      parentEntry = chunk.entries + index
      chunk = child
      base &+= HashIndex.chunkBits
      index = 0
    }
  }

  /// Gives back chunk bits that no page needs; a chunk that one page fills gives way to that page.
  mutating func flatten(store: BlockStore) {
    while chunk.isHalvable {
      replaceChunk(chunk.halved(store: store))
      index &>>= 1
    }
    if chunk.bits == 0, let parentEntry {
      parentEntry.pointee = chunk.entries[0]
      store.retire(chunk.block)
    }
  }

  private mutating func replaceChunk(_ replacement: HashChunk) {
    chunk = replacement
    if let parentEntry { parentEntry.pointee = chunk.entry } else { root = chunk }
  }
}
