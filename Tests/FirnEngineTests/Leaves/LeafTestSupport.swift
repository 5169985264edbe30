import FirnEngine
import Glibc

/// SplitMix64: small, and the same everywhere, so that a printed seed repeats a failure.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// Values that end where a page ends and the next one cannot be read: reading one byte too many stops the test.
final class GuardedValues<T: BitwiseCopyable> {
  let start: UnsafeMutablePointer<T>
  private let pages: UnsafeMutableRawPointer
  private let pageBytes: Int

  /// `leading` values before `start` are readable zeros.
  init(_ values: [T], leadingBytes: Int = 0) {
    let bytes = values.count * MemoryLayout<T>.stride + leadingBytes
    pageBytes = (bytes + 4096) / 4096 * 4096
    pages = mmap(nil, pageBytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    mprotect(pages + pageBytes, 4096, PROT_NONE)
    start = (pages + pageBytes - values.count * MemoryLayout<T>.stride).bindMemory(to: T.self, capacity: values.count)
    for (index, value) in values.enumerated() { start[index] = value }
  }

  deinit { munmap(pages, pageBytes + 4096) }
}

/// The bits of a result mask; the words start out dirty.
func maskOf(_ body: (UnsafeMutablePointer<UInt64>) -> Void) -> [UInt64] {
  var mask: [UInt64] = [.max, .max, .max, .max]
  mask.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  return mask
}

func maskOf(_ bits: some Sequence<Bool>) -> [UInt64] {
  var mask: [UInt64] = [0, 0, 0, 0]
  for (slot, bit) in bits.enumerated() where bit { mask[slot / 64] |= 1 << UInt64(slot % 64) }
  return mask
}

func isSet(_ mask: [UInt64], _ slot: Int) -> Bool { mask[slot / 64] >> UInt64(slot % 64) & 1 == 1 }

/// Tries every position.
func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var start = 0
    while start + needle.count <= bytes.count {
      if needle.isEmpty || memcmp(bytes.baseAddress! + start, needle, needle.count) == 0 { return true }
      start += 1
    }
    return needle.isEmpty
  }
}
