internal import FirnEngine

extension ColumnChunk {
  /// At least the raw bytes that a block of these rows takes, and what it takes in memory.
  var byteCount: Int {
    switch values {
    case .bits: rowCount / 8
    case .ints: rowCount * 8
    case .fixed(_, let bytes): bytes.count
    case .bytes(let strings): strings.bytes.count + rowCount * 4
    case .dictionary: rowCount * 4
    case .lists(_, let elements): elements.byteCount + rowCount * 4
    case .maps(_, let keys, let values):
      keys.bytes.count + keys.lengths.count * 4 + values.byteCount + rowCount * 4
    }
  }

  /// Some of the rows.
  ///
  /// - Complexity: O(values up to the last of the rows).
  func rows(_ range: Range<Int>) -> ColumnChunk {
    let nulls = nulls.map { Self.bits($0, range) }
    let values: ColumnValues
    switch self.values {
    case .bits(let words): values = .bits(Self.bits(words, range))
    case .ints(let numbers): values = .ints(Array(numbers[range]))
    case .fixed(let width, let bytes):
      values = .fixed(width: width, Array(bytes[(range.lowerBound * width)..<(range.upperBound * width)]))
    case .bytes(let strings): values = .bytes(strings.rows(range))
    case .dictionary(let places): values = .dictionary(Array(places[range]))
    case .lists(let counts, let elements):
      values = .lists(counts: Array(counts[range]), elements: elements.rows(Self.elements(of: range, counts)))
    case .maps(let counts, let keys, let elements):
      let entries = Self.elements(of: range, counts)
      values = .maps(counts: Array(counts[range]), keys: keys.rows(entries), values: elements.rows(entries))
    }
    return ColumnChunk(rowCount: range.count, nulls: nulls, values: values)
  }

  /// Where the elements of some of the rows are among all.
  private static func elements(of range: Range<Int>, _ counts: [UInt32]) -> Range<Int> {
    let start = counts[..<range.lowerBound].reduce(0) { $0 + Int($1) }
    return start..<counts[range].reduce(start) { $0 + Int($1) }
  }

  private static func bits(_ words: [UInt64], _ range: Range<Int>) -> [UInt64] {
    var result = [UInt64](repeating: 0, count: (range.count + 63) / 64)
    for (index, row) in range.enumerated() where words[row / 64] >> UInt64(row % 64) & 1 == 1 {
      result[index / 64] |= 1 << UInt64(index % 64)
    }
    return result
  }
}

extension ByteStrings {
  /// Some of the strings.
  func rows(_ range: Range<Int>) -> ByteStrings {
    let start = lengths[..<range.lowerBound].reduce(0) { $0 + Int($1) }
    let end = lengths[range].reduce(start) { $0 + Int($1) }
    return ByteStrings(lengths: Array(lengths[range]), bytes: Array(bytes[start..<end]))
  }
}
