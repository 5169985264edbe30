internal import CFirn

/// The integers of one column of a cluster, relative to a base and in the narrowest width that holds them. Ints, links (target
/// key + 1, 0 = null) and interned value ids.
///
///     ┌────────────────┬───────────┬───────────┬───────────────────────────────┬───────┐
///     │ header, kind 1 │ base: i64 │ drop: u64 │ values, 1 << shift bytes each │ slack │
///     └────────────────┴───────────┴───────────┴───────────────────────────────┴───────┘
///     0                16          24          32                               8 bytes
///
/// `value = base &+ stored`, where `stored` is unsigned; the base of the widest leaves is 0. A value is read without branching on the
/// width: load the eight bytes that *end* with it and shift out the `drop` = 64 − 8 · width low bits. (Eight bytes that begin
/// with it would include later slots, which the writer may be appending.)
///
/// Invariants, checked by `checkInvariants(_:slotCount:)`:
/// - `base + greatest stored value` does not overflow, so that the order of stored values is the order of values;
/// - slots below the slot count of a published version are never written again, nor are base, drop and shift.
@usableFromInline
package enum IntLeaf {
  @inlinable @inline(__always)
  package static var kind: UInt8 { 1 }

  @inlinable @inline(__always)
  package static var valuesOffset: Int { 32 }

  /// The value in a slot.
  @inlinable @inline(__always)
  package static func value(_ leaf: UnsafeRawPointer, _ slot: Int) -> Int64 {
    let shift = Int(truncatingIfNeeded: leaf.blockShift)
    let word = leaf.loadUnaligned(fromByteOffset: 24 &+ (slot &+ 1) &<< shift, as: UInt64.self)
    return base(leaf) &+ Int64(bitPattern: word &>> drop(leaf))
  }

  /// Begins to fetch what tells the value in a slot, when values are as wide as expected.
  @inline(__always)
  static func fetch(_ leaf: UnsafeRawPointer, _ slot: Int, width: Int) {
    firn_prefetch(leaf)
    firn_prefetch(leaf + valuesOffset + slot &* width)
  }

  /// What stored values are relative to.
  @inlinable @inline(__always)
  package static func base(_ leaf: UnsafeRawPointer) -> Int64 { leaf.load(fromByteOffset: 16, as: Int64.self) }

  @inlinable @inline(__always)
  package static func drop(_ leaf: UnsafeRawPointer) -> UInt64 { leaf.load(fromByteOffset: 24, as: UInt64.self) }

  /// The greatest stored value of the leaf's width.
  @inlinable @inline(__always)
  package static func storedMax(_ leaf: UnsafeRawPointer) -> UInt64 { UInt64.max &>> drop(leaf) }

  /// The slots there is room for.
  @inlinable @inline(__always)
  package static func capacity(_ leaf: UnsafeRawPointer) -> Int {
    min((leaf.blockSize &- 40) &>> Int(leaf.blockShift), LeafCapacity.most)
  }

  /// Stops with a message when the leaf is not sound.
  package static func checkInvariants(_ leaf: UnsafeRawPointer, slotCount: Int) {
    let shift = Int(leaf.blockShift)
    if leaf.blockKind != kind { fatalError("IntLeaf: kind \(leaf.blockKind)") }
    if shift > 3 { fatalError("IntLeaf: shift \(shift)") }
    if drop(leaf) != UInt64(64 - 8 << shift) { fatalError("IntLeaf: drop \(drop(leaf)) for shift \(shift)") }
    if shift == 3 && base(leaf) != 0 { fatalError("IntLeaf: base of a wide leaf") }
    if shift < 3 && base(leaf) > Int64.max - Int64(storedMax(leaf)) { fatalError("IntLeaf: the frame overflows") }
    if slotCount > leaf.blockWritten { fatalError("IntLeaf: \(slotCount) slots, \(leaf.blockWritten) written") }
    if leaf.blockWritten > capacity(leaf) { fatalError("IntLeaf: more slots written than there are") }
  }
}

extension IntLeaf {
  /// Overwrites a slot of an owned leaf if the value fits its frame; false otherwise.
  @inlinable @inline(__always)
  package static func storeInPlace(_ leaf: UnsafeMutableRawPointer, _ slot: Int, _ value: Int64) -> Bool {
    let stored = UInt64(bitPattern: value &- base(leaf))
    let shift = leaf.blockShift
    let place = leaf + (valuesOffset &+ slot &<< Int(truncatingIfNeeded: shift))
    switch shift {
    case 0:
      guard stored <= 0xff else { return false }
      place.storeBytes(of: UInt8(truncatingIfNeeded: stored), as: UInt8.self)
    case 1:
      guard stored <= 0xffff else { return false }
      place.storeBytes(of: UInt16(truncatingIfNeeded: stored), as: UInt16.self)
    case 2:
      guard stored <= 0xffff_ffff else { return false }
      place.storeBytes(of: UInt32(truncatingIfNeeded: stored), as: UInt32.self)
    default:
      place.storeBytes(of: stored, as: UInt64.self)
    }
    return true
  }
}
