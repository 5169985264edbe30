/// The block sizes that the store hands out: eight per doubling, so that a block wastes at most an eighth.
///
/// - up to 256 bytes: every multiple of 16, from 32 on;
/// - up to 4 KB: eight steps per doubling;
/// - up to 16 KB: the sizes that divide a span into 15, 14, … 4 blocks, so that no span ends in an unusable rest.
///
/// All sizes are multiples of 16.
enum SizeClasses {
  /// One more than the largest class index. Indices 0 and 1 are unused.
  static var count: Int { 61 }

  /// Larger blocks are not cut from spans.
  static var largestByteCount: Int { 16_384 }

  /// The smallest class that holds `byteCount` bytes; `byteCount` is at most `largestByteCount`.
  @inline(__always)
  static func index(forByteCount byteCount: Int) -> Int {
    if byteCount <= 256 { return max(2, (byteCount &+ 15) &>> 4) }
    if byteCount <= 4096 {
      let last = byteCount &- 1
      let doubling = 63 &- last.leadingZeroBitCount
      return 17 &+ (doubling &- 8) &* 8 &+ ((last &>> (doubling &- 3)) & 7)
    }
    let blocksPerSpan = 65_536 / UInt32(truncatingIfNeeded: (byteCount &+ 15) & ~15)
    return 64 &- Int(blocksPerSpan)
  }

  /// The usable bytes of a block of this class.
  static func byteCount(ofIndex index: Int) -> Int {
    if index <= 16 { return index * 16 }
    if index <= 48 {
      let doubling = (index - 17) / 8 + 8
      return 1 << doubling + ((index - 17) % 8 + 1) << (doubling - 3)
    }
    return 65_536 / (64 - index) & ~15
  }
}
