public import CFirn

/// Strings (UTF-8) or data of one column of a cluster: one arena of bytes and where each value ends in it.
///
///     ┌────────┬──────────┬───────────┬────────┬───┬────────┬─────┬─────────┬───────┐
///     │ header │ capacity │ byte      │ arena  │ 0 │ ends → │ pad │ bytes → │ slack │
///     │ kind 3 │ u16      │ capacity  │ offset │   │        │     │         │       │
///     └────────┴──────────┴───────────┴────────┴───┴────────┴─────┴─────────┴───────┘
///     0        16         20          24       28  32       8 bytes         64 bytes
///
/// Value k is `ends[k - 1] ..< ends[k]` of the arena; the zero at 28 is `ends[-1]`. Ends are u16 (`shift` 1) while the arena has less than
/// 64 KB, else u32 (`shift` 2). In a leaf with u32 ends the top bit of an end says that the arena holds the pointer of an
/// `ExternalValue` instead of the value itself.
///
/// Readers never touch a byte after the end of a value: it may be the one being appended. Short strings are therefore loaded by
/// words that *end* with them; the pad lets the first one do so too.
///
/// Invariants, checked by `checkInvariants(_:slotCount:)`:
/// - ends ascend, the last one is at most the byte capacity;
/// - the ends and bytes of slots below the slot count of a published version are never written again.
@usableFromInline
package enum BytesLeaf {
  @inlinable @inline(__always)
  package static var kind: UInt8 { 3 }

  @inlinable @inline(__always)
  package static var endsOffset: Int { 32 }

  @inlinable @inline(__always)
  package static var externalFlag: UInt32 { 0x8000_0000 }

  /// The bytes in a slot, valid as long as the version that shows the leaf.
  @inlinable @inline(__always)
  package static func bytes(_ leaf: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer {
    if leaf.blockShift == 1 {
      // The end of the value before and the end of this one, at once.
      let ends = leaf.loadUnaligned(fromByteOffset: 30 &+ slot &* 2, as: UInt32.self)
      let start = Int(truncatingIfNeeded: ends & 0xffff)
      let end = Int(truncatingIfNeeded: ends &>> 16)
      return UnsafeRawBufferPointer(start: arena(leaf) + start, count: end &- start)
    }
    return wideBytes(leaf, slot)
  }

  @inlinable @inline(__always)
  package static func withBytes<R>(
    _ leaf: UnsafeRawPointer, _ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    try body(bytes(leaf, slot))
  }

  /// The string in a slot.
  @inlinable @inline(__always)
  package static func string(_ leaf: UnsafeRawPointer, _ slot: Int) -> String {
    if leaf.blockShift == 1 {
      let ends = leaf.loadUnaligned(fromByteOffset: 30 &+ slot &* 2, as: UInt32.self)
      let start = Int(truncatingIfNeeded: ends & 0xffff)
      let count = Int(truncatingIfNeeded: ends &>> 16) &- start
      if count <= 15 && firn_small_strings_agree() { return SmallString.make(arena(leaf) + start, count) }
    }
    return decodedString(leaf, slot)
  }

  @usableFromInline @inline(never)
  package static func decodedString(_ leaf: UnsafeRawPointer, _ slot: Int) -> String {
    String(decoding: bytes(leaf, slot), as: UTF8.self)
  }

  /// Where the bytes begin.
  @inlinable @inline(__always)
  package static func arena(_ leaf: UnsafeRawPointer) -> UnsafeRawPointer {
    leaf + Int(truncatingIfNeeded: leaf.load(fromByteOffset: 24, as: UInt32.self))
  }

  /// The slots there is room for.
  @inlinable @inline(__always)
  package static func capacity(_ leaf: UnsafeRawPointer) -> Int {
    Int(leaf.load(fromByteOffset: 16, as: UInt16.self))
  }

  /// The bytes there is room for.
  @inlinable @inline(__always)
  package static func byteCapacity(_ leaf: UnsafeRawPointer) -> Int {
    Int(leaf.load(fromByteOffset: 20, as: UInt32.self))
  }

  /// The external value of a slot, or nil when its bytes are in the arena.
  package static func external(_ leaf: UnsafeRawPointer, _ slot: Int) -> Block? {
    guard leaf.blockShift == 2, rawEnd(leaf, slot) & externalFlag != 0 else { return nil }
    return (arena(leaf) + end(leaf, slot &- 1)).loadUnaligned(as: Block.self)
  }

  @usableFromInline
  package static func wideBytes(_ leaf: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer {
    if let block = external(leaf, slot) { return ExternalValue.bytes(block) }
    return payload(leaf, slot)
  }

  /// What the arena holds for a slot: its bytes, or the pointer of its external value.
  static func payload(_ leaf: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer {
    let start = end(leaf, slot &- 1)
    return UnsafeRawBufferPointer(start: arena(leaf) + start, count: end(leaf, slot) &- start)
  }

  /// Where the value of a slot ends in the arena; 0 for slot -1.
  @inline(__always)
  static func end(_ leaf: UnsafeRawPointer, _ slot: Int) -> Int { Int(rawEnd(leaf, slot) & ~externalFlag) }

  /// The end of a slot with its flag.
  @inline(__always)
  static func rawEnd(_ leaf: UnsafeRawPointer, _ slot: Int) -> UInt32 {
    leaf.blockShift == 1
      ? UInt32(leaf.load(fromByteOffset: 32 &+ slot &* 2, as: UInt16.self))
      : leaf.load(fromByteOffset: 32 &+ slot &* 4, as: UInt32.self)
  }

  /// Stops with a message when the leaf is not sound.
  package static func checkInvariants(_ leaf: UnsafeRawPointer, slotCount: Int) {
    let shift = Int(leaf.blockShift)
    if leaf.blockKind != kind { fatalError("BytesLeaf: kind \(leaf.blockKind)") }
    if shift != 1 && shift != 2 { fatalError("BytesLeaf: shift \(shift)") }
    if slotCount > leaf.blockWritten { fatalError("BytesLeaf: \(slotCount) slots, \(leaf.blockWritten) written") }
    if leaf.blockWritten > capacity(leaf) { fatalError("BytesLeaf: more slots written than there are") }
    if leaf.load(fromByteOffset: 28, as: UInt32.self) != 0 { fatalError("BytesLeaf: no zero before the ends") }
    let offset = arena(leaf) - leaf
    if offset != endsOffset + capacity(leaf) << shift + 8 { fatalError("BytesLeaf: arena at \(offset)") }
    if offset + byteCapacity(leaf) + 64 > leaf.blockSize { fatalError("BytesLeaf: arena longer than the block") }
    if shift == 1 && byteCapacity(leaf) > 0xffff { fatalError("BytesLeaf: arena too long for its ends") }
    for slot in 0..<slotCount {
      if end(leaf, slot) < end(leaf, slot - 1) { fatalError("BytesLeaf: ends descend at slot \(slot)") }
      if let block = external(leaf, slot) {
        if end(leaf, slot) - end(leaf, slot - 1) != 8 { fatalError("BytesLeaf: external value without pointer") }
        if block.blockKind != ExternalValue.kind { fatalError("BytesLeaf: external value of kind \(block.blockKind)") }
      }
    }
    if slotCount > 0 && end(leaf, slotCount - 1) > byteCapacity(leaf) { fatalError("BytesLeaf: arena overflows") }
  }
}
