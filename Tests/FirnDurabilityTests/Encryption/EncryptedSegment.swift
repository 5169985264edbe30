#if Encryption
  import CFirn

  /// The bytes of a segment, mostly an encrypted one, taken apart by the format page.
  struct EncryptedSegment {
    var bytes: [UInt8]

    /// The places of the frames.
    var frames: [Range<Int>] {
      var frames: [Range<Int>] = []
      var offset = bytes[10] & 1 == 0 ? 96 : 112
      while offset + 88 <= bytes.count, number(offset) == 0x314D_5246 {
        frames.append(offset..<offset + Int(number(offset + 8)))
        offset = frames[frames.count - 1].upperBound
      }
      return frames
    }

    subscript(frame: Range<Int>) -> [UInt8] {
      get { Array(bytes[frame]) }
      set { bytes.replaceSubrange(frame, with: newValue) }
    }

    /// Where the sealed bytes of a frame are, with their tag.
    func content(_ frame: Range<Int>) -> Range<Int> {
      let count = [68, 72, 76].reduce(16) { $0 + Int(number(frame.lowerBound + $1)) }
      return frame.lowerBound + 80..<frame.lowerBound + 80 + count
    }

    /// Gives the header and every frame the checksums and chain values that fit.
    mutating func mend() {
      set(92, Self.crc(bytes[..<92]))
      let salt = Self.crc(bytes[48..<64])
      for frame in frames {
        set(frame.lowerBound + 64, Self.crc(bytes[..<frame.lowerBound]))
        set(frame.upperBound - 4, Self.crc(bytes[frame.lowerBound..<frame.upperBound - 4], salt))
      }
    }

    func number(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
    }

    private mutating func set(_ offset: Int, _ value: UInt32) {
      for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 * place)) }
    }

    static func crc(_ bytes: ArraySlice<UInt8>, _ start: UInt32 = 0) -> UInt32 {
      bytes.withUnsafeBytes { firn_crc32c(start, $0.baseAddress, $0.count) }
    }
  }
#endif
