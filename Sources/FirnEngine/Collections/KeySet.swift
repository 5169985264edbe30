/// A persistent sorted multiset of row keys: the posting list of an indexed value, the many sources of one link target.
///
/// A counted B+tree on raw blocks. The root pointer is the whole set, nil the empty one. Branches have 64 children, see
/// `Branch`; a leaf holds its keys as 32-bit offsets from a base while they span less than 2^32, else as 64-bit keys:
///
///     ┌────────┬───────┬───────┬────────┬───────────────────────────┐
///     │ header │ count │   -   │ base   │ keys, ascending →    free │
///     └────────┴───────┴───────┴────────┴───────────────────────────┘
///     0        16      20      24       32
///
/// `shift` is 2 (up to 504 offsets) or 3 (up to 252 keys, base 0): a full leaf is a block of 2 KB. A leaf of keys
/// below 2^32 has base 0.
/// Small sets are one small leaf: room grows 8, 16, 32 … keys.
///
/// Ascending inserts fill leaves to the brim. Equal keys lie next to each other, possibly in several leaves. All
/// operations on one key are O(log n). The writer copies a node that it does not own once and then changes it in place;
/// readers may use any root of a version that they hold.
@usableFromInline
package enum KeySet {
  @inlinable @inline(__always)
  package static var leafKind: UInt8 { 16 }
  @inlinable @inline(__always)
  package static var narrowMax: Int { 504 }
  @inlinable @inline(__always)
  package static var wideMax: Int { 252 }
  @inlinable @inline(__always)
  package static var keysOffset: Int { 32 }

  /// The number of keys, O(1).
  @inlinable @inline(__always)
  package static func count(_ root: UnsafeRawPointer?) -> Int {
    guard let root else { return 0 }
    return Branch.weight(of: root)
  }

  /// The keys of a leaf.
  @inlinable @inline(__always)
  package static func chunk(_ leaf: UnsafeRawPointer) -> KeyChunk {
    KeyChunk(
      base: leaf.load(fromByteOffset: 24, as: UInt64.self), keys: leaf + keysOffset, count: Branch.count(leaf),
      isWide: leaf.blockShift == 3)
  }

  /// The smallest key below a node.
  @inlinable @inline(__always)
  package static func firstKey(_ node: UnsafeRawPointer) -> UInt64 {
    Branch.isBranch(node) ? Branch.keys(node)[0] : chunk(node)[0]
  }

  @inlinable
  package static func contains(_ root: UnsafeRawPointer?, _ key: UInt64) -> Bool {
    guard var node = root else { return false }
    while Branch.isBranch(node) {
      node = UnsafeRawPointer(Branch.children(node)[childIndex(node, key)])
    }
    let chunk = chunk(node)
    let end = chunk.upperBound(key)
    return end > 0 && chunk[end &- 1] == key
  }

  /// The child that would hold the last occurrence of `key`. When the key is present, that child has it.
  @inlinable @inline(__always)
  package static func childIndex(_ node: UnsafeRawPointer, _ key: UInt64) -> Int {
    max(Branch.upperBound(Branch.keys(node), Branch.count(node), key) &- 1, 0)
  }

  /// The number of keys below `key`.
  @inlinable
  package static func rank(_ root: UnsafeRawPointer?, of key: UInt64) -> Int {
    guard var node = root, key > 0 else { return 0 }
    // Below `key` is the same as not above its predecessor.
    let bound = key &- 1
    var rank = 0
    while Branch.isBranch(node) {
      let child = childIndex(node, bound)
      let weights = Branch.weights(node)
      var sum = 0
      var index = 0
      while index < child {
        sum &+= Int(weights[index])
        index &+= 1
      }
      rank &+= sum
      node = UnsafeRawPointer(Branch.children(node)[child])
    }
    return rank &+ chunk(node).upperBound(bound)
  }

  /// The key at a position in ascending order.
  @inlinable
  package static func select(_ root: UnsafeRawPointer, _ index: Int) -> UInt64 {
    let (leaf, start) = Branch.leaf(of: root, holding: index)
    return chunk(leaf)[index &- start]
  }

  /// Calls `body` with every key, ascending.
  @inlinable @inline(__always)
  package static func forEach(_ root: UnsafeRawPointer?, _ body: (UInt64) -> Void) {
    var cursor = KeyCursor(root)
    while let chunk = cursor.nextChunk() { chunk.forEach(body) }
  }

  /// Gives up every block of the set.
  package static func retireAll(_ root: Block?, _ store: BlockStore) {
    guard let root else { return }
    if Branch.isBranch(root) {
      for index in 0..<Branch.count(root) { retireAll(Branch.children(root)[index], store) }
    }
    store.retire(root)
  }

  /// Traps when the structure is broken.
  package static func checkInvariants(_ root: UnsafeRawPointer?) {
    guard let root else { return }
    if Branch.isBranch(root), Branch.count(root) < 2 { fatalError("KeySet: root with a single child") }
    var last: UInt64 = 0
    Branch.check(root, kind: Branch.keyedKind) { leaf in
      let chunk = chunk(leaf)
      if leaf.blockKind != leafKind { fatalError("KeySet: not a leaf") }
      if chunk.count < 1 || chunk.count > (chunk.isWide ? wideMax : narrowMax) { fatalError("KeySet: leaf count") }
      if keysOffset + chunk.count << Int(leaf.blockShift) > leaf.blockSize { fatalError("KeySet: leaf overflows") }
      for index in 0..<chunk.count {
        if chunk[index] < last { fatalError("KeySet: keys out of order") }
        last = chunk[index]
      }
    }
  }
}
