/// Values of one fixed size: Float, Double, Date (seconds since the reference date in a Double), block pointers, ObjectId (12
/// bytes), UUID and Decimal128 (16).
///
///     ┌────────────────────────────────────┬─────────────────────────────┬───────┐
///     │ header, kind 2, shift = value size │ values, one after the other │ slack │
///     └────────────────────────────────────┴─────────────────────────────┴───────┘
///     0                                    16                             32 bytes
///
/// Slots below the slot count of a published version are never written again.
@usableFromInline
package enum FixedLeaf {
  @inlinable @inline(__always)
  package static var kind: UInt8 { 2 }

  @inlinable @inline(__always)
  package static var valuesOffset: Int { 16 }

  /// The value in a slot; `T` must have the leaf's value size. With a constant type this is one load.
  @inlinable @inline(__always)
  package static func load<T: BitwiseCopyable>(_ leaf: UnsafeRawPointer, _ slot: Int, as type: T.Type) -> T {
    leaf.loadUnaligned(fromByteOffset: 16 &+ slot &* MemoryLayout<T>.size, as: type)
  }

  /// Where the value of a slot is.
  @inlinable @inline(__always)
  package static func address(_ leaf: UnsafeRawPointer, _ slot: Int) -> UnsafeRawPointer {
    leaf + (16 &+ slot &* Int(leaf.blockShift))
  }

  /// The slots there is room for.
  @inlinable @inline(__always)
  package static func capacity(_ leaf: UnsafeRawPointer) -> Int {
    min((leaf.blockSize &- 48) / Int(leaf.blockShift), LeafCapacity.most)
  }

  /// Stops with a message when the leaf is not sound.
  package static func checkInvariants(_ leaf: UnsafeRawPointer, slotCount: Int) {
    if leaf.blockKind != kind { fatalError("FixedLeaf: kind \(leaf.blockKind)") }
    if ![1, 2, 4, 8, 12, 16].contains(leaf.blockShift) { fatalError("FixedLeaf: value size \(leaf.blockShift)") }
    if slotCount > leaf.blockWritten { fatalError("FixedLeaf: \(slotCount) slots, \(leaf.blockWritten) written") }
    if leaf.blockWritten > capacity(leaf) { fatalError("FixedLeaf: more slots written than there are") }
  }
}
