internal import CFirn

/// Builds strings of up to 15 UTF-8 bytes from their two words, four to five times as fast as decoding.
///
/// The words are the standard library's own: the bytes in little-endian order, the top byte `0xE0 | count` if all are ASCII, else
/// `0xA0 | count`. This is no promise of the language; `check()` compares with real strings and readers decode unless it agreed.
@usableFromInline
package enum SmallString {
  /// - Precondition: `count <= 15`, eight bytes before `start` are readable, and the bytes are UTF-8.
  @inlinable @inline(__always)
  package static func make(_ start: UnsafeRawPointer, _ count: Int) -> String {
    let lowCount = count < 8 ? count : 8
    let highCount = count &- lowCount
    // The bytes before the string are shifted out, in two halves: a shift by 64 would need a branch.
    let lowHalf = UInt64(truncatingIfNeeded: 32 &- 4 &* lowCount)
    let highHalf = UInt64(truncatingIfNeeded: 32 &- 4 &* highCount)
    let low = (start.loadUnaligned(fromByteOffset: lowCount &- 8, as: UInt64.self) &>> lowHalf) &>> lowHalf
    let high = (start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) &>> highHalf) &>> highHalf
    let ascii: UInt64 = (low | high) & 0x8080_8080_8080_8080 == 0 ? 0xe0 : 0xa0
    let top = ascii | UInt64(truncatingIfNeeded: count)
    var words = (low, high | top &<< 56)
    // Moved, not copied: a bit cast would retain and release the words as if they were a reference.
    return withUnsafeMutableBytes(of: &words) {
      $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).move()
    }
  }

  /// Compares once per process; every way to make a leaf of strings comes past here.
  @inline(__always)
  static func check() { _ = agrees }

  /// Whether built strings are bit for bit those of the standard library.
  package static let agrees: Bool = {
    guard MemoryLayout<String>.size == 16, UInt64(littleEndian: 1) == 1 else { return false }
    let characters: [[UInt8]] = [Array("a".utf8), Array("é".utf8), Array("\0".utf8), Array("雪".utf8), Array("🦊".utf8)]
    var agree = true
    for character in characters {
      for prefix in 0...15 {
        var bytes = [UInt8](repeating: 0xff, count: 8)
        bytes += [UInt8](repeating: 0x7a, count: prefix)
        while bytes.count + character.count <= 23 {
          agree = agree && isNative(bytes)
          bytes += character
        }
        agree = agree && isNative(bytes)
      }
    }
    firn_small_strings_set_agree(agree)
    return agree
  }()

  private static func isNative(_ padded: [UInt8]) -> Bool {
    let native = unsafeBitCast(String(decoding: padded.dropFirst(8), as: UTF8.self), to: (UInt64, UInt64).self)
    return padded.withUnsafeBytes { padded in
      let words = (padded.baseAddress! + 8, padded.count - 8)
      return unsafeBitCast(make(words.0, words.1), to: (UInt64, UInt64).self) == native
    }
  }
}
