/// Tells whether bytes are well-formed UTF-8 as in table 3-7 of the Unicode standard.
enum UTF8Check {
  /// Whether each of the strings, whose lengths add up to their bytes, is UTF-8.
  ///
  /// - Complexity: O(bytes); 64 at a time while they are ASCII.
  static func isValid(_ strings: ByteStrings) -> Bool {
    strings.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
      let ascii = asciiPrefix(start, bytes.count)
      if ascii == bytes.count { return true }
      guard isValid(start, bytes.count, from: ascii) else { return false }
      // All together are valid; so is each, if none starts inside of a character.
      var place = 0
      for length in strings.lengths {
        if length > 0, start[place] & 0xc0 == 0x80 { return false }
        place &+= Int(length)
      }
      return true
    }
  }

  /// Whether bytes are UTF-8.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count > 0 else { return true }
    let ascii = asciiPrefix(start, bytes.count)
    return ascii == bytes.count || isValid(start, bytes.count, from: ascii)
  }

  private static func asciiPrefix(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var index = 0
    while index &+ 64 <= count {
      var high: UInt8 = 0
      var offset = 0
      while offset < 64 {
        high |= bytes[index &+ offset]
        offset &+= 1
      }
      if high & 0x80 != 0 { break }
      index &+= 64
    }
    while index < count, bytes[index] < 0x80 { index &+= 1 }
    return index
  }

  private static func isValid(_ bytes: UnsafePointer<UInt8>, _ count: Int, from first: Int) -> Bool {
    var index = first
    while index < count {
      let lead = bytes[index]
      if lead < 0x80 {
        index &+= 1
        continue
      }
      let length: Int
      var least: UInt8 = 0x80
      var greatest: UInt8 = 0xbf
      switch lead {
      case 0xc2...0xdf: length = 2
      case 0xe0: (length, least) = (3, 0xa0)
      case 0xed: (length, greatest) = (3, 0x9f)
      case 0xe1...0xef: length = 3
      case 0xf0: (length, least) = (4, 0x90)
      case 0xf1...0xf3: length = 4
      case 0xf4: (length, greatest) = (4, 0x8f)
      default: return false
      }
      guard count &- index >= length, bytes[index &+ 1] >= least, bytes[index &+ 1] <= greatest else { return false }
      var next = 2
      while next < length {
        if bytes[index &+ next] & 0xc0 != 0x80 { return false }
        next &+= 1
      }
      index &+= length
    }
    return true
  }
}
