internal import Glibc

extension BlockStore {
  /// Takes over all blocks and memory of another store, which is empty afterwards.
  ///
  /// So a graph can be built by several threads, each with a store of its own. Neither store may have retired blocks, and
  /// both must write the same version.
  ///
  /// - Complexity: O(regions + spans with room + large blocks of `other`).
  package func adopt(_ other: BlockStore) {
    if other === self { fatalError("A store cannot adopt itself") }
    if other.version != version || !other.retired.isEmpty || !retired.isEmpty {
      fatalError("Only stores that write the same first version can be joined")
    }
    allocatedByteCount += other.allocatedByteCount
    allocatedBlockCount += other.allocatedBlockCount
    copiedBlockCount += other.copiedBlockCount
    spanCount += other.spanCount
    returnedSpanCount += other.returnedSpanCount - (other.spareRegion?.pointee.returnedSpans.nonzeroBitCount ?? 0)
    largeByteCount += other.largeByteCount
    other.allocatedByteCount = 0
    other.allocatedBlockCount = 0
    other.copiedBlockCount = 0
    other.spanCount = 0
    other.returnedSpanCount = 0
    other.largeByteCount = 0
    adoptSpans(of: other)
    adoptRegions(of: other)
    adoptLargeBlocks(of: other)
  }

  private func adoptSpans(of other: BlockStore) {
    for sizeClass in 0..<SizeClasses.count {
      guard let first = other.spans[sizeClass] else { continue }
      var last = first
      while let next = last.pointee.next { last = next }
      last.pointee.next = spans[sizeClass]
      spans[sizeClass]?.pointee.previous = last
      spans[sizeClass] = first
      other.spans[sizeClass] = nil
    }
  }

  private func adoptRegions(of other: BlockStore) {
    for region in other.regions where region != other.spareRegion {
      region.pointee.position = regions.count
      regions.append(region)
    }
    other.spareRegion?.unmap()
    if let first = other.openRegions {
      var last = first
      while let next = last.pointee.next { last = next }
      last.pointee.next = openRegions
      openRegions?.pointee.previous = last
      openRegions = first
    }
    other.regions = []
    other.openRegions = nil
    other.spareRegion = nil
  }

  private func adoptLargeBlocks(of other: BlockStore) {
    guard let first = other.largeBlocks else { return }
    var last = first
    while let next = last.pointee.next { last = next }
    last.pointee.next = largeBlocks
    largeBlocks?.pointee.previous = last
    largeBlocks = first
    other.largeBlocks = nil
  }
}
