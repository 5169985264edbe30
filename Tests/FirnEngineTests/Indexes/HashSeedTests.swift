import Testing

@testable import FirnEngine

@Suite struct HashSeedTests {
  let seed = HashSeed(0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321)

  @Test func sameBytesSameHashAtAnyAlignment() {
    for count in 0...80 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      var hashes: Set<UInt64> = []
      for shift in 0..<8 {
        // Exactly as long as needed: reading past the end is what the sanitizer would report.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: shift + count + 1, alignment: 8)
        defer { memory.deallocate() }
        memory[shift + count] = UInt8(shift)
        for (index, byte) in bytes.enumerated() { memory[shift + index] = byte }
        hashes.insert(seed.hash(bytes: memory.baseAddress! + shift, count: count))
      }
      #expect(hashes.count == 1, "\(count) bytes")
    }
  }

  @Test func fixedSizesAgreeWithByteStrings() {
    let bytes: [UInt8] = (0..<16).map { UInt8($0 &* 11 &+ 3) }
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress!
      #expect(seed.hash12(start) == seed.hash(bytes: start, count: 12))
      #expect(seed.hash16(start) == seed.hash(bytes: start, count: 16))
    }
  }

  @Test func everyByteAndTheLengthMatter() {
    var hashes: Set<UInt64> = []
    var inputs = 0
    for count in 0...70 {
      var bytes = [UInt8](repeating: 0, count: count)
      for position in -1..<count {
        if position >= 0 { bytes[position] = 1 }
        hashes.insert(
          bytes.withUnsafeBytes { seed.hash(bytes: $0.baseAddress ?? UnsafeRawPointer(bitPattern: 8)!, count: count) })
        inputs += 1
        if position >= 0 { bytes[position] = 0 }
      }
    }
    #expect(hashes.count == inputs)
  }

  @Test func seedsMatter() {
    let others = [
      HashSeed(0x1234_5678_9abc_def1, 0x0fed_cba9_8765_4321), HashSeed(0x1234_5678_9abc_def0, 0), HashSeed(0, 0),
    ]
    for other in others {
      #expect(other.hash(42) != seed.hash(42))
      "firn".utf8.withContiguousStorageIfAvailable { bytes in
        let start = UnsafeRawPointer(bytes.baseAddress!)
        #expect(other.hash(bytes: start, count: 4) != seed.hash(bytes: start, count: 4))
      }
    }
  }

  /// Patterns of keys that occur in practice fill the buckets of the top 12 bits and of the bits below evenly.
  @Test(arguments: [1, 8, 256, 1_000, 1 << 20, 1 << 32, 1 << 44])
  func integersSpread(stride: Int64) {
    let count = 1 << 16
    for shift: UInt64 in [52, 34] {
      var buckets = [Int](repeating: 0, count: 4_096)
      for index in 0..<count { buckets[Int((seed.hash(Int64(index) &* stride) >> shift) & 4_095)] += 1 }
      // Chi-squared with 4095 degrees of freedom: mean 4095, standard deviation 90.
      let expected = Double(count) / 4_096
      let deviation = buckets.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
      #expect(deviation < 4_095 + 6 * 90, "stride \(stride), shift \(shift)")
    }
  }
}
