/// A chunk of the directory of a hash index, the root included, as its writer sees it; the layout is in `HashIndex`.
struct HashChunk {
  let block: Block

  init(_ block: Block) { self.block = block }

  init(entry: UInt64) { block = Block(mutating: HashIndex.address(entry: entry)) }

  /// A chunk whose entries are not set yet.
  init(bits: Int, store: BlockStore) {
    block = store.allocate(byteCount: HashIndex.payload &+ 8 &<< bits)
    block.blockKind = HashIndex.chunkKind
    block.blockShift = UInt8(bits)
    count = 0
  }

  /// The entries of the whole index, kept in the root only.
  var count: Int {
    get { Int(block.load(fromByteOffset: 16, as: UInt64.self)) }
    nonmutating set { block.storeBytes(of: UInt64(newValue), toByteOffset: 16, as: UInt64.self) }
  }

  /// How many hash bits this chunk resolves.
  var bits: Int { Int(block.blockShift) }

  var entries: UnsafeMutablePointer<UInt64> {
    (block + HashIndex.payload).assumingMemoryBound(to: UInt64.self)
  }

  var byteCount: Int { HashIndex.payload &+ 8 &<< bits }

  /// What the directory holds for this chunk.
  var entry: UInt64 {
    let address = UInt64(UInt(bitPattern: block))
    guard address &>> 48 == 0 else { fatalError("hash indexes need 48-bit addresses") }
    return address | (1 &<< 63) | (UInt64(bits) &<< 48)
  }

  static func isChunk(_ entry: UInt64) -> Bool { entry &>> 63 != 0 }

  /// This chunk, or a copy that the transaction owns.
  func owned(store: BlockStore) -> HashChunk {
    if store.owns(block) { return self }
    let used = byteCount
    return HashChunk(store.replace(block, usedByteCount: used, capacity: used))
  }

  /// A chunk of one more bit in which each entry is there twice; this one is retired.
  func doubled(store: BlockStore) -> HashChunk {
    let chunk = HashChunk(bits: bits &+ 1, store: store)
    chunk.count = count
    var index = 0
    while index < 1 &<< chunk.bits {
      chunk.entries[index] = entries[index &>> 1]
      index &+= 1
    }
    store.retire(block)
    return chunk
  }

  /// Whether no page needs the last bit.
  var isHalvable: Bool {
    guard bits > 0 else { return false }
    var index = 0
    while index < 1 &<< bits {
      if entries[index] != entries[index &+ 1] { return false }
      index &+= 2
    }
    return true
  }

  /// A chunk of one bit less, the opposite of `doubled`; this one is retired.
  func halved(store: BlockStore) -> HashChunk {
    let chunk = HashChunk(bits: bits &- 1, store: store)
    chunk.count = count
    var index = 0
    while index < 1 &<< chunk.bits {
      chunk.entries[index] = entries[index &<< 1]
      index &+= 1
    }
    store.retire(block)
    return chunk
  }
}
