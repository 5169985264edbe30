/// A page of a hash index as its writer sees it; the layout is in `HashIndex`.
struct HashPage {
  let block: Block

  init(_ block: Block) { self.block = block }

  init(entry: UInt64) { block = Block(mutating: HashIndex.address(entry: entry)) }

  /// A page without entries and with room for at least `capacity` slots, more if the block is bigger than asked for.
  init(capacity: Int, depth: Int, store: BlockStore) {
    let slotSize = depth < HashIndex.chunkBits ? 9 : 8
    block = store.allocate(byteCount: HashIndex.payload &+ capacity &* slotSize)
    let fitting = ((block.blockSize &- HashIndex.payload) / slotSize) & ~7
    block.blockKind = HashIndex.pageKind
    block.blockShift = UInt8(depth)
    count = 0
    self.capacity = capacity <= 256 ? min(fitting, 256) : fitting
    slots.initialize(repeating: 0, count: self.capacity)
  }

  var count: Int {
    get { Int(block.load(fromByteOffset: 16, as: UInt32.self)) }
    nonmutating set { block.storeBytes(of: UInt32(newValue), toByteOffset: 16, as: UInt32.self) }
  }

  private(set) var capacity: Int {
    get { Int(block.load(fromByteOffset: 20, as: UInt32.self)) }
    nonmutating set { block.storeBytes(of: UInt32(newValue), toByteOffset: 20, as: UInt32.self) }
  }

  /// How many top bits all hashes of this page have in common.
  var depth: Int { Int(block.blockShift) }

  var slots: UnsafeMutablePointer<UInt64> {
    (block + HashIndex.payload).assumingMemoryBound(to: UInt64.self)
  }

  /// Whether the page keeps the top bits of each hash, because its place does not give all of them.
  var keepsTopBits: Bool { depth < HashIndex.chunkBits }

  /// The top bits of the hash in each slot; only if the page keeps them.
  var topBits: UnsafeMutablePointer<UInt8> {
    (block + HashIndex.payload + capacity &* 8).assumingMemoryBound(to: UInt8.self)
  }

  var byteCount: Int { HashIndex.payload &+ capacity &* (keepsTopBits ? 9 : 8) }

  /// What the directory holds for this page.
  var entry: UInt64 {
    let address = UInt64(UInt(bitPattern: block))
    guard address &>> 48 == 0 else { fatalError("hash indexes need 48-bit addresses") }
    return address | (UInt64(min(capacity &>> 3, 0x7fff)) &<< 48)
  }

  /// The smallest capacity for `count` entries.
  static func capacity(holding count: Int) -> Int {
    let slots = (count &* 8 &+ 6) / 7
    return max(8, (slots &+ 7) & ~7)
  }

  /// Puts a slot into a page with room for it. The caller counts.
  @inline(__always)
  func place(_ slot: UInt64, topBits top: UInt8) {
    let capacity = capacity
    let slots = slots
    var index = HashIndex.home(bits: slot &>> 40, capacity: capacity)
    while slots[index] != 0 {
      index &+= 1
      if index == capacity { index = 0 }
    }
    slots[index] = slot
    if keepsTopBits { topBits[index] = top }
  }

  /// Puts a slot into a page with room for it, unless there is one with the same bits whose row is equal: returns that.
  @inline(__always)
  func place(_ slot: UInt64, topBits top: UInt8, _ areEqual: (UInt64, UInt64) -> Bool) -> UInt64? {
    let capacity = capacity
    let slots = slots
    let bits = slot &>> 40
    var index = HashIndex.home(bits: bits, capacity: capacity)
    while slots[index] != 0 {
      let other = slots[index]
      if other &>> 40 == bits, !keepsTopBits || topBits[index] == top,
        areEqual((other & HashIndex.rowMask) &- 1, (slot & HashIndex.rowMask) &- 1)
      {
        return other
      }
      index &+= 1
      if index == capacity { index = 0 }
    }
    slots[index] = slot
    if keepsTopBits { topBits[index] = top }
    return nil
  }

  /// Where a slot is, nil if it is not in this page.
  func index(of slot: UInt64, topBits top: UInt8) -> Int? {
    let capacity = capacity
    let slots = slots
    var index = HashIndex.home(bits: slot &>> 40, capacity: capacity)
    while slots[index] != 0 {
      if slots[index] == slot, !keepsTopBits || topBits[index] == top { return index }
      index &+= 1
      if index == capacity { index = 0 }
    }
    return nil
  }

  /// Empties a slot and shifts those back that were pushed away from their home by it.
  func remove(at removed: Int) {
    let capacity = capacity
    let slots = slots
    var hole = removed
    var index = removed
    while true {
      index &+= 1
      if index == capacity { index = 0 }
      let slot = slots[index]
      if slot == 0 { break }
      let home = HashIndex.home(bits: slot &>> 40, capacity: capacity)
      let pushed = index >= home ? index &- home : index &- home &+ capacity
      let distance = index >= hole ? index &- hole : index &- hole &+ capacity
      if pushed >= distance {
        slots[hole] = slot
        if keepsTopBits { topBits[hole] = topBits[index] }
        hole = index
      }
    }
    slots[hole] = 0
    count &-= 1
  }

  /// Calls `body` for each slot with the top bits of its hash; `hash` is any hash that belongs to this page.
  @inline(__always)
  func forEach(hash: UInt64, _ body: (_ slot: UInt64, _ topBits: UInt8) -> Void) {
    let slots = slots
    let capacity = capacity
    let kept = keepsTopBits ? topBits : nil
    let place = HashIndex.topBits(hash)
    var index = 0
    while index < capacity {
      let slot = slots[index]
      if slot != 0 { body(slot, kept?[index] ?? place) }
      index &+= 1
    }
  }

  /// Whether the entries differ in a bit that a deeper page would look at.
  var isDivisible: Bool {
    var first: (slot: UInt64, topBits: UInt8)?
    var differs = false
    forEach(hash: 0) { slot, top in
      guard let known = first else {
        first = (slot, top)
        return
      }
      if known.slot &>> 40 != slot &>> 40 || known.topBits != top { differs = true }
    }
    return differs
  }

  /// This page, or what replaces it, owned by the transaction and with room for `total` entries.
  func prepared(for total: Int, store: BlockStore) -> HashPage {
    if total &* 8 <= capacity &* 7 { return owned(store: store) }
    // A page that this transaction made will probably get more: bigger steps.
    let step = store.owns(block) ? capacity &>> 1 : capacity &>> 2
    var larger = max((capacity &+ step &+ 7) & ~7, HashPage.capacity(holding: total))
    if total <= HashIndex.pageCountMax { larger = min(larger, 256) }
    return resized(to: larger, store: store)
  }

  /// This page, or a copy that the transaction owns.
  func owned(store: BlockStore) -> HashPage {
    if store.owns(block) { return self }
    let used = byteCount
    return HashPage(store.replace(block, usedByteCount: used, capacity: used))
  }

  /// A page with the same entries and another capacity; this one is retired.
  func resized(to capacity: Int, store: BlockStore) -> HashPage {
    let page = HashPage(capacity: capacity, depth: depth, store: store)
    forEach(hash: 0) { slot, top in page.place(slot, topBits: top) }
    page.count = count
    store.retire(block)
    return page
  }
}
