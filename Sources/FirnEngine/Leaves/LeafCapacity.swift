/// How many slots a leaf has room for: it grows 16 → 64 → 256, so that small tables stay small.
@usableFromInline
package enum LeafCapacity {
  /// The slots of a cluster, and so of a full leaf.
  @inlinable @inline(__always)
  package static var most: Int { 256 }

  /// The smallest capacity with room for `count` slots.
  package static func slots(for count: Int) -> Int {
    if count <= 16 { return 16 }
    if count <= 64 { return 64 }
    if count <= most { return most }
    fatalError("A leaf has at most 256 slots, not \(count)")
  }
}
