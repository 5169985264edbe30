import FirnEngine
import TestSupport
import Testing

@Suite("Numbers sorted by radix")
struct RadixSortTests {
  @Test("the same as any sort", arguments: [0, 1, 2, 511, 512, 513, 5000, 100_000])
  func againstSort(count: Int) {
    var random = SeededRandom.printed("againstSort \(count)")
    for kind in 0..<6 {
      var codes = (0..<count).map { index -> UInt64 in
        switch kind {
        case 0: random.next()
        case 1: random.next() % 3
        case 2: UInt64(index)
        case 3: UInt64(count - index) << 40
        case 4: random.next() & 0xFF00_FF00_0000_00FF
        default: .max
        }
      }
      var spare = codes
      let expected = codes.sorted()
      codes.withUnsafeMutableBufferPointer { codes in
        spare.withUnsafeMutableBufferPointer { RadixSort.sort(codes, using: $0) }
      }
      #expect(codes == expected)
    }
  }
}
