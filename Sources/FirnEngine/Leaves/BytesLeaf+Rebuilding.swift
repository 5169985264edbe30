extension BytesLeaf {
  /// A leaf with the slots that survive of one leaf, then those of another; retires both, and the external values of slots
  /// that did not survive.
  package static func rebuild(
    _ first: LeafSurvivors, _ second: LeafSurvivors = .none, store: BlockStore
  ) -> Block {
    let count = first.slots.count + second.slots.count
    let firstSize = measure(first)
    let secondSize = measure(second)
    let new = makeForRebuild(
      count: count, byteCount: firstSize.byteCount + secondSize.byteCount, wide: firstSize.wide || secondSize.wide,
      store)
    var end = 0
    gather(first, into: new, at: 0, &end, store)
    gather(second, into: new, at: first.slots.count, &end, store)
    new.blockWritten = count
    return new
  }

  /// Gives the leaf and its external values up.
  package static func retireAll(_ leaf: Block, slotCount: Int, store: BlockStore) {
    retireExternals(leaf, from: 0, to: min(slotCount, leaf.blockWritten), store)
    store.retire(leaf)
  }

  private static func makeForRebuild(count: Int, byteCount: Int, wide: Bool, _ store: BlockStore) -> Block {
    // Rows are never added to a cluster of survivors: no room for more.
    let capacity = max(count, 1)
    let wide = wide || byteCount > 0xffff
    return make(
      capacity: capacity,
      byteCapacity: byteCapacity(for: byteCount, slots: count, capacity: capacity, wide: wide), wide: wide, store)
  }

  private static func measure(_ survivors: LeafSurvivors) -> (byteCount: Int, wide: Bool) {
    guard let leaf = survivors.leaf else { return (0, false) }
    let valid = survivors.valid
    var byteCount = 0
    var wide = false
    var k = 0
    while k < survivors.slots.count {
      let slot = Int(survivors.slots[k])
      if slot < valid {
        byteCount &+= end(leaf, slot) &- end(leaf, slot &- 1)
        wide = wide || external(leaf, slot) != nil
      }
      k &+= 1
    }
    return (byteCount, wide)
  }

  private static func gather(
    _ survivors: LeafSurvivors, into new: Block, at position: Int, _ end: inout Int, _ store: BlockStore
  ) {
    let leaf = survivors.leaf
    let valid = survivors.valid
    var next = 0
    var k = 0
    while k < survivors.slots.count {
      let slot = Int(survivors.slots[k])
      if slot < valid {
        retireExternals(leaf!, from: next, to: slot, store)
        move(leaf!, slot, to: new, position &+ k, &end)
        next = slot &+ 1
      } else {
        setEnd(new, position &+ k, end)
      }
      k &+= 1
    }
    guard let leaf else { return }
    retireExternals(leaf, from: next, to: valid, store)
    store.retire(leaf)
  }

  /// Copies what the arena holds for a slot, be it bytes or a pointer.
  @inline(__always)
  private static func move(_ leaf: Block, _ slot: Int, to new: Block, _ newSlot: Int, _ end: inout Int) {
    let payload = payload(leaf, slot)
    copy(payload, to: mutableArena(new) + end)
    end &+= payload.count
    setEnd(new, newSlot, end, external(leaf, slot) != nil)
  }

  @inline(__always)
  private static func retireExternals(_ leaf: Block, from first: Int, to count: Int, _ store: BlockStore) {
    guard leaf.blockShift == 2 else { return }
    var slot = first
    while slot < count {
      if let block = external(leaf, slot) { store.retire(block) }
      slot &+= 1
    }
  }
}
