import Testing

@testable import FirnEngine

@Suite struct UTF8CheckTests {
  private func isValid(_ bytes: [UInt8]) -> Bool {
    UTF8Check.isValid(ByteStrings(lengths: [UInt32(bytes.count)], bytes: bytes))
  }

  /// Compared with the standard library: all sequences of two bytes, and random ones that are nearly right.
  @Test func agreesWithTheStandardLibrary() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second]
        #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
      }
    }
    var random = SeededGenerator(11)
    for _ in 0..<20_000 {
      var bytes: [UInt8] = Array(repeating: 0x61, count: random.below(70))
      let scalar = Unicode.Scalar(UInt32(random.below(0x11_0000))) ?? "x"
      bytes += Array(String(Character(scalar)).utf8)
      bytes += Array(repeating: 0x62, count: random.below(3))
      if random.chance(60) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
      if random.chance(20) { bytes.removeLast() }
      #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }

  @Test func stringsThatAreValidOnlyTogetherAreRefused() {
    let snow = Array("雪".utf8)
    #expect(UTF8Check.isValid(ByteStrings(lengths: [0, 3, 0], bytes: snow)))
    #expect(!UTF8Check.isValid(ByteStrings(lengths: [1, 2], bytes: snow)))
    #expect(!UTF8Check.isValid(ByteStrings(lengths: [2, 0, 1], bytes: snow)))
  }
}
