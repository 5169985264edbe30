import Glibc

/// 4 MB of address space, aligned to its size, cut into 64 spans. The header lies at its start and is followed by the
/// headers of the spans.
struct BlockRegion {
  /// Bit k is set when span k is not in use.
  var freeSpans: UInt64

  /// Which of the unused spans were given back to the system; their memory comes back when they are used again.
  var returnedSpans: UInt64 = 0

  /// Neighbours in the list of regions that have both used and unused spans.
  var next, previous: UnsafeMutablePointer<BlockRegion>?

  /// The version that last allocated a block here.
  var version: UInt64

  /// Position in the store's array of regions.
  var position: Int

  static var byteCount: Int { 4 << 20 }
  static var spanCount: Int { 64 }

  /// The region's own header and those of its spans.
  static var headerByteCount: Int { 64 * (1 + spanCount) }

  /// Maps a region with no span in use. Huge pages make the first touch seven times cheaper, but are a waste for a store
  /// of a few kilobytes.
  static func map(usesHugePages: Bool) -> UnsafeMutablePointer<BlockRegion> {
    let reserved = mmap(
      nil, 2 * byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let reserved, reserved != MAP_FAILED else { fatalError("Out of memory: cannot map \(byteCount) bytes") }
    let address = UInt(bitPattern: reserved)
    let start = (address + UInt(byteCount) - 1) & ~(UInt(byteCount) - 1)
    let before = Int(start - address)
    if before > 0 { munmap(reserved, before) }
    munmap(reserved + before + byteCount, byteCount - before)
    let base = reserved + before
    if usesHugePages { madvise(base, byteCount, MADV_HUGEPAGE) }
    let region = base.bindMemory(to: BlockRegion.self, capacity: 1)
    region.initialize(to: BlockRegion(freeSpans: .max, next: nil, previous: nil, version: 0, position: 0))
    return region
  }
}

extension UnsafeMutablePointer<BlockRegion> {
  /// Gives the memory back to the system.
  func unmap() {
    munmap(UnsafeMutableRawPointer(self), BlockRegion.byteCount)
  }

  /// Gives the memory of unused spans back to the system, which fills it with zeros when it is touched again. How many
  /// spans that were.
  func returnUnusedSpans() -> Int {
    let unused = pointee.freeSpans & ~pointee.returnedSpans
    var rest = unused
    while rest != 0 {
      let first = rest.trailingZeroBitCount
      let count = (~(rest &>> UInt64(first))).trailingZeroBitCount
      // The first span makes room for the headers of all.
      let start = first == 0 ? (BlockRegion.headerByteCount + 4095) & ~4095 : first * BlockSpan.byteCount
      madvise(UnsafeMutableRawPointer(self) + start, (first + count) * BlockSpan.byteCount - start, MADV_DONTNEED)
      rest = first + count >= 64 ? 0 : rest & (.max &<< UInt64(first + count))
    }
    pointee.returnedSpans |= unused
    return unused.nonzeroBitCount
  }

  /// The header of the k-th span.
  @inline(__always)
  func span(_ k: Int) -> UnsafeMutablePointer<BlockSpan> {
    (UnsafeMutableRawPointer(self) + 64 &* (k &+ 1)).assumingMemoryBound(to: BlockSpan.self)
  }
}
