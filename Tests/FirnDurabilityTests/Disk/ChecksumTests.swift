import CFirn
import Testing

@Suite struct ChecksumTests {
  private func bitwise(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
    }
    return ~crc
  }

  @Test func givesTheCheckValue() {
    let digits = Array("123456789".utf8)
    #expect(firn_crc32c(0, digits, 9) == 0xE306_9283)
    #expect(firn_crc32c_portable(0, digits, 9) == 0xE306_9283)
    #expect(firn_crc32c(0, digits, 0) == 0)
  }

  @Test func isTheSameWithAndWithoutTheInstruction() {
    var random = SeededRandom.printed("checksum")
    for count in [0, 1, 7, 8, 9, 255, 767, 768, 769, 3_000, 12_287, 12_288, 12_289, 13_056, 100_000] {
      let bytes = (0...count).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.withUnsafeBytes { buffer in
        // An odd address as well.
        for start in [0, 1] where start <= count {
          let address = buffer.baseAddress! + start
          let expected = bitwise(Array(buffer[start..<count]))
          #expect(firn_crc32c(0, address, count - start) == expected, "\(count)")
          #expect(firn_crc32c_portable(0, address, count - start) == expected, "\(count)")
        }
      }
    }
  }

  @Test func goesOnWhereItStopped() {
    var random = SeededRandom.printed("checksum")
    let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = firn_crc32c(0, bytes, bytes.count)
    for _ in 0..<50 {
      let cut = random.below(bytes.count)
      let front = firn_crc32c(0, bytes, cut)
      bytes.withUnsafeBytes {
        #expect(firn_crc32c(front, $0.baseAddress! + cut, bytes.count - cut) == whole, "cut at \(cut)")
      }
    }
  }
}
