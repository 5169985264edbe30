/// The bookkeeping of 64 KB of a region, all cut into blocks of one size.
///
/// It does not lie in the span itself: 64 KB apart, all span headers would compete for the same few cache sets. They lie
/// side by side at the start of the region, at `64 * (1 + index)`.
///
/// Free blocks form a list through their first payload word and have birth 0, as no living block has; so the blocks of
/// a version can be found by walking the slots below `bump`.
struct BlockSpan {
  /// The first free block.
  var free: Block?

  /// Neighbours in the list of spans of this class that have room.
  var next, previous: UnsafeMutablePointer<BlockSpan>?

  /// The version that last allocated a block here.
  var version: UInt64

  /// Offset of the first slot that was never handed out.
  var bump: UInt32

  /// The largest `bump` at which another block fits.
  var limit: UInt32

  /// Bytes per block.
  var size: UInt32

  /// Blocks in use.
  var live: UInt32

  /// Index of the size class.
  var sizeClass: UInt32

  /// Whether the span is in the list of spans with room. Full spans leave it when an allocation runs into them.
  var isListed: Bool

  static var byteCount: Int { 65_536 }
}

extension UnsafeMutablePointer<BlockSpan> {
  /// The header of the span that a block lies in. The block must not be a large one.
  @inline(__always)
  init(of block: Block) {
    let address = UInt(bitPattern: block)
    let region = address & ~(UInt(BlockRegion.byteCount) &- 1)
    let header = region &+ 64 &+ ((address &>> 16) & 63) &* 64
    self = UnsafeMutablePointer<BlockSpan>(bitPattern: header).unsafelyUnwrapped
  }

  /// The region that this span belongs to.
  @inline(__always)
  var region: UnsafeMutablePointer<BlockRegion> {
    UnsafeMutablePointer<BlockRegion>(bitPattern: UInt(bitPattern: self) & ~(UInt(BlockRegion.byteCount) &- 1))
      .unsafelyUnwrapped
  }

  /// The place of this span in its region.
  @inline(__always)
  var index: Int { Int((UInt(bitPattern: self) & (UInt(BlockRegion.byteCount) &- 1)) &>> 6) &- 1 }

  /// The start of the memory that `bump` counts from.
  @inline(__always)
  var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(region) + index &* BlockSpan.byteCount }

  /// Offset of the first block: the first span of a region makes room for the headers of all.
  @inline(__always)
  var firstOffset: UInt32 { index == 0 ? UInt32(BlockRegion.headerByteCount) : 0 }

  /// The list of free blocks goes through the first word of the payload, because the birth must stay 0.
  @inline(__always)
  func push(_ block: Block) {
    block.storeBytes(of: pointee.free, toByteOffset: 16, as: Block?.self)
    pointee.free = block
  }
}
