internal import CFirn

extension IntLeaf {
  /// The slots below `count` with `lo <= value <= hi`, dead ones included. Equality is `lo == hi`.
  package static func match(
    _ leaf: UnsafeRawPointer, count: Int, from lo: Int64, through hi: Int64, into mask: UnsafeMutablePointer<UInt64>
  ) {
    let values = leaf + valuesOffset
    let shift = leaf.blockShift
    if shift == 3 {
      firn_range_i64(values.assumingMemoryBound(to: Int64.self), count, lo, hi, mask)
      return
    }
    // Into the leaf's frame, where everything is unsigned and the ends may lie outside.
    let base = base(leaf)
    let storedMax = storedMax(leaf)
    let storedLo = lo <= base ? 0 : UInt64(bitPattern: lo &- base)
    if hi < base || lo > hi || storedLo > storedMax {
      SlotMask.clear(mask)
      return
    }
    let storedHi = min(UInt64(bitPattern: hi &- base), storedMax)
    if storedLo == 0 && storedHi == storedMax {
      SlotMask.fill(mask, count: count)
      return
    }
    switch shift {
    case 0:
      firn_range_u8(
        values.assumingMemoryBound(to: UInt8.self), count, UInt8(truncatingIfNeeded: storedLo),
        UInt8(truncatingIfNeeded: storedHi), mask)
    case 1:
      firn_range_u16(
        values.assumingMemoryBound(to: UInt16.self), count, UInt16(truncatingIfNeeded: storedLo),
        UInt16(truncatingIfNeeded: storedHi), mask)
    default:
      firn_range_u32(
        values.assumingMemoryBound(to: UInt32.self), count, UInt32(truncatingIfNeeded: storedLo),
        UInt32(truncatingIfNeeded: storedHi), mask)
    }
  }

  /// The sum of the slots below `count` that are in the mask; wraps around on overflow.
  package static func sum(_ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>) -> Int64 {
    let values = leaf + valuesOffset
    let stored: Int64
    switch leaf.blockShift {
    case 0: stored = Int64(bitPattern: firn_sum_u8(values.assumingMemoryBound(to: UInt8.self), count, mask))
    case 1: stored = Int64(bitPattern: firn_sum_u16(values.assumingMemoryBound(to: UInt16.self), count, mask))
    case 2: stored = Int64(bitPattern: firn_sum_u32(values.assumingMemoryBound(to: UInt32.self), count, mask))
    default: return firn_sum_i64(values.assumingMemoryBound(to: Int64.self), count, mask)
    }
    let base = base(leaf)
    if base == 0 { return stored }
    return stored &+ base &* Int64(selected(mask, count))
  }

  /// The least and the greatest value of the slots below `count` that are in the mask; nil when there is none.
  package static func extremes(
    _ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>
  ) -> (least: Int64, greatest: Int64)? {
    let values = leaf + valuesOffset
    switch leaf.blockShift {
    case 0: return extremes(values, UInt8.self, count, mask, base(leaf), firn_minmax_u8)
    case 1: return extremes(values, UInt16.self, count, mask, base(leaf), firn_minmax_u16)
    case 2: return extremes(values, UInt32.self, count, mask, base(leaf), firn_minmax_u32)
    default: return extremes(values, Int64.self, count, mask, 0, firn_minmax_i64)
    }
  }

  private typealias Extremes<T> = (
    UnsafePointer<T>?, Int, UnsafePointer<UInt64>?, UnsafeMutablePointer<T>?, UnsafeMutablePointer<T>?
  ) -> Bool

  @inline(__always)
  private static func extremes<T: FixedWidthInteger>(
    _ values: UnsafeRawPointer, _: T.Type, _ count: Int, _ mask: UnsafePointer<UInt64>, _ base: Int64,
    _ kernel: Extremes<T>
  ) -> (least: Int64, greatest: Int64)? {
    var least: T = 0
    var greatest: T = 0
    guard kernel(values.assumingMemoryBound(to: T.self), count, mask, &least, &greatest) else { return nil }
    return (base &+ Int64(truncatingIfNeeded: least), base &+ Int64(truncatingIfNeeded: greatest))
  }

  private static func selected(_ mask: UnsafePointer<UInt64>, _ count: Int) -> Int {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { slots in
      SlotMask.fill(slots.baseAddress!, count: count)
      var word = 0
      while word < 4 {
        slots[word] &= mask[word]
        word &+= 1
      }
      return SlotMask.count(slots.baseAddress!)
    }
  }
}
