/// A versioned hash index: from 64-bit hashes to row keys. It holds no keys; whoever looks up verifies a hit in the
/// row's own column, which it is about to read anyway.
///
/// An index is named by its root block, nil when it is empty. A root and everything below it never changes once its
/// version is published: a transaction copies the path that it changes (root, chunks, page).
///
///     root, chunk   │ header: shift = bits │ count u64 (root) │ 2^bits entries →            │   bits 0...8
///     page          │ header: shift = depth│ count u32 │ capacity u32 │ slots → │ top bits →│
///                   0                      16          20             24
///     entry         │ 1 │ bits     : 15 │ address of a chunk: 48 │
///                   │ 0 │ slots / 8: 15 │ address of a page : 48 │
///     slot          │ hash bits: 24 │ row key + 1: 40 │                      0 = free
///
/// The directory is a radix tree over the hash from its top bit down. Each chunk is an extendible-hashing directory of up
/// to 8 bits: a page of depth d, below a chunk that starts at bit b and has k bits, holds all hashes with the same top d
/// bits and owns 2^(b + k - d) neighbouring entries. A page of full depth splits by doubling its chunk, at 8 bits by
/// putting a chunk of its own in its place. So there is never a directory to double as a whole, and hashes with a long
/// common prefix cost a path of chunks, not a big directory.
///
/// A slot stores the 24 hash bits below the top 8. The bits above are given by the page's place, for pages of a depth
/// below 8 by one byte per slot behind the slots. Splitting, growing and merging therefore read no keys. No more than
/// these 32 bits take part: pages are at most 32 deep, and a lookup verifies whatever agrees in them.
///
/// Within a page: linear probing from a home that depends on the 24 bits and the capacity (any multiple of 8), at most
/// 7/8 full, growth by 1.25, removal by shifting back (no tombstones). A page with more than `pageCountMax` entries
/// splits, unless all its entries agree in the 32 bits: then it may be of any size. The capacity is part of the entry that
/// points to the page, so that a lookup does not touch the header: it reads the root (small and used by every
/// lookup, hence cached), one chunk up to some ten million entries and the line of the slot.
///
/// 8 bits per chunk instead of the 6 of other trees save a level at a million entries: 85 instead of 115 ns per random
/// lookup and 360 instead of 480 ns per insert that copies its path, although the copied chunks are bigger.
///
/// The index is a multiset: an entry that is inserted twice is there twice, each removal takes one.
@usableFromInline
package enum HashIndex {
  @usableFromInline static var chunkKind: UInt8 { 32 }
  @usableFromInline static var pageKind: UInt8 { 33 }

  /// Where entries of a chunk and slots of a page start.
  @inlinable @inline(__always)
  static var payload: Int { 24 }

  /// The bits that a full chunk resolves, which are also the top bits that slots do not store.
  @inlinable @inline(__always)
  static var chunkBits: Int { 8 }

  /// The bits that slots store together with the place of their page.
  @inlinable @inline(__always)
  static var knownBits: Int { chunkBits &+ 24 }

  /// The lowest of the bits that slots store.
  @inlinable @inline(__always)
  static var hashShift: UInt64 { UInt64(64 &- knownBits) }

  /// A page with more entries is split if it can be.
  static var pageCountMax: Int { 224 }

  /// Row keys are below this limit: 40 bits hold the key plus one.
  @inlinable @inline(__always)
  package static var rowKeyLimit: UInt64 { (1 << 40) - 1 }

  /// The number of entries.
  @inlinable @inline(__always)
  package static func count(_ root: UnsafeRawPointer?) -> Int {
    guard let root else { return 0 }
    return Int(root.load(fromByteOffset: 16, as: UInt64.self))
  }

  /// The row key for which `verify` holds, among those whose hash agrees with `hash` in the bits that the index knows.
  ///
  /// `verify` is called for false hits too (about one in 2^18 lookups at a million entries) and has to compare keys.
  @inlinable @inline(__always)
  package static func find(
    root: UnsafeRawPointer?, hash: UInt64, where verify: (_ rowKey: UInt64) -> Bool
  ) -> UInt64? {
    guard let root else { return nil }
    let entry = pageEntry(root: root, hash: hash)
    let capacity = HashIndex.capacity(entry: entry)
    let slots = address(entry: entry) + payload
    let bits = hashBits(hash)
    var index = home(bits: bits, capacity: capacity)
    while true {
      let slot = slots.load(fromByteOffset: index &<< 3, as: UInt64.self)
      if slot == 0 { return nil }
      if slot &>> 40 == bits {
        let row = (slot & rowMask) &- 1
        if verify(row) { return row }
      }
      index &+= 1
      if index == capacity { index = 0 }
    }
  }

  /// The directory entry of the page that a hash belongs to.
  @inlinable @inline(__always)
  static func pageEntry(root: UnsafeRawPointer, hash: UInt64) -> UInt64 {
    var remaining = hash
    var chunk = root
    var bits = UInt64(root.blockShift)
    while true {
      let entry = chunk.load(
        fromByteOffset: payload &+ (entryIndex(hash: remaining, bits: bits) &<< 3), as: UInt64.self)
      if entry &>> 63 == 0 { return entry }
      chunk = address(entry: entry)
      bits = (entry &>> 48) & 0x7fff
      remaining = remaining &<< UInt64(chunkBits)
    }
  }

  /// Which entry of a chunk with `bits` bits a hash selects; the hash is shifted so that the chunk's bits are on top.
  @inlinable @inline(__always)
  static func entryIndex(hash: UInt64, bits: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash &>> 1) &>> (63 &- bits))
  }

  @inlinable @inline(__always)
  static func address(entry: UInt64) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: UInt(entry & 0xffff_ffff_ffff)).unsafelyUnwrapped
  }

  /// The capacity of the page behind an entry. A page too big for the entry's field keeps it in its header only.
  @inlinable @inline(__always)
  static func capacity(entry: UInt64) -> Int {
    let eighth = Int(truncatingIfNeeded: entry &>> 48)
    if eighth == 0x7fff { return Int(address(entry: entry).load(fromByteOffset: 20, as: UInt32.self)) }
    return eighth &<< 3
  }

  /// The 24 bits of a hash that slots store.
  @inlinable @inline(__always)
  static func hashBits(_ hash: UInt64) -> UInt64 { (hash &>> hashShift) & 0xff_ffff }

  /// The bits of a hash above those that slots store.
  static func topBits(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash &>> UInt64(64 &- chunkBits)) }

  /// What is known of the hash of an entry; the bits below are 0.
  static func knownHash(slot: UInt64, topBits: UInt8) -> UInt64 {
    (UInt64(topBits) &<< UInt64(64 &- chunkBits)) | ((slot &>> 40) &<< hashShift)
  }

  @inlinable @inline(__always)
  static var rowMask: UInt64 { (1 << 40) - 1 }

  /// The slot at which the search for 24 hash bits starts.
  ///
  /// The bits are mixed once more because all entries of a deep page agree in the upper ones.
  @inlinable @inline(__always)
  static func home(bits: UInt64, capacity: Int) -> Int {
    let mixed = UInt64(UInt32(truncatingIfNeeded: bits) &* 0x9e37_79b1)
    return Int(truncatingIfNeeded: (mixed &* UInt64(truncatingIfNeeded: capacity)) &>> 32)
  }
}

/// What an index holds: a hash and the row key that it leads to.
@usableFromInline
package struct HashEntry: Equatable, Sendable, BitwiseCopyable {
  @usableFromInline package var hash: UInt64
  @usableFromInline package var row: UInt64

  @inlinable
  package init(hash: UInt64, row: UInt64) {
    self.hash = hash
    self.row = row
  }

  /// The slot of this entry. Row keys at or above the limit are a programming error.
  package var slot: UInt64 {
    guard row < HashIndex.rowKeyLimit else {
      fatalError("row key \(row) exceeds the limit of hash indexes, 2^40 - 2")
    }
    return (HashIndex.hashBits(hash) &<< 40) | (row &+ 1)
  }

  /// The top bits, which slots do not store.
  var topBits: UInt8 { HashIndex.topBits(hash) }
}
