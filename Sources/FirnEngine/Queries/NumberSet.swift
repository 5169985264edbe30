/// A set of stored numbers: constants, or the ids of interned values that pass a test.
enum NumberSet {
  /// Not worked out: values are tested row by row.
  case open
  case none
  case one(Int64)
  /// A bit per number from the first on.
  case bits(first: Int64, [UInt64])
  case sorted([Int64])

  init(sorted entries: [Int64]) {
    guard let first = entries.first, let last = entries.last else {
      self = .none
      return
    }
    if entries.count == 1 {
      self = .one(first)
    } else if let span = Self.span(first, last), span < 64 * entries.count + 65536 {
      var bits = [UInt64](repeating: 0, count: Int((last - first) / 64 + 1))
      for entry in entries { bits[Int((entry - first) / 64)] |= 1 << UInt64((entry - first) & 63) }
      self = .bits(first: first, bits)
    } else {
      self = .sorted(entries)
    }
  }

  private static func span(_ first: Int64, _ last: Int64) -> Int? {
    let (span, overflows) = last.subtractingReportingOverflow(first)
    return overflows ? nil : Int(span)
  }

  @inline(__always)
  func contains(_ entry: Int64) -> Bool {
    switch self {
    case .open, .none: return false
    case .one(let only): return entry == only
    case .bits(let first, let bits):
      if entry < first { return false }
      let index = UInt64(bitPattern: entry &- first)
      if index &>> 6 >= bits.count { return false }
      return bits.withUnsafeBufferPointer { $0[Int(index &>> 6)] } &>> UInt64(index & 63) & 1 != 0
    case .sorted(let entries):
      return entries.withUnsafeBufferPointer { entries in
        var low = 0
        var high = entries.count
        while low < high {
          let middle = (low &+ high) / 2
          if entries[middle] < entry { low = middle &+ 1 } else { high = middle }
        }
        return low < entries.count && entries[low] == entry
      }
    }
  }
}
