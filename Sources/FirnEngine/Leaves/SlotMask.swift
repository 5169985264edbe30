public import CFirn

/// Masks over the 256 slots of a cluster: four words, bit `k & 63` of word `k >> 6` stands for slot k.
@usableFromInline
package enum SlotMask {
  /// Sets the first `count` bits and clears the others.
  @inlinable
  package static func fill(_ mask: UnsafeMutablePointer<UInt64>, count: Int) {
    var word = 0
    while word < 4 {
      let bits = min(max(count &- word &* 64, 0), 64)
      mask[word] = bits == 0 ? 0 : UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- bits)
      word &+= 1
    }
  }

  @inlinable @inline(__always)
  package static func clear(_ mask: UnsafeMutablePointer<UInt64>) { fill(mask, count: 0) }

  /// The number of set bits.
  @inlinable @inline(__always)
  package static func count(_ mask: UnsafePointer<UInt64>) -> Int { firn_mask_count(mask) }

  @inlinable @inline(__always)
  package static func contains(_ mask: UnsafePointer<UInt64>, _ slot: Int) -> Bool {
    mask[slot &>> 6] &>> UInt64(truncatingIfNeeded: slot & 63) & 1 != 0
  }
}
