extension BytesLeaf {
  /// A leaf with the given values, which lie one after the other from `bytes` on, as slots 0, 1, …. The arena has exactly
  /// the room that they need; `bytes` moves behind them.
  ///
  /// - Complexity: O(bytes), one copy unless there are values too long for an arena.
  package static func build(
    lengths: UnsafePointer<UInt32>, bytes: inout UnsafeRawPointer, count: Int, capacity: Int, store: BlockStore
  ) -> Block {
    var total = 0
    var longest: UInt32 = 0
    var index = 0
    while index < count {
      total &+= Int(lengths[index])
      longest = max(longest, lengths[index])
      index &+= 1
    }
    if Int(longest) > ExternalValue.arenaByteCountMax {
      return buildWithExternals(lengths: lengths, bytes: &bytes, count: count, capacity: capacity, store: store)
    }
    let leaf = make(capacity: capacity, byteCapacity: total, wide: total > 0xffff, store)
    if total > 0 { mutableArena(leaf).copyMemory(from: bytes, byteCount: total) }
    bytes += total
    let ends = leaf + endsOffset
    if leaf.blockShift == 1 {
      sum(lengths, count, into: ends.assumingMemoryBound(to: UInt16.self))
    } else {
      sum(lengths, count, into: ends.assumingMemoryBound(to: UInt32.self))
    }
    leaf.blockWritten = count
    return leaf
  }

  @inline(__always)
  private static func sum<End: FixedWidthInteger>(
    _ lengths: UnsafePointer<UInt32>, _ count: Int, into ends: UnsafeMutablePointer<End>
  ) {
    var end: End = 0
    var index = 0
    while index < count {
      end &+= End(truncatingIfNeeded: lengths[index])
      ends[index] = end
      index &+= 1
    }
  }

  private static func buildWithExternals(
    lengths: UnsafePointer<UInt32>, bytes: inout UnsafeRawPointer, count: Int, capacity: Int, store: BlockStore
  ) -> Block {
    var byteCount = 0
    for index in 0..<count {
      let length = Int(lengths[index])
      byteCount += length > ExternalValue.arenaByteCountMax ? 8 : length
    }
    let leaf = make(capacity: capacity, byteCapacity: byteCount, wide: true, store)
    var end = 0
    for index in 0..<count {
      let value = UnsafeRawBufferPointer(start: bytes, count: Int(lengths[index]))
      bytes += value.count
      let isExternal = value.count > ExternalValue.arenaByteCountMax
      if isExternal {
        let block = ExternalValue.make(value, store: store)
        (mutableArena(leaf) + end).storeBytes(of: block, as: Block.self)
        end += 8
      } else {
        copy(value, to: mutableArena(leaf) + end)
        end += value.count
      }
      setEnd(leaf, index, end, isExternal)
    }
    leaf.blockWritten = count
    return leaf
  }
}
