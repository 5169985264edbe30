extension BacklinkLeaf {
  /// The leaf of a cluster of which slot k has `counts[k]` sources; `sources` has them slot by slot, ascending in each. Nil
  /// when there are none.
  static func build(
    counts: UnsafePointer<Int>, slotCount: Int, sources: UnsafeBufferPointer<UInt64>, capacity: Int,
    _ store: BlockStore
  ) -> Block? {
    if sources.isEmpty { return nil }
    var all: UInt64 = 0
    for source in sources { all |= source }
    let isWide = all > UInt64(UInt32.max)
    var units = 0
    var slot = 0
    while slot < slotCount {
      let count = counts[slot]
      units &+= count > inlineMax ? (isWide ? 1 : 2) : count
      slot &+= 1
    }
    let leaf = make(capacity: capacity, unitCount: units, isWide: isWide, store)
    var writer = Writer(leaf)
    var start = 0
    slot = 0
    while slot < slotCount {
      let count = counts[slot]
      if count > inlineMax {
        let keys = UnsafeBufferPointer(rebasing: sources[start..<(start &+ count)])
        writer.appendTree(KeySet.build(sorted: keys, store).unsafelyUnwrapped)
        setMark(leaf, slot, treeMark)
      } else if count > 0 {
        if isWide {
          for index in start..<(start &+ count) { writer.append(sources[index]) }
        } else {
          writer.appendNarrow(sources.baseAddress.unsafelyUnwrapped + start, count)
        }
        setMark(leaf, slot, UInt8(truncatingIfNeeded: count))
      }
      start &+= count
      slot &+= 1
    }
    writer.finish()
    return leaf
  }
}

extension BacklinkLeaf.Writer {
  /// Appends sources below 2^32 to a leaf with units of four bytes.
  @inline(__always)
  fileprivate mutating func appendNarrow(_ sources: UnsafePointer<UInt64>, _ count: Int) {
    let units = unit.assumingMemoryBound(to: UInt32.self)
    var index = 0
    while index < count {
      units[index] = UInt32(truncatingIfNeeded: sources[index])
      index &+= 1
    }
    unit += count &<< 2
  }
}
