/// The ranks of byte strings in unsigned byte order.
enum ByteRanks {
  /// For each string how many different strings come before it.
  ///
  /// Sorts by the first eight bytes by radix and compares only those that agree in them.
  static func ranks(_ strings: [UnsafeRawBufferPointer]) -> [UInt64] {
    if strings.isEmpty { return [] }
    var entries: [RadixSort.Entry] = []
    entries.reserveCapacity(strings.count)
    for index in strings.indices {
      entries.append(RadixSort.Entry(code: prefix(strings[index]), index: UInt32(index)))
    }
    RadixSort.sort(&entries, bitCount: 64)
    var ranks = [UInt64](repeating: 0, count: strings.count)
    var rank: UInt64 = 0
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].code == entries[start].code { end += 1 }
      if end - start > 1 {
        entries[start..<end].sort { compareBytes(strings[Int($0.index)], strings[Int($1.index)]) < 0 }
      }
      for place in start..<end {
        if place > start,
          compareBytes(strings[Int(entries[place - 1].index)], strings[Int(entries[place].index)]) != 0
        {
          rank += 1
        }
        ranks[Int(entries[place].index)] = rank
      }
      rank += 1
      start = end
    }
    return ranks
  }

  /// The first eight bytes as a big-endian number, zeros after the end.
  private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var code: UInt64 = 0
    for index in bytes.indices { code |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
    return code
  }
}
