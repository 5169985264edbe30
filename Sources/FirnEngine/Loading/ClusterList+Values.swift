// Reading columns of many clusters into arrays.
extension ClusterList {
  /// Whether every slot of a cluster holds a row.
  @inline(__always)
  static func isWhole(_ cluster: UnsafeRawPointer) -> Bool { Cluster.liveCount(cluster) == Cluster.slotCount(cluster) }

  /// Calls `body` with each slot that holds a row.
  @inline(__always)
  static func forEachSlot(_ cluster: UnsafeRawPointer, _ body: (Int) -> Void) {
    let live = Cluster.live(cluster)
    var word = 0
    while word < 4 {
      var bits = live[word]
      while bits != 0 {
        body(word &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
      word &+= 1
    }
  }

  var keys: [UInt64] {
    array { (target: UnsafeMutablePointer<UInt64>) in
      var next = target
      for cluster in clusters {
        if Self.isWhole(cluster), Cluster.offsets(cluster) == nil {
          let base = Cluster.base(cluster)
          let count = UInt64(truncatingIfNeeded: Cluster.slotCount(cluster))
          var slot: UInt64 = 0
          while slot < count {
            next[Int(truncatingIfNeeded: slot)] = base &+ slot
            slot &+= 1
          }
          next += Int(count)
        } else {
          Self.forEachSlot(cluster) { slot in
            next.pointee = Cluster.key(cluster, slot).rawValue
            next += 1
          }
        }
      }
    }
  }

  func ints(at offset: Int) -> [Int64] {
    array { (target: UnsafeMutablePointer<Int64>) in
      var next = target
      for cluster in clusters {
        let leaf = Cluster.leaf(cluster, at: offset)
        if Self.isWhole(cluster) {
          let count = Cluster.slotCount(cluster)
          IntLeaf.decode(leaf, count: count, into: next)
          next += count
        } else {
          Self.forEachSlot(cluster) { slot in
            next.pointee = IntLeaf.value(leaf, slot)
            next += 1
          }
        }
      }
    }
  }

  func fixed(at offset: Int, width: Int) -> [UInt8] {
    Array(unsafeUninitializedCapacity: rowCount * width) { buffer, count in
      count = rowCount * width
      guard var next = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      for cluster in clusters {
        let leaf = Cluster.leaf(cluster, at: offset)
        if Self.isWhole(cluster) {
          let byteCount = Cluster.slotCount(cluster) &* width
          next.copyMemory(from: leaf + FixedLeaf.valuesOffset, byteCount: byteCount)
          next += byteCount
        } else {
          Self.forEachSlot(cluster) { slot in
            next.copyMemory(from: leaf + FixedLeaf.valuesOffset + slot &* width, byteCount: width)
            next += width
          }
        }
      }
    }
  }

  /// The bits of a mask in the clusters, one per row.
  func bits(at offset: Int) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (rowCount + 63) / 64)
    words.withUnsafeMutableBufferPointer { words in
      var row = 0
      for cluster in clusters {
        let mask = Cluster.mask(cluster, at: offset)
        if Self.isWhole(cluster) {
          let count = Cluster.slotCount(cluster)
          var start = 0
          while start < count {
            let length = min(64, count &- start)
            let bits = mask[start &>> 6] & (UInt64.max &>> UInt64(64 &- length))
            words[row &>> 6] |= bits &<< UInt64(row & 63)
            if row & 63 &+ length > 64 { words[row &>> 6 &+ 1] |= bits &>> UInt64(64 &- row & 63) }
            row &+= length
            start &+= 64
          }
        } else {
          Self.forEachSlot(cluster) { slot in
            if Cluster.bit(cluster, offset, slot) { words[row &>> 6] |= 1 &<< UInt64(row & 63) }
            row &+= 1
          }
        }
      }
    }
    return words
  }

  /// - Parameter nulls: Rows whose value is left out, whatever the leaves hold below the null mask.
  func bytes(at offset: Int, nulls: [UInt64]?) -> ByteStrings {
    var byteCount = 0
    let lengths = array { (target: UnsafeMutablePointer<UInt32>) in
      var next = target
      for cluster in clusters {
        let leaf = Cluster.leaf(cluster, at: offset)
        if Self.isWhole(cluster), leaf.blockShift == 1 {
          let count = Cluster.slotCount(cluster)
          BytesLeaf.narrowLengths(leaf, count: count, into: next)
          next += count
        } else {
          Self.forEachSlot(cluster) { slot in
            next.pointee = UInt32(truncatingIfNeeded: BytesLeaf.bytes(leaf, slot).count)
            next += 1
          }
        }
      }
      nulls?.forEachBit { target[$0] = 0 }
      var row = 0
      while row < rowCount {
        byteCount &+= Int(target[row])
        row &+= 1
      }
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      count = byteCount
      guard var next = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      var row = 0
      for cluster in clusters {
        let leaf = Cluster.leaf(cluster, at: offset)
        if Self.isWhole(cluster), leaf.blockShift == 1, nulls == nil {
          let length = BytesLeaf.end(leaf, Cluster.slotCount(cluster) &- 1)
          next.copyMemory(from: BytesLeaf.arena(leaf), byteCount: length)
          next += length
          row &+= Cluster.slotCount(cluster)
        } else {
          Self.forEachSlot(cluster) { slot in
            let length = Int(lengths[row])
            row &+= 1
            if length == 0 { return }
            next.copyMemory(from: BytesLeaf.bytes(leaf, slot).baseAddress.unsafelyUnwrapped, byteCount: length)
            next += length
          }
        }
      }
    }
    return ByteStrings(lengths: lengths, bytes: bytes)
  }

  /// An array of one element per row, filled by `body`.
  private func array<Element: BitwiseCopyable>(_ body: (UnsafeMutablePointer<Element>) -> Void) -> [Element] {
    if rowCount == 0 { return [] }
    return Array(unsafeUninitializedCapacity: rowCount) { buffer, count in
      body(buffer.baseAddress.unsafelyUnwrapped)
      count = rowCount
    }
  }
}

extension BytesLeaf {
  /// The lengths of the first values of a leaf with ends of two bytes.
  static func narrowLengths(_ leaf: UnsafeRawPointer, count: Int, into lengths: UnsafeMutablePointer<UInt32>) {
    let ends = (leaf + endsOffset).assumingMemoryBound(to: UInt16.self)
    lengths[0] = UInt32(ends[0])
    var index = 1
    while index < count {
      lengths[index] = UInt32(ends[index] &- ends[index &- 1])
      index &+= 1
    }
  }
}
