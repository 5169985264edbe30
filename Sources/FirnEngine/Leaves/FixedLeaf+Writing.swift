extension FixedLeaf {
  /// An empty leaf for values of `valueSize` bytes.
  package static func make(capacity: Int, valueSize: Int, store: BlockStore) -> Block {
    make(exactly: LeafCapacity.slots(for: capacity), valueSize: valueSize, store: store)
  }

  static func make(exactly slots: Int, valueSize: Int, store: BlockStore) -> Block {
    let leaf = store.allocate(byteCount: valuesOffset &+ slots &* valueSize &+ 32)
    leaf.blockKind = kind
    leaf.blockShift = UInt8(valueSize)
    return leaf
  }

  /// Writes the value of slot `slotCount`, the next one. See `set`.
  package static func append<T: BitwiseCopyable>(
    _ leaf: Block?, _ slot: Int, _ value: T, store: BlockStore
  ) -> Block {
    set(leaf, slot, value, slotCount: slot, store: store)
  }

  /// Writes a slot, in place if this transaction owns the leaf or nobody ever wrote the slot.
  ///
  /// Slots between `slotCount` (the slots of the cluster that hold values) and `slot` get some value. Returns the leaf, or its
  /// replacement (then the leaf is retired).
  package static func set<T: BitwiseCopyable>(
    _ leaf: Block?, _ slot: Int, _ value: T, slotCount: Int, store: BlockStore
  ) -> Block {
    let leaf = writable(leaf, slot, valueSize: MemoryLayout<T>.size, slotCount: slotCount, store: store)
    leaf.storeBytes(of: value, toByteOffset: 16 &+ slot &* MemoryLayout<T>.size, as: T.self)
    return leaf
  }

  /// `set` for a value given by its address.
  package static func set(
    _ leaf: Block?, _ slot: Int, bytes: UnsafeRawPointer, valueSize: Int, slotCount: Int, store: BlockStore
  ) -> Block {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { value in
      // The bytes may lie in the leaf that is about to be replaced.
      value.baseAddress!.copyMemory(from: bytes, byteCount: valueSize)
      let leaf = writable(leaf, slot, valueSize: valueSize, slotCount: slotCount, store: store)
      (leaf + valuesOffset + slot &* valueSize).copyMemory(from: value.baseAddress!, byteCount: valueSize)
      return leaf
    }
  }

  /// The leaf, or its replacement, with the slot ready to be written.
  private static func writable(
    _ leaf: Block?, _ slot: Int, valueSize: Int, slotCount: Int, store: BlockStore
  ) -> Block {
    guard let leaf else {
      let new = make(capacity: slot &+ 1, valueSize: valueSize, store: store)
      extend(new, from: 0, to: slot, valueSize)
      return new
    }
    let valid = min(slotCount, leaf.blockWritten)
    let fits = slot < LeafCapacity.most && valuesOffset &+ (slot &+ 1) &* valueSize &+ 32 <= leaf.blockSize
    if fits {
      if store.owns(leaf) {
        extend(leaf, from: valid, to: slot, valueSize)
        return leaf
      }
      if slot >= leaf.blockWritten {
        // Slots below `written` stay as they are: a discarded version that is still held may show them.
        extend(leaf, from: leaf.blockWritten, to: slot, valueSize)
        return leaf
      }
    }
    let slots = fits ? capacity(leaf) : LeafCapacity.slots(for: slot &+ 1)
    let copy = store.replace(
      leaf, usedByteCount: valuesOffset &+ valid &* valueSize, capacity: valuesOffset &+ slots &* valueSize &+ 32)
    extend(copy, from: valid, to: slot, valueSize)
    return copy
  }

  /// A leaf with the slots that survive of one leaf, then those of another; retires both.
  package static func rebuild(
    _ first: LeafSurvivors, _ second: LeafSurvivors = .none, valueSize: Int, store: BlockStore
  ) -> Block {
    let count = first.slots.count + second.slots.count
    // Rows are never added to a cluster of survivors: no room for more.
    let new = make(exactly: max(count, 1), valueSize: valueSize, store: store)
    gather(first, valueSize, into: new + valuesOffset)
    gather(second, valueSize, into: new + valuesOffset + first.slots.count &* valueSize)
    new.blockWritten = count
    if let leaf = first.leaf { store.retire(leaf) }
    if let leaf = second.leaf { store.retire(leaf) }
    return new
  }

  /// Gives the leaf up.
  package static func retireAll(_ leaf: Block, slotCount: Int, store: BlockStore) { store.retire(leaf) }

  @inline(__always)
  private static func extend(_ leaf: Block, from valid: Int, to slot: Int, _ valueSize: Int) {
    if slot > valid { memoryZero(leaf + valuesOffset + valid &* valueSize, (slot &- valid) &* valueSize) }
    leaf.blockWritten = max(valid, slot &+ 1)
  }

  private static func memoryZero(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    UnsafeMutableRawBufferPointer(start: start, count: byteCount).initializeMemory(as: UInt8.self, repeating: 0)
  }

  private static func gather(_ survivors: LeafSurvivors, _ valueSize: Int, into values: UnsafeMutableRawPointer) {
    let valid = survivors.valid
    var k = 0
    while k < survivors.slots.count {
      let slot = Int(survivors.slots[k])
      let place = values + k &* valueSize
      if slot < valid {
        place.copyMemory(from: address(survivors.leaf!, slot), byteCount: valueSize)
      } else {
        memoryZero(place, valueSize)
      }
      k &+= 1
    }
  }
}
