extension BytesLeaf {
  /// A leaf in which all slots outside the mask are empty; retires this one and what only they referred to.
  package static func removeGarbage(
    _ leaf: Block, slotCount: Int, liveMask: UnsafePointer<UInt64>, store: BlockStore
  ) -> Block {
    let valid = min(slotCount, leaf.blockWritten)
    var byteCount = 0
    var wide = false
    var slot = 0
    while slot < valid {
      if SlotMask.contains(liveMask, slot) {
        byteCount &+= end(leaf, slot) &- end(leaf, slot &- 1)
        wide = wide || external(leaf, slot) != nil
      }
      slot &+= 1
    }
    let new = makeForRebuild(count: max(slotCount, 1), byteCount: byteCount, wide: wide, store)
    var end = 0
    slot = 0
    while slot < slotCount {
      if slot < valid && SlotMask.contains(liveMask, slot) {
        move(leaf, slot, to: new, slot, &end)
      } else {
        if slot < valid, let block = external(leaf, slot) { store.retire(block) }
        setEnd(new, slot, end)
      }
      slot &+= 1
    }
    new.blockWritten = slotCount
    store.retire(leaf)
    return new
  }

  /// A leaf with the given slots (ascending) as slots 0, 1, …; retires this one and the external values of other slots.
  package static func rebuild(
    _ leaf: Block, slotCount: Int, survivors: UnsafeBufferPointer<UInt16>, store: BlockStore
  ) -> Block {
    rebuild(
      first: leaf, slotCount: slotCount, survivors: survivors, second: nil, slotCount: 0,
      survivors: UnsafeBufferPointer(start: nil, count: 0), store: store)
  }

  /// A leaf with the given slots (ascending) of one leaf, then those of another; retires both, and the external values of
  /// slots that did not survive. A missing leaf counts as empty values.
  package static func rebuild(
    first: Block?, slotCount firstCount: Int, survivors firstSurvivors: UnsafeBufferPointer<UInt16>,
    second: Block?, slotCount secondCount: Int, survivors secondSurvivors: UnsafeBufferPointer<UInt16>,
    store: BlockStore
  ) -> Block {
    let count = firstSurvivors.count + secondSurvivors.count
    let firstSize = measure(first, firstCount, firstSurvivors)
    let secondSize = measure(second, secondCount, secondSurvivors)
    let new = makeForRebuild(
      count: count, byteCount: firstSize.byteCount + secondSize.byteCount, wide: firstSize.wide || secondSize.wide,
      store)
    var end = 0
    gather(first, firstCount, firstSurvivors, into: new, at: 0, &end, store)
    gather(second, secondCount, secondSurvivors, into: new, at: firstSurvivors.count, &end, store)
    new.blockWritten = count
    return new
  }

  /// Gives the leaf and its external values up.
  package static func retireAll(_ leaf: Block, slotCount: Int, store: BlockStore) {
    if leaf.blockShift == 2 {
      let valid = min(slotCount, leaf.blockWritten)
      var slot = 0
      while slot < valid {
        if let block = external(leaf, slot) { store.retire(block) }
        slot &+= 1
      }
    }
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

  private static func measure(
    _ leaf: Block?, _ slotCount: Int, _ survivors: UnsafeBufferPointer<UInt16>
  ) -> (byteCount: Int, wide: Bool) {
    guard let leaf else { return (0, false) }
    let valid = min(slotCount, leaf.blockWritten)
    var byteCount = 0
    var wide = false
    var k = 0
    while k < survivors.count {
      let slot = Int(survivors[k])
      if slot < valid {
        byteCount &+= end(leaf, slot) &- end(leaf, slot &- 1)
        wide = wide || external(leaf, slot) != nil
      }
      k &+= 1
    }
    return (byteCount, wide)
  }

  private static func gather(
    _ leaf: Block?, _ slotCount: Int, _ survivors: UnsafeBufferPointer<UInt16>, into new: Block, at position: Int,
    _ end: inout Int, _ store: BlockStore
  ) {
    let valid = leaf.map { min(slotCount, $0.blockWritten) } ?? 0
    var next = 0
    var k = 0
    while k < survivors.count {
      let slot = Int(survivors[k])
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
