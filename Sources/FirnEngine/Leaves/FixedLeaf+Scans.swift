internal import CFirn

extension FixedLeaf {
  /// The operators of a floating-point comparison. Raw values are those of the kernels.
  package enum Comparison: Int32 {
    case greater = 0
    case greaterOrEqual = 1
    case less = 2
    case lessOrEqual = 3
    case equal = 4
  }

  /// The slots below `count` whose Double (or Date) compares so with a constant; NaN never does. Dead slots are included.
  package static func match(
    _ leaf: UnsafeRawPointer, count: Int, _ comparison: Comparison, _ constant: Double,
    into mask: UnsafeMutablePointer<UInt64>
  ) {
    firn_compare_f64(doubles(leaf), count, comparison.rawValue, constant, mask)
  }

  /// The slots below `count` whose Float compares so with a constant.
  package static func match(
    _ leaf: UnsafeRawPointer, count: Int, _ comparison: Comparison, _ constant: Float,
    into mask: UnsafeMutablePointer<UInt64>
  ) {
    firn_compare_f32(floats(leaf), count, comparison.rawValue, constant, mask)
  }

  /// The slots below `count` whose bytes equal the given ones: ObjectId, UUID.
  package static func matchBytes(
    _ leaf: UnsafeRawPointer, count: Int, equalTo bytes: UnsafeRawPointer, into mask: UnsafeMutablePointer<UInt64>
  ) {
    let size = Int(leaf.blockShift)
    SlotMask.clear(mask)
    // Values have at least four bytes: compare the first four, then the rest.
    let head = bytes.loadUnaligned(as: UInt32.self)
    var slot = 0
    var place = leaf + valuesOffset
    while slot < count {
      if place.loadUnaligned(as: UInt32.self) == head && equal(place + 4, bytes + 4, size &- 4) {
        mask[slot &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: slot & 63)
      }
      place += size
      slot &+= 1
    }
  }

  /// The sum of the Doubles below `count` that are in the mask.
  package static func sumDoubles(_ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>) -> Double {
    firn_sum_f64(doubles(leaf), count, mask)
  }

  /// The sum of the Floats below `count` that are in the mask, in double precision.
  package static func sumFloats(_ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>) -> Double {
    firn_sum_f32(floats(leaf), count, mask)
  }

  /// The least and greatest Double (or Date) in the mask, NaNs passed over; nil when there is none.
  package static func extremeDoubles(
    _ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>
  ) -> (least: Double, greatest: Double)? {
    var least = 0.0
    var greatest = 0.0
    return firn_minmax_f64(doubles(leaf), count, mask, &least, &greatest) ? (least, greatest) : nil
  }

  /// The least and greatest Float in the mask, NaNs passed over; nil when there is none.
  package static func extremeFloats(
    _ leaf: UnsafeRawPointer, count: Int, mask: UnsafePointer<UInt64>
  ) -> (least: Float, greatest: Float)? {
    var least: Float = 0
    var greatest: Float = 0
    return firn_minmax_f32(floats(leaf), count, mask, &least, &greatest) ? (least, greatest) : nil
  }

  @inline(__always)
  private static func doubles(_ leaf: UnsafeRawPointer) -> UnsafePointer<Double> {
    (leaf + valuesOffset).assumingMemoryBound(to: Double.self)
  }

  @inline(__always)
  private static func floats(_ leaf: UnsafeRawPointer) -> UnsafePointer<Float> {
    (leaf + valuesOffset).assumingMemoryBound(to: Float.self)
  }

  @inline(__always)
  private static func equal(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ byteCount: Int) -> Bool {
    var k = 0
    while k < byteCount {
      if a.load(fromByteOffset: k, as: UInt8.self) != b.load(fromByteOffset: k, as: UInt8.self) { return false }
      k &+= 1
    }
    return true
  }
}
