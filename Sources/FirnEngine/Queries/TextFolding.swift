/// Brings text into a form in which letters that differ only in case, or only in diacritics, are the same.
///
/// Case: the lower-case mapping of each scalar, plus the final sigma. Diacritics: non-spacing marks are dropped, composed
/// letters of the Latin, Greek and Cyrillic scripts are replaced by their base letters.
enum TextFolding {
  /// The folded scalars of UTF-8 bytes; malformed ones read as U+FFFD.
  static func scalars(_ bytes: UnsafeRawBufferPointer, _ options: TextOptions) -> [UInt32] {
    var folded: [UInt32] = []
    folded.reserveCapacity(bytes.count)
    let foldsCase = options.contains(.caseInsensitive)
    if isASCII(bytes) {
      for byte in bytes { folded.append(UInt32(fold(ascii: byte, foldsCase))) }
      return folded
    }
    let dropsMarks = options.contains(.diacriticInsensitive)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let base = dropsMarks ? baseLetters[scalar.value].map { Unicode.Scalar($0).unsafelyUnwrapped } ?? scalar : scalar
      if dropsMarks, base.value >= 0x300, base.properties.generalCategory == .nonspacingMark { continue }
      if !foldsCase {
        folded.append(base.value)
      } else if base.value < 0x80 {
        folded.append(base.value &- 65 < 26 ? base.value | 0x20 : base.value)
      } else if base.value == 0x3C2 {
        folded.append(0x3C3)
      } else {
        for lower in base.properties.lowercaseMapping.unicodeScalars {
          if dropsMarks, lower.properties.generalCategory == .nonspacingMark { continue }
          folded.append(lower.value)
        }
      }
    }
    return folded
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  @inline(__always)
  private static func fold(ascii byte: UInt8, _ foldsCase: Bool) -> UInt8 {
    foldsCase && byte &- 65 < 26 ? byte | 0x20 : byte
  }

  /// Folds bytes if all are ASCII; returns whether they are.
  static func fold(
    ascii source: UnsafeRawPointer, _ count: Int, _ foldsCase: Bool, into target: UnsafeMutableRawPointer
  ) -> Bool {
    var all: UInt8 = 0
    var index = 0
    while index < count {
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      all |= byte
      target.storeBytes(of: fold(ascii: byte, foldsCase), toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
    return all < 0x80
  }

  /// From composed letters to their base letters.
  ///
  /// The standard library offers no decomposition, but its strings compare by canonical equivalence: so all
  /// combinations of letters and marks are formed, and those equal to a composed letter tell what it consists of.
  private static let baseLetters: [UInt32: UInt32] = {
    let ranges: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF, 0x212A...0x212B]
    // Several scalars may be canonically equal and so share a string.
    var composed: [String: [UInt32]] = [:]
    var letters: [(composed: Unicode.Scalar, base: UInt32)] = []
    for range in ranges {
      for value in range {
        let scalar = Unicode.Scalar(value).unsafelyUnwrapped
        if scalar.properties.isAlphabetic { composed[String(scalar), default: []].append(value) }
      }
    }
    for value in Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0xC6...0xFE) + Array(0x370...0x45F) {
      letters.append((Unicode.Scalar(UInt32(value)).unsafelyUnwrapped, UInt32(value)))
    }
    var bases: [UInt32: UInt32] = [:]
    // Up to three marks on a letter.
    for _ in 0..<3 {
      var found: [(composed: Unicode.Scalar, base: UInt32)] = []
      for letter in letters {
        for mark in UInt32(0x300)...0x345 {
          var string = String(letter.composed)
          string.unicodeScalars.append(Unicode.Scalar(mark).unsafelyUnwrapped)
          for value in composed[string] ?? [] where bases[value] == nil {
            bases[value] = letter.base
            found.append((Unicode.Scalar(value).unsafelyUnwrapped, letter.base))
          }
        }
      }
      letters = found
    }
    for (value, base) in bases {
      if let further = bases[base] { bases[value] = further }
    }
    return bases
  }()
}
