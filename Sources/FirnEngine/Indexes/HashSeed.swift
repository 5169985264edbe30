/// The secret that makes hashes of one process unpredictable, and the hash functions that use it.
///
/// The engine has no randomness of its own: whoever opens a graph passes a seed in. Without a secret one, clients could
/// choose keys that collide. Hashes never leave the process, so the functions may change at any time.
///
/// All functions fold 128-bit products (as wyhash by Wang Yi does). They are well mixed in every bit, the top ones
/// included, which is what `HashIndex` relies on. The functions for 12 and 16 bytes return what `hash(bytes:count:)`
/// returns for the same bytes.
@usableFromInline
package struct HashSeed: Equatable, Sendable {
  @usableFromInline package let first: UInt64
  @usableFromInline package let second: UInt64

  /// A seed made of two words, which should be random and secret.
  @inlinable
  package init(_ first: UInt64, _ second: UInt64) {
    self.first = first ^ 0xa076_1d64_78bd_642f
    self.second = second ^ 0xe703_7ed1_a0b4_28db
  }

  /// The hash of an integer.
  @inlinable @inline(__always)
  package func hash(_ value: Int64) -> UInt64 {
    let mixed = HashSeed.fold(UInt64(bitPattern: value) ^ first, 0x9e37_79b9_7f4a_7c15)
    return HashSeed.fold(mixed ^ second, 0xd6e8_feb8_6659_fd93)
  }

  /// The hash of 12 bytes, at any alignment.
  @inlinable @inline(__always)
  package func hash12(_ bytes: UnsafeRawPointer) -> UInt64 {
    finish(HashSeed.word(bytes), HashSeed.word(bytes + 4), accumulator: first, count: 12)
  }

  /// The hash of 16 bytes, at any alignment.
  @inlinable @inline(__always)
  package func hash16(_ bytes: UnsafeRawPointer) -> UInt64 {
    finish(HashSeed.word(bytes), HashSeed.word(bytes + 8), accumulator: first, count: 16)
  }

  /// The hash of a byte string, at any alignment. Reads nothing outside of it.
  ///
  /// - Complexity: O(count), 8 bytes per step; the last words overlap the ones before instead of being padded.
  @inlinable
  package func hash(bytes: UnsafeRawPointer, count: Int) -> UInt64 {
    if count > 16 {
      var accumulator = first
      var offset = 0
      while offset &+ 16 < count {
        accumulator = HashSeed.fold(
          HashSeed.word(bytes + offset) ^ second, HashSeed.word(bytes + offset + 8) ^ accumulator)
        offset &+= 16
      }
      let tail = bytes + (count &- 16)
      return finish(HashSeed.word(tail), HashSeed.word(tail + 8), accumulator: accumulator, count: count)
    }
    if count >= 8 {
      return finish(HashSeed.word(bytes), HashSeed.word(bytes + (count &- 8)), accumulator: first, count: count)
    }
    if count >= 4 {
      let low = bytes.loadUnaligned(as: UInt32.self)
      let high = bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return finish(UInt64(low), UInt64(high), accumulator: first, count: count)
    }
    if count > 0 {
      let low = UInt64(bytes.load(as: UInt8.self))
      let middle = UInt64(bytes.load(fromByteOffset: count &>> 1, as: UInt8.self))
      let high = UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self))
      return finish((low &<< 16) | (middle &<< 8) | high, 0, accumulator: first, count: count)
    }
    return finish(0, 0, accumulator: first, count: 0)
  }

  /// The last two words and the length, which tells apart strings whose overlapping words are equal.
  @inlinable @inline(__always)
  func finish(_ low: UInt64, _ high: UInt64, accumulator: UInt64, count: Int) -> UInt64 {
    let mixed = HashSeed.fold(low ^ second, high ^ accumulator)
    return HashSeed.fold(mixed ^ 0x8ebc_6af0_9c88_c6e3, second ^ UInt64(truncatingIfNeeded: count))
  }

  /// The two halves of the 128-bit product, folded into one word.
  @inlinable @inline(__always)
  static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  @inlinable @inline(__always)
  static func word(_ bytes: UnsafeRawPointer) -> UInt64 { bytes.loadUnaligned(as: UInt64.self) }
}
