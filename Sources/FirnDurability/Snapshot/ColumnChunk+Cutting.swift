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

  /// Puts the collection of another chunk of one row behind that of this one. False when they are not of one kind, or too large
  /// together.
  mutating func join(_ rest: ColumnChunk) -> Bool {
    func sum(_ first: [UInt32], _ second: [UInt32]) -> [UInt32]? {
      guard first.count == 1, second.count == 1 else { return nil }
      let sum = UInt64(first[0]) + UInt64(second[0])
      return sum <= UInt64(Int32.max) ? [UInt32(sum)] : nil
    }
    let before = values
    // The arrays have one owner while they grow.
    values = .bits([])
    switch (before, rest.values) {
    case (.lists(let counts, var elements), .lists(let others, let added)):
      guard let sum = sum(counts, others), elements.append(added) else { return false }
      values = .lists(counts: sum, elements: elements)
    case (.maps(let counts, var keys, var elements), .maps(let others, let addedKeys, let added)):
      guard let sum = sum(counts, others), elements.append(added) else { return false }
      keys.lengths += addedKeys.lengths
      keys.bytes += addedKeys.bytes
      values = .maps(counts: sum, keys: keys, values: elements)
    default: return false
    }
    return true
  }

  /// Adds rows of single values. False when they are of another kind.
  private mutating func append(_ rest: ColumnChunk) -> Bool {
    if nulls != nil || rest.nulls != nil {
      func words(_ chunk: ColumnChunk) -> [UInt64] {
        chunk.nulls ?? [UInt64](repeating: 0, count: (chunk.rowCount + 63) / 64)
      }
      nulls = Self.joined(words(self), rowCount, words(rest), rest.rowCount)
    }
    let before = values
    values = .bits([])
    switch (before, rest.values) {
    case (.bits(let words), .bits(let added)):
      values = .bits(Self.joined(words, rowCount, added, rest.rowCount))
    case (.ints(var numbers), .ints(let added)):
      numbers += added
      values = .ints(numbers)
    case (.fixed(let width, var bytes), .fixed(let other, let added)) where width == other:
      bytes += added
      values = .fixed(width: width, bytes)
    case (.bytes(var strings), .bytes(let added)):
      strings.lengths += added.lengths
      strings.bytes += added.bytes
      values = .bytes(strings)
    default: return false
    }
    rowCount += rest.rowCount
    return true
  }

  /// Bits with others behind them. Bits after the last are zero.
  private static func joined(_ words: [UInt64], _ count: Int, _ added: [UInt64], _ addedCount: Int) -> [UInt64] {
    let shift = UInt64(count % 64)
    if shift == 0 { return words + added }
    var result = words
    result.reserveCapacity((count + addedCount + 63) / 64)
    for word in added {
      result[result.count - 1] |= word << shift
      result.append(word >> (64 - shift))
    }
    result.removeLast(result.count - (count + addedCount + 63) / 64)
    return result
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

extension ByteStrings {
  /// Some of the strings.
  func rows(_ range: Range<Int>) -> ByteStrings {
    let start = lengths[..<range.lowerBound].reduce(0) { $0 + Int($1) }
    let end = lengths[range].reduce(start) { $0 + Int($1) }
    return ByteStrings(lengths: Array(lengths[range]), bytes: Array(bytes[start..<end]))
  }
}
