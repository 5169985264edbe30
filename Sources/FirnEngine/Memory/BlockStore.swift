import Glibc

/// Hands out and takes back the blocks of one graph, on behalf of its only writer.
///
/// A write transaction builds the next version: blocks that it allocates carry that version as their birth, blocks that
/// it replaces are retired. A retired block stays readable for the versions that still show it; the version ledger
/// decides when it is freed. A block that the transaction itself allocated is freed at once when retired.
///
/// Memory is organised as in mimalloc (Leijen, Zorn, de Moura 2019): spans of 64 KB serve one size class each, empty
/// spans return to a common pool and can serve any other class, so that leaves whose sizes drift do not leave a trail of
/// unusable free lists. Spans are cut from regions of 4 MB; one wholly empty region is kept, others return to the system.
/// When more than half of what is mapped is free, `returnFreeMemory` gives the memory of unused spans back, too.
/// Allocating and freeing are O(1).
///
/// There is no list of the blocks made by a transaction. Every span and region knows the version that last allocated in
/// it, and free blocks have birth 0; so the blocks of a version are found by looking into the few spans it touched.
///
/// Not thread-safe: whoever holds the graph's writer lock owns it.
@usableFromInline
package final class BlockStore {
  /// The version being written. Blocks born in it may be changed in place.
  @exclusivity(unchecked) @usableFromInline package var version: UInt64 = 1

  /// Older blocks replaced by the running transaction.
  @exclusivity(unchecked) package var retired: [Block] = []

  /// Bytes of all blocks that are not freed, headers and slack included.
  @exclusivity(unchecked) package internal(set) var allocatedByteCount = 0

  /// Blocks that are not freed.
  @exclusivity(unchecked) package internal(set) var allocatedBlockCount = 0

  /// How often `replace` copied a block since the store was made.
  @exclusivity(unchecked) package internal(set) var copiedBlockCount = 0

  /// Spans in use.
  @exclusivity(unchecked) var spanCount = 0

  /// Unused spans whose memory was given back to the system.
  @exclusivity(unchecked) var returnedSpanCount = 0

  /// For each size class the first of its spans that have room.
  let spans: UnsafeMutablePointer<UnsafeMutablePointer<BlockSpan>?>

  /// All regions, in no order.
  @exclusivity(unchecked) var regions: [UnsafeMutablePointer<BlockRegion>] = []

  /// The first of the regions that have both used and unused spans.
  @exclusivity(unchecked) var openRegions: UnsafeMutablePointer<BlockRegion>?

  /// A region without a used span, kept so that a workload at the edge does not map and unmap all the time.
  @exclusivity(unchecked) var spareRegion: UnsafeMutablePointer<BlockRegion>?

  /// The newest large block.
  @exclusivity(unchecked) var largeBlocks: UnsafeMutablePointer<LargeBlock>?

  @exclusivity(unchecked) var largeByteCount = 0

  /// Why the running transaction must not be committed; nil when it may.
  @exclusivity(unchecked) private(set) var refusal: String?

  /// See ``Writer/isReplaying``.
  @exclusivity(unchecked) var isReplaying = false

  /// Changed by tests, between transactions.
  @exclusivity(unchecked) package var limits = GraphLimits()

  /// Whether the payload of fresh and freed blocks is filled with 0xDB, so that tests notice who reads them. The first
  /// payload word of a freed block is a link.
  let poisonsFreedBlocks: Bool

  package init(poisonsFreedBlocks: Bool = false) {
    self.poisonsFreedBlocks = poisonsFreedBlocks
    spans = .allocate(capacity: SizeClasses.count)
    spans.initialize(repeating: nil, count: SizeClasses.count)
  }

  deinit {
    for region in regions { region.unmap() }
    while let large = largeBlocks {
      largeBlocks = large.pointee.next
      Glibc.free(large)
    }
    spans.deallocate()
  }

  /// Memory taken from the system for blocks and not given back.
  package var mappedByteCount: Int {
    regions.count * BlockRegion.byteCount - returnedSpanCount * BlockSpan.byteCount + largeByteCount
  }
}

// MARK: - Transactions

extension BlockStore {
  /// Starts the transaction that builds `version`, which must be higher than every committed one.
  package func beginTransaction(version: UInt64) {
    if version < self.version { fatalError("Version numbers never go back") }
    if !retired.isEmpty { fatalError("The previous transaction is still open") }
    self.version = version
    refusal = nil
  }

  /// Makes the commit of the running transaction fail; the first reason stays.
  func refuseCommit(_ reason: String) { refusal = refusal ?? reason }

  /// Whether a count is above its limit. A commit that is replayed inserts before it deletes, so it may reach twice the
  /// limit.
  func exceeds(_ count: Int, _ most: Int) -> Bool { (isReplaying ? count / 2 : count) > most }

  /// The value itself, or none of its bytes if it is too long: then the commit is refused.
  @inline(__always)
  func fitting(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    bytes.count <= limits.valueByteCountMax ? bytes : refused(bytes)
  }

  @inline(never)
  private func refused(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    refuseCommit(
      "A string or data value has \(bytes.count) bytes, and \(limits.valueByteCountMax) is the most. Keep it in parts, "
        + "or in a file.")
    return UnsafeRawBufferPointer(rebasing: bytes[..<0])
  }

  /// Ends the transaction and returns the older blocks that it replaced; from now on the blocks it made belong to the
  /// version.
  package func endTransaction() -> [Block] {
    var result: [Block] = []
    swap(&result, &retired)
    return result
  }

  /// Frees every block born in the running transaction and forgets what it replaced. O(spans it touched + regions).
  package func rollback() {
    free(contentsOf: made)
    retired.removeAll(keepingCapacity: true)
  }

  /// The blocks born in the current version and not freed, in no order. O(spans it touched + regions).
  package var made: [Block] { blocks(bornAfter: version &- 1) }

  /// The blocks born in versions above `version` and not freed, in no order. With 0, all blocks.
  /// O(slots of the spans that served such versions + regions).
  package func blocks(bornAfter version: UInt64) -> [Block] {
    var result: [Block] = []
    for region in regions where region.pointee.version > version {
      var used = ~region.pointee.freeSpans
      while used != 0 {
        let span = region.span(used.trailingZeroBitCount)
        used &= used &- 1
        if span.pointee.version <= version { continue }
        let base = span.base
        var offset = span.firstOffset
        while offset < span.pointee.bump {
          let block = base + Int(offset)
          if block.blockBirth > version { result.append(block) }
          offset &+= span.pointee.size
        }
      }
    }
    var large = largeBlocks
    while let current = large, current.block.blockBirth > version {
      result.append(current.block)
      large = current.pointee.next
    }
    return result
  }
}

// MARK: - Blocks

extension BlockStore {
  /// A block of at least `byteCount` bytes, header included. The header is filled in (kind, shift and written are 0, size
  /// is what the block really holds); the payload is uninitialised. Aligned to 16 bytes.
  package func allocate(byteCount: Int) -> Block {
    if byteCount > SizeClasses.largestByteCount { return allocateLarge(byteCount: byteCount) }
    let sizeClass = SizeClasses.index(forByteCount: byteCount)
    var span: UnsafeMutablePointer<BlockSpan>
    let block: Block
    if let first = spans[sizeClass], let free = first.pointee.free {
      span = first
      block = free
      span.pointee.free = block.load(fromByteOffset: 16, as: Block?.self)
    } else {
      span = spanWithRoom(sizeClass)
      if let free = span.pointee.free {
        block = free
        span.pointee.free = block.load(fromByteOffset: 16, as: Block?.self)
      } else {
        block = span.base + Int(span.pointee.bump)
        span.pointee.bump &+= span.pointee.size
      }
    }
    span.pointee.live &+= 1
    if span.pointee.version != version {
      span.pointee.version = version
      span.region.pointee.version = version
    }
    fillHeader(of: block, byteCount: Int(span.pointee.size))
    return block
  }

  /// Whether the running transaction may change this block in place.
  @inlinable @inline(__always)
  package func owns(_ block: Block) -> Bool { block.blockBirth == version }

  /// Gives a block up: frees it when it was born in this transaction, else it stays for the versions that show it.
  package func retire(_ block: Block) {
    if owns(block) {
      free(block)
    } else {
      retired.append(block)
    }
  }

  /// A copy of `block` owned by this transaction, made from the first `usedByteCount` bytes (header included), with room
  /// for `capacity` bytes; the original is retired. Kind, shift and written are copied.
  package func replace(_ block: Block, usedByteCount: Int, capacity: Int) -> Block {
    let copy = allocate(byteCount: max(capacity, usedByteCount))
    copy.storeBytes(
      of: block.load(fromByteOffset: 12, as: UInt32.self), toByteOffset: 12, as: UInt32.self)
    (copy + 16).copyMemory(from: block + 16, byteCount: usedByteCount &- 16)
    copiedBlockCount &+= 1
    retire(block)
    return copy
  }

  /// Takes a block back that no version shows any more.
  package func free(_ block: Block) {
    let byteCount = block.blockSize
    allocatedByteCount &-= byteCount
    allocatedBlockCount &-= 1
    block.storeBytes(of: 0, as: UInt64.self)
    if poisonsFreedBlocks { poison(block, byteCount: byteCount) }
    if byteCount > SizeClasses.largestByteCount { return freeLarge(block, byteCount: byteCount) }
    let span = UnsafeMutablePointer<BlockSpan>(of: block)
    span.push(block)
    span.pointee.live &-= 1
    if span.pointee.live == 0 {
      release(span)
    } else if !span.pointee.isListed {
      list(span)
    }
  }

  /// Takes blocks back that no version shows any more.
  package func free(contentsOf blocks: [Block]) {
    for block in blocks { free(block) }
  }

  @inline(__always)
  private func fillHeader(of block: Block, byteCount: Int) {
    block.storeBytes(of: version, as: UInt64.self)
    block.storeBytes(of: UInt64(UInt32(truncatingIfNeeded: byteCount)), toByteOffset: 8, as: UInt64.self)
    allocatedByteCount &+= byteCount
    allocatedBlockCount &+= 1
    if poisonsFreedBlocks { poison(block, byteCount: byteCount) }
  }

  @inline(never)
  private func poison(_ block: Block, byteCount: Int) {
    memset(block + blockHeaderSize, 0xDB, byteCount - blockHeaderSize)
  }
}

// MARK: - Spans and regions

extension BlockStore {
  /// The first span of the class that can serve a block. Full spans met on the way leave the list.
  @inline(never)
  private func spanWithRoom(_ sizeClass: Int) -> UnsafeMutablePointer<BlockSpan> {
    while let span = spans[sizeClass] {
      if span.pointee.free != nil || span.pointee.bump <= span.pointee.limit { return span }
      unlist(span)
    }
    let region = regionWithRoom()
    let index = region.pointee.freeSpans.trailingZeroBitCount
    region.pointee.freeSpans &= region.pointee.freeSpans &- 1
    if region.pointee.returnedSpans != 0 { takeBack(index, of: region) }
    if region.pointee.freeSpans == 0 { unlist(region) }
    spanCount &+= 1
    let size = SizeClasses.byteCount(ofIndex: sizeClass)
    let span = region.span(index)
    span.initialize(
      to: BlockSpan(
        free: nil, next: nil, previous: nil, version: 0, bump: span.firstOffset,
        limit: UInt32(BlockSpan.byteCount - size), size: UInt32(size), live: 0, sizeClass: UInt32(sizeClass),
        isListed: false))
    list(span)
    return span
  }

  private func list(_ span: UnsafeMutablePointer<BlockSpan>) {
    let sizeClass = Int(span.pointee.sizeClass)
    let next = spans[sizeClass]
    span.pointee.isListed = true
    span.pointee.previous = nil
    span.pointee.next = next
    next?.pointee.previous = span
    spans[sizeClass] = span
  }

  private func unlist(_ span: UnsafeMutablePointer<BlockSpan>) {
    let next = span.pointee.next
    let previous = span.pointee.previous
    next?.pointee.previous = previous
    if let previous { previous.pointee.next = next } else { spans[Int(span.pointee.sizeClass)] = next }
    span.pointee.isListed = false
  }

  /// Returns an empty span to its region, and the region to the system when nothing in it is used.
  @inline(never)
  private func release(_ span: UnsafeMutablePointer<BlockSpan>) {
    if span.pointee.isListed { unlist(span) }
    spanCount &-= 1
    let region = span.region
    if region.pointee.freeSpans == 0 { list(region) }
    region.pointee.freeSpans |= 1 &<< UInt64(span.index)
    if region.pointee.freeSpans != .max { return }
    unlist(region)
    if spareRegion == nil {
      spareRegion = region
      return
    }
    let last = regions.removeLast()
    if last != region {
      regions[region.pointee.position] = last
      last.pointee.position = region.pointee.position
    }
    returnedSpanCount &-= region.pointee.returnedSpans.nonzeroBitCount
    region.unmap()
  }

  private func takeBack(_ index: Int, of region: UnsafeMutablePointer<BlockRegion>) {
    let bit: UInt64 = 1 &<< UInt64(index)
    if region.pointee.returnedSpans & bit == 0 { return }
    region.pointee.returnedSpans &= ~bit
    returnedSpanCount &-= 1
  }

  /// Gives the memory of unused spans back to the system if that is more than half of what is mapped, and not a little.
  ///
  /// Called by the writer when it has freed what nobody shows. Amortised O(1) for each span freed: after it has given
  /// something back, at least as much has to become free again before it does anything.
  package func returnFreeMemory() {
    let spanBytes = mappedByteCount &- largeByteCount
    let freeByteCount = spanBytes &- spanCount &* BlockSpan.byteCount
    if freeByteCount < Self.leastFreeByteCount || 2 &* freeByteCount <= spanBytes { return }
    returnUnusedSpans()
  }

  /// Less than this is kept for the next blocks.
  static var leastFreeByteCount: Int { 2 * BlockRegion.byteCount }

  @inline(never)
  private func returnUnusedSpans() {
    var region = openRegions
    while let current = region {
      returnedSpanCount &+= current.returnUnusedSpans()
      region = current.pointee.next
    }
    if let spareRegion { returnedSpanCount &+= spareRegion.returnUnusedSpans() }
  }

  private func regionWithRoom() -> UnsafeMutablePointer<BlockRegion> {
    if let openRegions { return openRegions }
    let region: UnsafeMutablePointer<BlockRegion>
    if let spareRegion {
      region = spareRegion
      self.spareRegion = nil
    } else {
      region = BlockRegion.map(usesHugePages: !regions.isEmpty)
      region.pointee.position = regions.count
      regions.append(region)
    }
    list(region)
    return region
  }

  private func list(_ region: UnsafeMutablePointer<BlockRegion>) {
    region.pointee.previous = nil
    region.pointee.next = openRegions
    openRegions?.pointee.previous = region
    openRegions = region
  }

  private func unlist(_ region: UnsafeMutablePointer<BlockRegion>) {
    let next = region.pointee.next
    let previous = region.pointee.previous
    next?.pointee.previous = previous
    if let previous { previous.pointee.next = next } else { openRegions = next }
  }
}

// MARK: - Large blocks

extension BlockStore {
  private func allocateLarge(byteCount: Int) -> Block {
    let size = (byteCount + 15) & ~15
    if size > Int(UInt32.max) { fatalError("A block cannot hold \(byteCount) bytes") }
    guard let memory = malloc(size + LargeBlock.byteCount) else {
      fatalError("Out of memory: cannot allocate \(byteCount) bytes")
    }
    let large = memory.bindMemory(to: LargeBlock.self, capacity: 1)
    large.initialize(to: LargeBlock(next: largeBlocks, previous: nil))
    largeBlocks?.pointee.previous = large
    largeBlocks = large
    largeByteCount += size
    fillHeader(of: large.block, byteCount: size)
    return large.block
  }

  private func freeLarge(_ block: Block, byteCount: Int) {
    let large = UnsafeMutablePointer<LargeBlock>(of: block)
    let next = large.pointee.next
    let previous = large.pointee.previous
    next?.pointee.previous = previous
    if let previous { previous.pointee.next = next } else { largeBlocks = next }
    largeByteCount -= byteCount
    Glibc.free(large)
  }
}

// MARK: - Invariants

extension BlockStore {
  /// Traps unless the counters equal what the spans, lists and blocks say. O(blocks).
  package func checkInvariants() {
    let blocks = blocks(bornAfter: 0)
    var byteCount = 0
    for block in blocks { byteCount += block.blockSize }
    if blocks.count != allocatedBlockCount { fatalError("allocatedBlockCount is wrong") }
    if byteCount != allocatedByteCount { fatalError("allocatedByteCount is wrong") }
    var live = 0
    var usedSpans = 0
    for (position, region) in regions.enumerated() {
      if region.pointee.position != position { fatalError("A region does not know its position") }
      if region.pointee.freeSpans == .max && region != spareRegion { fatalError("An empty region was kept") }
      var used = ~region.pointee.freeSpans
      while used != 0 {
        let span = region.span(used.trailingZeroBitCount)
        used &= used &- 1
        usedSpans += 1
        live += Int(span.pointee.live)
        if span.pointee.live == 0 { fatalError("An empty span was kept") }
        let hasRoom = span.pointee.free != nil || span.pointee.bump <= span.pointee.limit
        if hasRoom && !span.pointee.isListed { fatalError("A span with room is not listed") }
        if span.pointee.version > region.pointee.version { fatalError("A region is older than its span") }
        var freeCount = 0
        var free = span.pointee.free
        while let block = free {
          if block.blockBirth != 0 { fatalError("A free block has a birth") }
          freeCount += 1
          free = block.load(fromByteOffset: 16, as: Block?.self)
        }
        let slots = Int((span.pointee.bump - span.firstOffset) / span.pointee.size)
        if slots != freeCount + Int(span.pointee.live) { fatalError("A span lost a block") }
      }
    }
    if usedSpans != spanCount { fatalError("spanCount is wrong") }
    var returned = 0
    for region in regions {
      if region.pointee.returnedSpans & ~region.pointee.freeSpans != 0 { fatalError("A used span was given back") }
      returned += region.pointee.returnedSpans.nonzeroBitCount
    }
    if returned != returnedSpanCount { fatalError("returnedSpanCount is wrong") }
    var large = largeBlocks
    var birth = UInt64.max
    while let current = large {
      if current.block.blockBirth > birth { fatalError("Large blocks are out of order") }
      birth = current.block.blockBirth
      live += 1
      large = current.pointee.next
    }
    if live != allocatedBlockCount { fatalError("The spans count other blocks") }
  }
}
