/// A run of ascending keys in memory: 32-bit offsets from a base, or whole 64-bit keys.
@frozen @usableFromInline
package struct KeyChunk {
  @usableFromInline package let base: UInt64
  @usableFromInline package let keys: UnsafeRawPointer
  @usableFromInline package let count: Int
  @usableFromInline package let isWide: Bool

  @inlinable @inline(__always)
  package init(base: UInt64, keys: UnsafeRawPointer, count: Int, isWide: Bool) {
    self.base = base
    self.keys = keys
    self.count = count
    self.isWide = isWide
  }

  /// The offsets from `base`, or nil when the keys are 64 bits wide.
  @inlinable @inline(__always)
  package var offsets: UnsafePointer<UInt32>? { isWide ? nil : keys.assumingMemoryBound(to: UInt32.self) }

  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt64 {
    isWide
      ? keys.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      : base &+ UInt64(keys.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
  }

  @inlinable @inline(__always)
  package func forEach(_ body: (UInt64) -> Void) {
    var index = 0
    if isWide {
      while index < count {
        body(keys.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
        index &+= 1
      }
    } else {
      while index < count {
        body(base &+ UInt64(keys.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)))
        index &+= 1
      }
    }
  }

  /// The number of keys not above `key`.
  @inlinable
  package func upperBound(_ key: UInt64) -> Int {
    if isWide { return upperBound(key, as: UInt64.self) }
    if key < base { return 0 }
    let offset = key &- base
    return offset > UInt64(UInt32.max) ? count : upperBound(UInt32(truncatingIfNeeded: offset), as: UInt32.self)
  }

  @inlinable @inline(__always)
  func upperBound<Key: FixedWidthInteger & BitwiseCopyable>(_ key: Key, as type: Key.Type) -> Int {
    var low = 0
    var length = count
    while length > 0 {
      let half = length &>> 1
      let middle = keys.loadUnaligned(fromByteOffset: (low &+ half) &* MemoryLayout<Key>.size, as: type)
      if middle <= key {
        low = low &+ half &+ 1
        length = length &- half &- 1
      } else {
        length = half
      }
    }
    return low
  }

  @inlinable @inline(__always)
  package func dropFirst(_ dropped: Int) -> KeyChunk {
    KeyChunk(base: base, keys: keys + dropped &* (isWide ? 8 : 4), count: count &- dropped, isWide: isWide)
  }

  /// Writes all keys to `target`.
  @inlinable @inline(__always)
  package func decode(_ target: UnsafeMutablePointer<UInt64>) {
    var index = 0
    while index < count {
      target[index] = self[index]
      index &+= 1
    }
  }
}

/// Walks the keys of a `KeySet`, or of one run, chunk by chunk, ascending. Allocates nothing.
@frozen @usableFromInline
package struct KeyCursor {
  @usableFromInline var walk: LeafWalk
  @usableFromInline var run: KeyChunk?
  /// The number of keys in the whole set or run.
  @usableFromInline package let count: Int

  /// Starts at position `start` of a set.
  @inlinable @inline(__always)
  package init(_ root: UnsafeRawPointer?, from start: Int = 0) {
    walk = LeafWalk(root, from: start)
    run = nil
    count = walk.count
  }

  @inlinable @inline(__always)
  package init(run: KeyChunk) {
    walk = LeafWalk(nil, from: 0)
    self.run = run.count > 0 ? run : nil
    count = run.count
  }

  /// The next run of keys, never empty; nil at the end.
  @inlinable @inline(__always)
  package mutating func nextChunk() -> KeyChunk? {
    if let run {
      self.run = nil
      return run
    }
    guard let (leaf, skipped) = walk.next() else { return nil }
    let chunk = KeySet.chunk(leaf)
    return skipped == 0 ? chunk : chunk.dropFirst(skipped)
  }
}

/// Yields the keys of a cursor one by one.
@frozen @usableFromInline
package struct KeyIterator: IteratorProtocol, Sequence {
  @usableFromInline var cursor: KeyCursor
  @usableFromInline var chunk: KeyChunk?
  @usableFromInline var index = 0

  @inlinable @inline(__always)
  package init(_ cursor: KeyCursor) {
    self.cursor = cursor
    chunk = self.cursor.nextChunk()
  }

  @inlinable @inline(__always)
  package mutating func next() -> UInt64? {
    guard let current = chunk else { return nil }
    let key = current[index]
    index &+= 1
    if index == current.count {
      chunk = cursor.nextChunk()
      index = 0
    }
    return key
  }
}
