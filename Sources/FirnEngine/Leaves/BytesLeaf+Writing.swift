extension BytesLeaf {
  /// An empty leaf.
  package static func make(capacity: Int, byteCapacity: Int = 0, store: BlockStore) -> Block {
    make(capacity: LeafCapacity.slots(for: capacity), byteCapacity: max(byteCapacity, 64), wide: false, store)
  }

  /// Writes the value of slot `slotCount`, the next one. See `set`.
  package static func append(
    _ leaf: Block?, _ slot: Int, _ bytes: UnsafeRawBufferPointer, store: BlockStore
  ) -> Block {
    set(leaf, slot, bytes, slotCount: slot, store: store)
  }

  /// Writes the string of slot `slotCount`, the next one. See `set`.
  package static func append(_ leaf: Block?, _ slot: Int, _ string: String, store: BlockStore) -> Block {
    set(leaf, slot, string, slotCount: slot, store: store)
  }

  /// `set` for a string.
  package static func set(
    _ leaf: Block?, _ slot: Int, _ string: String, slotCount: Int, store: BlockStore
  ) -> Block {
    var string = string
    return string.withUTF8 { set(leaf, slot, UnsafeRawBufferPointer($0), slotCount: slotCount, store: store) }
  }

  /// Writes a slot, in place if this transaction owns the leaf or nobody ever wrote the slot, and if there is room.
  ///
  /// Values after a replaced one move. The slot's old external value is retired; external values of other slots move over to
  /// the replacement of the leaf. The bytes may be those of another slot of the same leaf.
  ///
  /// - Parameter slotCount: The slots of the cluster that hold values. Slots between it and `slot` become empty.
  /// - Returns: The leaf, or its replacement (then the leaf is retired). Appending is amortised O(length) in an owned leaf,
  ///   everything else is O(arena), a move or copy. A copy has no more room than its values need.
  package static func set(
    _ leaf: Block?, _ slot: Int, _ bytes: UnsafeRawBufferPointer, slotCount: Int, store: BlockStore
  ) -> Block {
    let bytes = bytes.count <= ExternalValue.arenaByteCountMax ? bytes : store.fitting(bytes)
    if bytes.count <= ExternalValue.arenaByteCountMax {
      return set(leaf, slot, payload: bytes, isExternal: false, slotCount, store)
    }
    return withUnsafeTemporaryAllocation(of: Block.self, capacity: 1) { pointer in
      pointer[0] = ExternalValue.make(bytes, store: store)
      return set(leaf, slot, payload: UnsafeRawBufferPointer(pointer), isExternal: true, slotCount, store)
    }
  }

  private static func set(
    _ leaf: Block?, _ slot: Int, payload: UnsafeRawBufferPointer, isExternal: Bool, _ slotCount: Int,
    _ store: BlockStore
  ) -> Block {
    guard let leaf else {
      let byteCapacity = byteCapacity(
        for: payload.count, slots: slot &+ 1, capacity: LeafCapacity.slots(for: slot &+ 1), wide: isExternal)
      let new = make(
        capacity: LeafCapacity.slots(for: slot &+ 1), byteCapacity: byteCapacity, wide: isExternal, store)
      append(new, slot, payload, isExternal, valid: 0)
      return new
    }
    let valid = min(slotCount, leaf.blockWritten)
    let used = end(leaf, valid &- 1)
    let isAppend = slot >= valid
    let required = used &+ payload.count &- (isAppend ? 0 : end(leaf, slot) &- end(leaf, slot &- 1))
    let fits =
      slot < capacity(leaf) && required <= byteCapacity(leaf) && (!isExternal || leaf.blockShift == 2)
    // Values that got shorter give their room back; a copy takes less than half of this, so it is not made again soon.
    let wastes = byteCapacity(leaf) > 4 &* required &+ 1024
    let replaced = isAppend ? nil : external(leaf, slot)
    var result = leaf
    // Not behind slots that a discarded version wrote and, if it is still held, shows.
    if fits && isAppend && (store.owns(leaf) || valid == leaf.blockWritten) {
      append(leaf, slot, payload, isExternal, valid: valid)
    } else if fits && !wastes && !isAppend && store.owns(leaf) && !lies(payload, in: leaf) {
      replace(leaf, slot, payload, isExternal, valid: valid)
    } else {
      result = splice(leaf, slot, payload, isExternal, valid: valid, required: required, store)
      store.retire(leaf)
    }
    if let replaced { store.retire(replaced) }
    return result
  }

  /// In place, behind everything that any version shows.
  private static func append(
    _ leaf: Block, _ slot: Int, _ payload: UnsafeRawBufferPointer, _ isExternal: Bool, valid: Int
  ) {
    let used = end(leaf, valid &- 1)
    var gap = valid
    while gap < slot {
      setEnd(leaf, gap, used)
      gap &+= 1
    }
    copy(payload, to: mutableArena(leaf) + used)
    setEnd(leaf, slot, used &+ payload.count, isExternal)
    leaf.blockWritten = slot &+ 1
  }

  /// In place in an owned leaf; the values behind the slot move.
  private static func replace(
    _ leaf: Block, _ slot: Int, _ payload: UnsafeRawBufferPointer, _ isExternal: Bool, valid: Int
  ) {
    let start = end(leaf, slot &- 1)
    let oldEnd = end(leaf, slot)
    let newEnd = start &+ payload.count
    let arena = mutableArena(leaf)
    if newEnd != oldEnd {
      (arena + newEnd).copyMemory(from: arena + oldEnd, byteCount: end(leaf, valid &- 1) &- oldEnd)
      moveEnds(leaf, from: slot &+ 1, to: valid, by: newEnd &- oldEnd)
    }
    copy(payload, to: arena + start)
    setEnd(leaf, slot, newEnd, isExternal)
    leaf.blockWritten = valid
  }

  /// A copy of the leaf with one value replaced or appended.
  private static func splice(
    _ leaf: Block, _ slot: Int, _ payload: UnsafeRawBufferPointer, _ isExternal: Bool, valid: Int, required: Int,
    _ store: BlockStore
  ) -> Block {
    let count = max(valid, slot &+ 1)
    let capacity = count <= self.capacity(leaf) ? self.capacity(leaf) : LeafCapacity.slots(for: count)
    let wide = isExternal || leaf.blockShift == 2 || required > 0xffff
    let byteCapacity = byteCapacity(for: required, slots: count, capacity: capacity, wide: wide)
    let new = make(capacity: capacity, byteCapacity: byteCapacity, wide: wide, store)
    let source = arena(leaf)
    let target = mutableArena(new)
    let kept = min(slot, valid)
    let start = end(leaf, kept &- 1)
    copyEnds(leaf, to: new, count: valid)
    target.copyMemory(from: source, byteCount: start)
    if slot >= valid {
      append(new, slot, payload, isExternal, valid: valid)
      return new
    }
    let oldEnd = end(leaf, slot)
    let newEnd = start &+ payload.count
    copy(payload, to: target + start)
    (target + newEnd).copyMemory(from: source + oldEnd, byteCount: end(leaf, valid &- 1) &- oldEnd)
    moveEnds(new, from: slot &+ 1, to: valid, by: newEnd &- oldEnd)
    setEnd(new, slot, newEnd, isExternal)
    new.blockWritten = valid
    return new
  }

  /// Room for `required` bytes and for the slots still to come, should they be as long as those before, but not for more than
  /// twice the bytes.
  static func byteCapacity(for required: Int, slots: Int, capacity: Int, wide: Bool) -> Int {
    let expected = required &+ (capacity &- slots) &* (required / max(slots, 1) &+ 1)
    let bytes = min(expected, max(2 &* required, 256)) &+ required / 16 &+ 32
    return wide ? bytes : max(required, min(bytes, 0xffff))
  }

  static func make(capacity: Int, byteCapacity: Int, wide: Bool, _ store: BlockStore) -> Block {
    SmallString.check()
    let shift = wide ? 2 : 1
    let arenaOffset = endsOffset &+ capacity &<< shift &+ 8
    let leaf = store.allocate(byteCount: arenaOffset &+ byteCapacity &+ 64)
    leaf.blockKind = kind
    leaf.blockShift = UInt8(shift)
    let room = leaf.blockSize &- arenaOffset &- 64
    leaf.storeBytes(of: UInt32(capacity), toByteOffset: 16, as: UInt32.self)
    leaf.storeBytes(of: UInt32(wide ? room : min(room, 0xffff)), toByteOffset: 20, as: UInt32.self)
    leaf.storeBytes(of: UInt32(arenaOffset), toByteOffset: 24, as: UInt32.self)
    leaf.storeBytes(of: 0, toByteOffset: 28, as: UInt32.self)
    // Read (and shifted out) together with a short first value.
    leaf.storeBytes(of: 0, toByteOffset: arenaOffset &- 8, as: UInt64.self)
    return leaf
  }

  @inline(__always)
  static func mutableArena(_ leaf: Block) -> UnsafeMutableRawPointer {
    leaf + Int(truncatingIfNeeded: leaf.load(fromByteOffset: 24, as: UInt32.self))
  }

  @inline(__always)
  static func setEnd(_ leaf: Block, _ slot: Int, _ end: Int, _ isExternal: Bool = false) {
    if leaf.blockShift == 1 {
      leaf.storeBytes(of: UInt16(truncatingIfNeeded: end), toByteOffset: 32 &+ slot &* 2, as: UInt16.self)
    } else {
      let raw = UInt32(truncatingIfNeeded: end) | (isExternal ? externalFlag : 0)
      leaf.storeBytes(of: raw, toByteOffset: 32 &+ slot &* 4, as: UInt32.self)
    }
  }

  @inline(__always)
  static func copy(_ payload: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
    if let source = payload.baseAddress { place.copyMemory(from: source, byteCount: payload.count) }
  }

  private static func lies(_ payload: UnsafeRawBufferPointer, in leaf: Block) -> Bool {
    guard let start = payload.baseAddress else { return false }
    return start >= UnsafeRawPointer(leaf) && start < UnsafeRawPointer(leaf + leaf.blockSize)
  }

  private static func moveEnds(_ leaf: Block, from first: Int, to count: Int, by distance: Int) {
    var slot = first
    if leaf.blockShift == 1 {
      let ends = (leaf + endsOffset).assumingMemoryBound(to: UInt16.self)
      let distance = UInt16(truncatingIfNeeded: distance)
      while slot < count {
        ends[slot] &+= distance
        slot &+= 1
      }
    } else {
      // The flag stays: an arena never reaches 2 GB.
      let ends = (leaf + endsOffset).assumingMemoryBound(to: UInt32.self)
      let distance = UInt32(truncatingIfNeeded: distance)
      while slot < count {
        ends[slot] &+= distance
        slot &+= 1
      }
    }
  }

  private static func copyEnds(_ leaf: Block, to new: Block, count: Int) {
    if leaf.blockShift == new.blockShift {
      (new + endsOffset).copyMemory(from: leaf + endsOffset, byteCount: count &<< Int(leaf.blockShift))
      return
    }
    // Only ever from u16 to u32.
    var slot = 0
    while slot < count {
      setEnd(new, slot, end(leaf, slot))
      slot &+= 1
    }
  }
}
