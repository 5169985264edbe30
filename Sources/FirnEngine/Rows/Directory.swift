/// The way from a row key to its cluster: a radix tree over `key >> 8` with fan-out 64.
///
/// A node holds 64 child pointers and, beside them, how many rows live below each, so that the n-th row and the rank of a
/// row are found on the way down. Children of the lowest nodes are clusters. A cluster with a span above one fills
/// several entries of one node; its rows are counted at the first of them.
@usableFromInline
package enum Directory {
  package static let kind: UInt8 = 9
  @inlinable @inline(__always) package static var fanOut: Int { 64 }
  @inlinable @inline(__always) package static var countsOffset: Int { 16 + 64 * 8 }
  static var byteCount: Int { countsOffset + 64 * 4 }

  @inlinable @inline(__always)
  package static func child(_ node: UnsafeRawPointer, _ index: Int) -> UnsafeRawPointer? {
    node.load(fromByteOffset: 16 &+ index &* 8, as: UnsafeRawPointer?.self)
  }

  @inlinable @inline(__always)
  package static func count(_ node: UnsafeRawPointer, _ index: Int) -> Int {
    Int(node.load(fromByteOffset: countsOffset &+ index &* 4, as: UInt32.self))
  }

  /// The cluster that holds `key` if the row lives.
  ///
  /// - Complexity: one step per level: two up to a million rows, three up to 67 million.
  @inlinable @inline(__always)
  package static func cluster(_ table: UnsafeRawPointer, of key: UInt64) -> UnsafeRawPointer? {
    guard var node = TableRoot.top(table) else { return nil }
    let index = key &>> 8
    var shift = UInt64(TableRoot.height(table) &- 1) &* 6
    if index &>> shift > 63 { return nil }
    while shift > 0 {
      guard let next = child(node, Int(truncatingIfNeeded: index &>> shift & 63)) else { return nil }
      node = next
      shift &-= 6
    }
    return child(node, Int(truncatingIfNeeded: index & 63))
  }

  /// The cluster and slot of a living row.
  @inlinable @inline(__always)
  package static func locate(_ table: UnsafeRawPointer, _ key: UInt64) -> RowLocation? {
    guard let cluster = cluster(table, of: key), let slot = Cluster.slot(cluster, of: key) else { return nil }
    return RowLocation(cluster: cluster, slot: slot)
  }

  /// The `position`-th row in key order.
  ///
  /// - Complexity: O(log n).
  package static func select(_ table: UnsafeRawPointer, _ position: Int) -> RowLocation? {
    guard position >= 0, position < TableRoot.rowCount(table), var node = TableRoot.top(table) else { return nil }
    var remaining = position
    var level = TableRoot.height(table)
    while true {
      var index = 0
      while remaining >= count(node, index) {
        remaining -= count(node, index)
        index += 1
      }
      guard let next = child(node, index) else { fatalError("A directory counts rows that it does not lead to.") }
      node = next
      level -= 1
      if level == 0 { return RowLocation(cluster: node, slot: Cluster.slot(node, at: remaining)) }
    }
  }

  /// How many rows have a smaller key.
  ///
  /// - Complexity: O(log n).
  package static func rank(_ table: UnsafeRawPointer, _ key: UInt64) -> Int {
    guard var node = TableRoot.top(table) else { return 0 }
    let index = key &>> 8
    var shift = UInt64(TableRoot.height(table) - 1) * 6
    if index &>> shift > 63 { return TableRoot.rowCount(table) }
    var rank = 0
    while true {
      let entry = Int(index &>> shift & 63)
      if shift > 0 {
        for before in 0..<entry { rank += count(node, before) }
        guard let next = child(node, entry) else { return rank }
        node = next
        shift -= 6
        continue
      }
      guard let cluster = child(node, entry) else {
        for before in 0..<entry { rank += count(node, before) }
        return rank
      }
      for before in 0..<Int(Cluster.base(cluster) &>> 8 & 63) { rank += count(node, before) }
      return rank + Cluster.rowsBelow(cluster, key)
    }
  }
}

/// Where a living row is.
@usableFromInline
package struct RowLocation {
  @usableFromInline package let cluster: UnsafeRawPointer
  @usableFromInline package let slot: Int

  @inlinable @inline(__always)
  package init(cluster: UnsafeRawPointer, slot: Int) {
    self.cluster = cluster
    self.slot = slot
  }

  @inlinable
  package var key: RowKey { Cluster.key(cluster, slot) }
}

extension Cluster {
  /// How many living rows of the cluster have a key below `key`.
  static func rowsBelow(_ cluster: UnsafeRawPointer, _ key: UInt64) -> Int {
    guard let offsets = offsets(cluster) else {
      return key < base(cluster) ? 0 : rank(cluster, min(slotCount(cluster), Int(key - base(cluster))))
    }
    var slot = 0
    while slot < slotCount(cluster), base(cluster) + UInt64(offsets[slot]) < key { slot += 1 }
    return rank(cluster, slot)
  }
}

/// Visits the clusters of a table in key order, without allocating.
@usableFromInline
package struct ClusterCursor {
  @usableFromInline package let top: UnsafeRawPointer?
  @usableFromInline package let height: Int
  /// The directory entry to look at next, and the lowest node it lies in when that is known.
  @usableFromInline package var index: UInt64
  @usableFromInline package var node: UnsafeRawPointer?

  /// Starts at the first cluster that may hold keys at or above `key`.
  @inlinable
  package init(_ table: UnsafeRawPointer, from key: UInt64 = 0) {
    top = TableRoot.top(table)
    height = TableRoot.height(table)
    index = key &>> 8
    node = nil
  }

  @inlinable
  package mutating func next() -> UnsafeRawPointer? {
    while true {
      if node == nil {
        descend()
        if node == nil { return nil }
      }
      let node = node.unsafelyUnwrapped
      var entry = Int(truncatingIfNeeded: index & 63)
      while entry < 64 {
        if let cluster = Directory.child(node, entry) {
          let span = Cluster.span(cluster)
          let first = span == 1 ? entry : Int(truncatingIfNeeded: Cluster.base(cluster) &>> 8 & 63)
          advance(to: first &+ span)
          return cluster
        }
        entry &+= 1
      }
      advance(to: 64)
    }
  }

  @inlinable @inline(__always)
  mutating func advance(to entry: Int) {
    index = (index & ~63) &+ UInt64(truncatingIfNeeded: entry)
    if entry == 64 { node = nil }
  }

  /// Finds the lowest node that holds the first existing entry at or above `index`.
  @usableFromInline
  mutating func descend() {
    guard let top, height > 0 else { return }
    while index >> UInt64(6 * height) == 0 {
      var node = top
      var shift = UInt64(6 * (height - 1))
      while shift > 0 {
        guard let next = Directory.child(node, Int(index >> shift & 63)) else { break }
        node = next
        shift -= 6
      }
      if shift == 0 {
        self.node = node
        return
      }
      index = ((index >> shift) + 1) << shift
    }
  }
}
