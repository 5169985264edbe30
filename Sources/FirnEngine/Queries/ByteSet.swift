/// Byte strings to find others among: a hash table with open addressing, at most half full. Never changes.
///
/// Each place holds the upper half of a hash and, plus one, the number of a string; 0 is free.
struct ByteSet: @unchecked Sendable {
  // The memory belongs to the predicate that the set is part of; nothing changes after it was made.

  private let places: UnsafeMutablePointer<UInt64>
  private let mask: Int
  private let strings: UnsafeMutablePointer<UnsafeRawBufferPointer>
  private(set) var count = 0
  /// New in each process, so that nobody can choose strings that collide.
  private static let seed = HashSeed(.random(in: 0 ... .max), .random(in: 0 ... .max))

  /// - Parameter values: The strings; repeats are dropped.
  init(_ values: [[UInt8]], memory: QueryMemory) {
    var capacity = 16
    while capacity < 2 * values.count { capacity *= 2 }
    mask = capacity - 1
    places = memory.copy([UInt64](repeating: 0, count: capacity))
    strings = memory.copy(memory.copyAll(values))
    for index in 0..<values.count where !contains(strings[index]) {
      strings[count] = strings[index]
      insert(count)
      count += 1
    }
  }

  subscript(index: Int) -> UnsafeRawBufferPointer { strings[index] }

  /// - Complexity: O(1) on average, plus the length of the bytes.
  @inline(__always)
  func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let hash = hash(bytes)
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = places[place]
      if entry == 0 { return false }
      if entry &>> 32 == hash &>> 32 {
        let candidate = strings[Int(truncatingIfNeeded: entry & 0xffff_ffff) &- 1]
        if candidate.count == bytes.count, compareBytes(candidate, bytes) == 0 { return true }
      }
      place = (place &+ 1) & mask
    }
  }

  private func insert(_ index: Int) {
    let hash = hash(strings[index])
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = (hash & ~0xffff_ffff) | UInt64(index + 1)
  }

  @inline(__always)
  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else { return 0 }
    return Self.seed.hash(bytes: start, count: bytes.count)
  }
}
