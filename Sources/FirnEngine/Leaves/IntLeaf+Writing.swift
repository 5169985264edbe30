extension IntLeaf {
  /// An empty leaf. Its frame suits the first value.
  package static func make(capacity: Int, first value: Int64 = 0, store: BlockStore) -> Block {
    let frame = IntFrame(least: value, greatest: value, growsDown: false)
    return make(capacity: LeafCapacity.slots(for: capacity), frame, store)
  }

  /// Writes the value of slot `slotCount`, the next one. See `set`.
  package static func append(_ leaf: Block?, _ slot: Int, _ value: Int64, store: BlockStore) -> Block {
    set(leaf, slot, value, slotCount: slot, store: store)
  }

  /// Writes a slot, in place if this transaction owns the leaf or nobody ever wrote the slot, and if the value fits.
  ///
  /// - Parameters:
  ///   - slotCount: The slots of the cluster that hold values. Slots between it and `slot` get some value.
  ///   - liveMask: The slots whose values matter when a new frame is chosen; all when nil.
  /// - Returns: The leaf, or its replacement (then the leaf is retired). Amortised O(1) in an owned leaf, else O(slots).
  package static func set(
    _ leaf: Block?, _ slot: Int, _ value: Int64, slotCount: Int, liveMask: UnsafePointer<UInt64>? = nil,
    store: BlockStore
  ) -> Block {
    guard let leaf else {
      let new = make(capacity: slot &+ 1, first: value, store: store)
      write(new, slot, value, IntFrame(of: new), valid: 0)
      return new
    }
    let valid = min(slotCount, leaf.blockWritten)
    let frame = IntFrame(of: leaf)
    guard slot < capacity(leaf), frame.holds(value) else {
      return reframe(leaf, slot, value, valid: valid, liveMask, store)
    }
    if store.owns(leaf) {
      write(leaf, slot, value, frame, valid: valid)
      return leaf
    }
    if slot >= leaf.blockWritten {
      // Slots below `written` stay as they are: a discarded version that is still held may show them.
      write(leaf, slot, value, frame, valid: leaf.blockWritten)
      return leaf
    }
    let copy = store.replace(leaf, usedByteCount: valuesOffset &+ valid &<< frame.shift, capacity: leaf.blockSize)
    write(copy, slot, value, frame, valid: valid)
    return copy
  }

  /// A leaf with the slots that survive of one leaf, then those of another; retires both.
  package static func rebuild(
    _ first: LeafSurvivors, _ second: LeafSurvivors = .none, store: BlockStore
  ) -> Block {
    let count = first.slots.count + second.slots.count
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(count, 1)) { values in
      gather(first, into: values.baseAddress!)
      gather(second, into: values.baseAddress! + first.slots.count)
      var least = count == 0 ? 0 : values[0]
      var greatest = least
      var k = 1
      while k < count {
        least = min(least, values[k])
        greatest = max(greatest, values[k])
        k &+= 1
      }
      let frame = IntFrame(least: least, greatest: greatest, growsDown: false)
      // Rows are never added to a cluster of survivors: no room for more.
      let new = make(capacity: max(count, 1), frame, store)
      k = 0
      while k < count {
        frame.store(values[k], in: new, k)
        k &+= 1
      }
      new.blockWritten = count
      if let leaf = first.leaf { store.retire(leaf) }
      if let leaf = second.leaf { store.retire(leaf) }
      return new
    }
  }

  /// Gives the leaf up.
  package static func retireAll(_ leaf: Block, slotCount: Int, store: BlockStore) { store.retire(leaf) }

  static func make(capacity: Int, _ frame: IntFrame, _ store: BlockStore) -> Block {
    let leaf = store.allocate(byteCount: valuesOffset &+ capacity &<< frame.shift &+ 8)
    leaf.blockKind = kind
    leaf.blockShift = UInt8(frame.shift)
    leaf.storeBytes(of: frame.base, toByteOffset: 16, as: Int64.self)
    leaf.storeBytes(of: frame.drop, toByteOffset: 24, as: UInt64.self)
    return leaf
  }

  @inline(__always)
  private static func write(_ leaf: Block, _ slot: Int, _ value: Int64, _ frame: IntFrame, valid: Int) {
    var gap = valid
    while gap < slot {
      frame.store(frame.base, in: leaf, gap)
      gap &+= 1
    }
    frame.store(value, in: leaf, slot)
    leaf.blockWritten = max(valid, slot &+ 1)
  }

  /// A copy with room for the slot and a frame for all live values and the new one.
  private static func reframe(
    _ leaf: Block, _ slot: Int, _ value: Int64, valid: Int, _ liveMask: UnsafePointer<UInt64>?, _ store: BlockStore
  ) -> Block {
    var least = value
    var greatest = value
    var k = 0
    while k < valid {
      if k != slot && (liveMask.map { SlotMask.contains($0, k) } ?? true) {
        let other = self.value(leaf, k)
        least = min(least, other)
        greatest = max(greatest, other)
      }
      k &+= 1
    }
    var frame = IntFrame(of: leaf)
    if !frame.holds(least) || !frame.holds(greatest) {
      frame = IntFrame(least: least, greatest: greatest, growsDown: value == least && value != greatest)
    }
    let capacity = capacity(leaf)
    let new = make(
      capacity: slot < capacity ? capacity : LeafCapacity.slots(for: slot &+ 1), frame, store)
    k = 0
    while k < valid {
      frame.store(self.value(leaf, k), in: new, k)
      k &+= 1
    }
    write(new, slot, value, frame, valid: valid)
    store.retire(leaf)
    return new
  }

  private static func gather(_ survivors: LeafSurvivors, into values: UnsafeMutablePointer<Int64>) {
    let valid = survivors.valid
    var k = 0
    while k < survivors.slots.count {
      let slot = Int(survivors.slots[k])
      values[k] = slot < valid ? value(survivors.leaf!, slot) : 0
      k &+= 1
    }
  }
}
