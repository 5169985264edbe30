internal import FirnEngine

extension ColumnChunk {
  /// At least the raw bytes that a block of these rows takes, and what it takes in memory.
  var byteCount: Int {
    switch values {
    case .bits: (rowCount + 7) / 8
    case .ints: rowCount * 8
    case .fixed(_, let bytes): bytes.count
    case .bytes(let strings): strings.bytes.count + rowCount * 4
    case .dictionary: rowCount * 4
    case .lists(_, let elements): elements.byteCount + rowCount * 4
    case .maps(_, let keys, let values):
      keys.bytes.count + keys.lengths.count * 4 + values.byteCount + rowCount * 4
    }
  }

  /// The elements of all collections.
  var elementCount: Int {
    switch values {
    case .lists(_, let elements): elements.rowCount
    case .maps(_, _, let values): values.rowCount
    case .bits, .ints, .fixed, .bytes, .dictionary: 0
    }
  }

  /// Some of the elements of the only row's collection, as that of a row.
  ///
  /// - Complexity: O(elements up to the last of them).
  func elements(_ range: Range<Int>) -> ColumnChunk {
    let counts = [UInt32(range.count)]
    switch values {
    case .lists(_, let elements):
      return ColumnChunk(rowCount: 1, values: .lists(counts: counts, elements: elements.rows(range)))
    case .maps(_, let keys, let values):
      return ColumnChunk(
        rowCount: 1, values: .maps(counts: counts, keys: keys.rows(range), values: values.rows(range)))
    case .bits, .ints, .fixed, .bytes, .dictionary: fatalError("Single values have no elements.")
    }
  }

  /// The collection of one row whose elements stand in several chunks, at least one, of a row each. Nil when they are
  /// not of one kind, or too many together.
  ///
  /// - Complexity: O(elements), however many chunks there are.
  static func joined(_ parts: [ColumnChunk]) -> ColumnChunk? {
    if parts.count == 1 { return parts[0] }
    var counts: [UInt32] = []
    var keys = ByteStrings()
    var elements: [ColumnChunk] = []
    for part in parts {
      switch part.values {
      case .lists(let count, let values):
        counts += count
        elements.append(values)
      case .maps(let count, let names, let values):
        counts += count
        keys.lengths += names.lengths
        keys.bytes += names.bytes
        elements.append(values)
      default: return nil
      }
    }
    let sum = counts.reduce(0 as UInt64) { $0 + UInt64($1) }
    guard counts.count == parts.count, sum <= UInt64(Int32.max), let all = concatenated(elements) else { return nil }
    guard case .maps = parts[0].values else {
      return keys.lengths.isEmpty ? ColumnChunk(rowCount: 1, values: .lists(counts: [UInt32(sum)], elements: all)) : nil
    }
    if keys.lengths.count != all.rowCount { return nil }
    return ColumnChunk(rowCount: 1, values: .maps(counts: [UInt32(sum)], keys: keys, values: all))
  }

  /// The rows of single values of several chunks. Nil when they are not of one kind.
  private static func concatenated(_ chunks: [ColumnChunk]) -> ColumnChunk? {
    var all = chunks[0]
    all.rowCount = chunks.reduce(0) { $0 + $1.rowCount }
    if chunks.contains(where: { $0.nulls != nil }) {
      var nulls = BitsInTheMaking(capacity: all.rowCount)
      for chunk in chunks {
        nulls.append(chunk.nulls ?? [UInt64](repeating: 0, count: (chunk.rowCount + 63) / 64), count: chunk.rowCount)
      }
      all.nulls = nulls.words
    }
    switch chunks[0].values {
    case .bits:
      var bits = BitsInTheMaking(capacity: all.rowCount)
      for chunk in chunks {
        guard case .bits(let words) = chunk.values else { return nil }
        bits.append(words, count: chunk.rowCount)
      }
      all.values = .bits(bits.words)
    case .ints:
      var numbers: [Int64] = []
      for chunk in chunks {
        guard case .ints(let added) = chunk.values else { return nil }
        numbers += added
      }
      all.values = .ints(numbers)
    case .fixed(let width, _):
      var bytes: [UInt8] = []
      for chunk in chunks {
        guard case .fixed(width: width, let added) = chunk.values else { return nil }
        bytes += added
      }
      all.values = .fixed(width: width, bytes)
    case .bytes:
      var strings = ByteStrings()
      for chunk in chunks {
        guard case .bytes(let added) = chunk.values else { return nil }
        strings.lengths += added.lengths
        strings.bytes += added.bytes
      }
      all.values = .bytes(strings)
    case .dictionary, .lists, .maps: return nil
    }
    return all
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
    let first = range.lowerBound / 64
    let shift = UInt64(range.lowerBound % 64)
    let count = (range.count + 63) / 64
    return words.withUnsafeBufferPointer { words in
      var result = [UInt64](repeating: 0, count: count)
      var index = 0
      while index < count {
        var word = words[first + index] >> shift
        if shift > 0, first + index + 1 < words.count { word |= words[first + index + 1] << (64 - shift) }
        result[index] = word
        index += 1
      }
      if range.count % 64 != 0 { result[count - 1] &= UInt64.max >> UInt64(64 - range.count % 64) }
      return result
    }
  }
}

/// Bits that are put one behind the other. Those after the last are zero.
private struct BitsInTheMaking {
  private(set) var words: [UInt64] = []
  private var count = 0

  init(capacity: Int) { words.reserveCapacity((capacity + 63) / 64) }

  mutating func append(_ added: [UInt64], count addedCount: Int) {
    let shift = UInt64(count % 64)
    count += addedCount
    if shift == 0 {
      words += added
      return
    }
    for word in added {
      words[words.count - 1] |= word << shift
      words.append(word >> (64 - shift))
    }
    words.removeLast(words.count - (count + 63) / 64)
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
