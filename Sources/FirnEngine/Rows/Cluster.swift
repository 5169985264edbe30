/// Up to 256 rows of one table: which of them live, and one pointer per column leaf.
///
///      16 base u64         dense: key = base + slot; sparse: key = base + offsets[slot]
///      24 slotCount u16 │ capacity u16 │ liveCount u16 │ span u16
///      32 dirty            record of what the running transaction wrote; meaningful only while it owns the cluster
///      40 offsets          block of ascending u16 key offsets (at 16), or null: dense
///      48 live             4 × u64, bit set: the slot holds a row
///      80 columns …        at the offsets of `TableLayout`: leaf pointers, bits, null masks (bit set: null), backlinks
///
/// Invariants, checked by `Table.checkInvariants`:
/// - a dense cluster covers one directory entry and its slots are `key & 255`; a sparse one covers `span` entries, all
///   of which point to it, and its slots ascend by key without gaps
/// - `liveCount` is the number of bits in `live`; a published cluster has at least one
/// - slots at or above `slotCount` are not read
@usableFromInline
package enum Cluster {
  @usableFromInline package static let kind: UInt8 = 8

  @inlinable @inline(__always) package static var slotCapacity: Int { 256 }
  @inlinable @inline(__always) package static var dirtyOffset: Int { 32 }
  @inlinable @inline(__always) package static var liveOffset: Int { 48 }
  @inlinable @inline(__always) package static var columnsOffset: Int { 80 }

  @inlinable @inline(__always)
  package static func base(_ cluster: UnsafeRawPointer) -> UInt64 { cluster.load(fromByteOffset: 16, as: UInt64.self) }

  @inlinable @inline(__always)
  package static func slotCount(_ cluster: UnsafeRawPointer) -> Int {
    Int(cluster.load(fromByteOffset: 24, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package static func liveCount(_ cluster: UnsafeRawPointer) -> Int {
    Int(cluster.load(fromByteOffset: 28, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package static func span(_ cluster: UnsafeRawPointer) -> Int {
    Int(cluster.load(fromByteOffset: 30, as: UInt16.self))
  }

  @inlinable @inline(__always)
  package static func offsets(_ cluster: UnsafeRawPointer) -> UnsafePointer<UInt16>? {
    guard let block = cluster.load(fromByteOffset: 40, as: UnsafeRawPointer?.self) else { return nil }
    return (block + 16).assumingMemoryBound(to: UInt16.self)
  }

  /// The four words of the mask of live slots.
  @inlinable @inline(__always)
  package static func live(_ cluster: UnsafeRawPointer) -> UnsafePointer<UInt64> {
    (cluster + liveOffset).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always)
  package static func isLive(_ cluster: UnsafeRawPointer, _ slot: Int) -> Bool { bit(cluster, liveOffset, slot) }

  @inlinable @inline(__always)
  package static func bit(_ cluster: UnsafeRawPointer, _ offset: Int, _ slot: Int) -> Bool {
    cluster.load(fromByteOffset: offset &+ (slot &>> 6) &* 8, as: UInt64.self) &>> UInt64(slot & 63) & 1 != 0
  }

  @inlinable @inline(__always)
  package static func mask(_ cluster: UnsafeRawPointer, at offset: Int) -> UnsafePointer<UInt64> {
    (cluster + offset).assumingMemoryBound(to: UInt64.self)
  }

  @inlinable @inline(__always)
  package static func leaf(_ cluster: UnsafeRawPointer, at offset: Int) -> UnsafeRawPointer {
    cluster.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
  }

  @inlinable @inline(__always)
  package static func optionalLeaf(_ cluster: UnsafeRawPointer, at offset: Int) -> UnsafeRawPointer? {
    cluster.load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
  }

  /// The key of the row in `slot`.
  @inlinable @inline(__always)
  package static func key(_ cluster: UnsafeRawPointer, _ slot: Int) -> RowKey {
    if let offsets = offsets(cluster) { return RowKey(base(cluster) &+ UInt64(offsets[slot])) }
    return RowKey(base(cluster) &+ UInt64(truncatingIfNeeded: slot))
  }

  /// The slot of a living row, or nil.
  @inlinable @inline(__always)
  package static func slot(_ cluster: UnsafeRawPointer, of key: UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: key & 255)
    if let offsets = offsets(cluster) {
      slot = position(of: UInt16(truncatingIfNeeded: key &- base(cluster)), in: offsets, count: slotCount(cluster))
      if slot < 0 { return nil }
    }
    guard slot < slotCount(cluster), isLive(cluster, slot) else { return nil }
    return slot
  }

  /// The position of `offset` among ascending `offsets`, or -1. A counting loop: it vectorises, a binary search of so
  /// few numbers is slower.
  @usableFromInline
  package static func position(of offset: UInt16, in offsets: UnsafePointer<UInt16>, count: Int) -> Int {
    var smaller: UInt16 = 0
    var index = 0
    while index < count {
      smaller &+= offsets[index] < offset ? 1 : 0
      index &+= 1
    }
    let position = Int(smaller)
    return position < count && offsets[position] == offset ? position : -1
  }

  /// The number of living slots below `slot`.
  @inlinable
  package static func rank(_ cluster: UnsafeRawPointer, _ slot: Int) -> Int {
    let live = live(cluster)
    var count = 0
    var word = 0
    while word < slot &>> 6 {
      count &+= live[word].nonzeroBitCount
      word &+= 1
    }
    if slot & 63 != 0 { count &+= (live[word] & ((1 &<< UInt64(slot & 63)) &- 1)).nonzeroBitCount }
    return count
  }

  /// The slot of the `position`-th living row.
  @inlinable
  package static func slot(_ cluster: UnsafeRawPointer, at position: Int) -> Int {
    let live = live(cluster)
    var remaining = position
    for word in 0..<4 {
      let count = live[word].nonzeroBitCount
      if remaining < count {
        var bits = live[word]
        while remaining > 0 {
          bits &= bits &- 1
          remaining &-= 1
        }
        return word &* 64 &+ bits.trailingZeroBitCount
      }
      remaining &-= count
    }
    fatalError("A position lies beyond the rows of its cluster.")
  }
}

extension Cluster {
  // Writing. The caller owns the cluster.

  static func setSlotCount(_ cluster: Block, _ count: Int) {
    cluster.storeBytes(of: UInt16(count), toByteOffset: 24, as: UInt16.self)
  }

  static func setLiveCount(_ cluster: Block, _ count: Int) {
    cluster.storeBytes(of: UInt16(count), toByteOffset: 28, as: UInt16.self)
  }

  static func setSpan(_ cluster: Block, _ span: Int) {
    cluster.storeBytes(of: UInt16(span), toByteOffset: 30, as: UInt16.self)
  }

  @inline(__always)
  static func setBit(_ cluster: Block, _ offset: Int, _ slot: Int, _ value: Bool) {
    let word = (cluster + offset).assumingMemoryBound(to: UInt64.self) + slot &>> 6
    let bit: UInt64 = 1 &<< UInt64(slot & 63)
    word.pointee = value ? word.pointee | bit : word.pointee & ~bit
  }

  @inline(__always)
  static func setLeaf(_ cluster: Block, at offset: Int, _ leaf: Block?) {
    cluster.storeBytes(of: leaf, toByteOffset: offset, as: Block?.self)
  }

  static func mutableLeaf(_ cluster: Block, at offset: Int) -> Block? {
    cluster.load(fromByteOffset: offset, as: Block?.self)
  }

  static func dirtyRecord(_ cluster: Block) -> UnsafeMutableRawPointer? {
    cluster.load(fromByteOffset: dirtyOffset, as: UnsafeMutableRawPointer?.self)
  }

  static func setDirtyRecord(_ cluster: Block, _ record: UnsafeMutableRawPointer?) {
    cluster.storeBytes(of: record, toByteOffset: dirtyOffset, as: UnsafeMutableRawPointer?.self)
  }

  /// A new dense cluster without rows.
  static func make(base: UInt64, layout: TableLayout, store: BlockStore) -> Block {
    let cluster = store.allocate(byteCount: layout.clusterSize)
    cluster.blockKind = kind
    (cluster + 16).initializeMemory(as: UInt8.self, repeating: 0, count: layout.clusterSize - 16)
    cluster.storeBytes(of: base, toByteOffset: 16, as: UInt64.self)
    setSpan(cluster, 1)
    return cluster
  }
}
