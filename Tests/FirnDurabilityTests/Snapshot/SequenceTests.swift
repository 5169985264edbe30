import FirnDurability
import FirnEngine
import Testing

private let elements: [SequenceShape.Element] = [
  .bits, .ints, .bytes, .fixed(width: 4), .fixed(width: 8), .fixed(width: 12), .fixed(width: 16),
]

private func encode(_ chunk: ColumnChunk) throws -> [UInt8] {
  var writer = ByteWriter()
  try SequenceEncoder().append(chunk, to: &writer)
  return writer.array()
}

private func decode(_ bytes: [UInt8], _ rowCount: Int, _ shape: SequenceShape) throws -> ColumnChunk {
  try bytes.withUnsafeBytes { try SequenceDecoder().decode($0, rowCount: rowCount, shape: shape) }
}

private func doubles(_ values: [Double]) -> ColumnChunk {
  let bytes = values.flatMap { value in withUnsafeBytes(of: value) { [UInt8]($0) } }
  return ColumnChunk(rowCount: values.count, values: .fixed(width: 8, bytes))
}

private func ints(_ values: [Int64]) -> ColumnChunk { ColumnChunk(rowCount: values.count, values: .ints(values)) }

@Suite struct SequenceTests {
  @Test func chunksOfEveryShapeComeBack() throws {
    var random = SeededRandom.printed("chunksOfEveryShapeComeBack")
    for rowCount in [0, 1, 2, 7, 8, 9, 63, 64, 65, 300] {
      for element in elements {
        for collection in [nil, .list, .map] as [CollectionKind?] {
          for isNullable in [false, true] {
            for _ in 0..<12 {
              let shape = SequenceShape(element, collection: collection)
              let chunk = random.chunk(rowCount, shape, isNullable: isNullable)
              let decoded = try decode(encode(chunk), rowCount, shape)
              try #require(decoded == chunk, "\(rowCount) rows of \(shape)")
            }
          }
        }
      }
    }
  }

  /// As much as a limit says is read, and no more.
  @Test func limitsAreTheMostThatIsRead() throws {
    func isRead(_ chunk: ColumnChunk, _ shape: SequenceShape, _ change: (inout SnapshotLimits) -> Void) throws -> Bool {
      var limits = SnapshotLimits()
      change(&limits)
      let bytes = try encode(chunk)
      let decoder = SequenceDecoder(limits: limits)
      let decoded = bytes.withUnsafeBytes { try? decoder.decode($0, rowCount: chunk.rowCount, shape: shape) }
      #expect(decoded == nil || decoded == chunk)
      return decoded != nil
    }
    let strings = ColumnChunk(rowCount: 3, values: .bytes(ByteStrings(lengths: [1, 2, 4], bytes: Array(1...7))))
    let lists = ColumnChunk(rowCount: 2, values: .lists(counts: [2, 3], elements: ints([1, 2, 3, 4, 5])))
    for (limit, isEnough) in [(0, false), (1, true), (9, true)] {
      #expect(try isRead(strings, SequenceShape(.bytes)) { $0.rawByteCountMax = 6 + limit } == isEnough)
      #expect(try isRead(lists, SequenceShape(.ints, collection: .list)) { $0.elementCountMax = 4 + limit } == isEnough)
      for (rowCountMax, elementCountMax) in [(2 + limit, 0), (0, 2 + limit)] {
        let isThere = try isRead(strings, SequenceShape(.bytes)) {
          ($0.rowCountMax, $0.elementCountMax) = (rowCountMax, elementCountMax)
        }
        #expect(isThere == isEnough)
      }
    }
  }

  /// What stands behind the last row, and counts of bytes that are wrong, are refused.
  @Test func bitsAndCountsThatMeanNothing() throws {
    for rowCount in [1, 3, 7, 9, 63, 65, 130] {
      let chunk = ColumnChunk(
        rowCount: rowCount, values: .bits(Array(repeating: 0, count: (rowCount + 63) / 64)))
      let bytes = try encode(chunk)
      for bit in rowCount % 8..<8 {
        var changed = bytes
        changed[changed.count - 1] |= 1 << UInt8(bit)
        #expect(throws: DecodingError.self, "bit \(bit) of \(rowCount) rows") {
          try decode(changed, rowCount, SequenceShape(.bits))
        }
      }
    }
    var random = SeededRandom(4)
    let shape = SequenceShape(.bytes, collection: .list)
    let chunk = random.chunk(20, shape, isNullable: false)
    let bytes = try encode(chunk)
    for place in bytes.indices {
      var changed = bytes
      changed[place] &+= 1
      #expect((try? decode(changed, 20, shape)) != chunk, "byte \(place) of \(bytes.count)")
    }
  }

  @Test func fullGroupsComeBack() throws {
    var random = SeededRandom.printed("fullGroupsComeBack")
    for element in elements {
      for _ in 0..<3 {
        let shape = SequenceShape(element)
        let chunk = random.chunk(16_384, shape, isNullable: true)
        try #require(try decode(encode(chunk), 16_384, shape) == chunk, "\(shape)")
      }
    }
  }

  @Test func numbersOfEveryWidthComeBack() throws {
    for width in 0...64 {
      let top: UInt64 = width == 64 ? .max : 1 << UInt64(width) - 1
      for base in [Int64.min, -1, 0, 1] {
        let values = [0, top, top / 2, top / 3, 0, top].map { base &+ Int64(bitPattern: $0) }
        try #require(try decode(encode(ints(values)), 6, SequenceShape(.ints)) == ints(values), "width \(width)")
        try #require(
          try decode(encode(ints(values.sorted())), 6, SequenceShape(.ints)) == ints(values.sorted()), "width \(width)")
      }
    }
  }

  @Test func sequencesTakeTheShortestForm() throws {
    func form(_ chunk: ColumnChunk) throws -> UInt8 { try encode(chunk)[0] }
    #expect(try form(ints([5, 5, 5])) == 0)
    #expect(try form(ints(Array(1_000...2_000))) == 1)
    #expect(try encode(ints(Array(0..<16_384))).count < 20)
    #expect(try form(ints([9, 1, 4])) == 0)
    #expect(try form(doubles([1, 2, 3])) == 7)
    #expect(try form(doubles([0.25, 12.34, -7.5])) == 7)
    #expect(try form(doubles([0, -0.0])) == 2)
    #expect(try form(doubles((0..<1_000).map { 1 / Double($0 + 3) })) == 3)
    let repeated = ColumnChunk(
      rowCount: 100,
      values: .bytes(ByteStrings(lengths: Array(repeating: 4, count: 100), bytes: Array(repeating: 97, count: 400))))
    #expect(try encode(repeated).count < 60)
  }

  @Test func extremeDoublesKeepEveryBit() throws {
    let odd: [Double] = [
      Double(bitPattern: 0x7ff0_0000_0000_0001), Double(bitPattern: 0xffff_ffff_ffff_ffff), .nan, .infinity, -.infinity,
      -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1p50, 0x1p53 + 2, 1e-7, 123456.789,
    ]
    for value in odd {
      for others in [[], [1.0], [0.001, 2.5], Array(repeating: value, count: 600)] {
        let chunk = doubles([value] + others)
        try #require(try decode(encode(chunk), chunk.rowCount, SequenceShape(.fixed(width: 8))) == chunk, "\(value)")
      }
    }
  }

  @Test func longStringsComeBack() throws {
    var random = SeededRandom.printed("longStringsComeBack")
    let noise = (0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let strings = ByteStrings(
      lengths: [0, 1_000_000, 0, 3, 1_000_000], bytes: noise + [1, 2, 3] + Array(repeating: 7, count: 1_000_000))
    let chunk = ColumnChunk(rowCount: 5, values: .bytes(strings))
    #expect(try decode(encode(chunk), 5, SequenceShape(.bytes)) == chunk)
  }

  @Test func nullsThatAreNoneAreLeftOut() throws {
    let chunk = ColumnChunk(rowCount: 3, nulls: [0], values: .ints([1, 2, 3]))
    #expect(try decode(encode(chunk), 3, SequenceShape(.ints)) == ints([1, 2, 3]))
  }

  @Test func shortenedSequencesThrow() throws {
    var random = SeededRandom.printed("shortenedSequencesThrow")
    for element in elements {
      for collection in [nil, .list, .map] as [CollectionKind?] {
        let shape = SequenceShape(element, collection: collection)
        let bytes = try encode(random.chunk(20, shape, isNullable: true))
        for count in bytes.indices {
          #expect(throws: DecodingError.self) { try decode(Array(bytes[..<count]), 20, shape) }
        }
        #expect(throws: DecodingError.self) { try decode(bytes + [0], 20, shape) }
      }
    }
  }

  @Test func damagedSequencesThrowOrGiveValues() throws {
    var random = SeededRandom.printed("damagedSequencesThrowOrGiveValues")
    for _ in 0..<3_000 {
      let shape = SequenceShape(
        elements[random.below(elements.count)], collection: [nil, nil, .list, .set, .map][random.below(5)])
      let rowCount = random.below(40)
      var bytes = try encode(random.chunk(rowCount, shape, isNullable: true))
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
      if let chunk = try? decode(bytes, rowCount, shape) { #expect(chunk.rowCount == rowCount) }
    }
  }

  @Test func garbageOfEveryFormThrowsOrGivesValues() throws {
    var random = SeededRandom.printed("garbageOfEveryFormThrowsOrGivesValues")
    for form in UInt8(0)...12 {
      for _ in 0..<1_000 {
        let mask: UInt8 = random.chance(50) ? 255 : 7
        let bytes = [form] + (0..<random.below(60)).map { _ in UInt8.random(in: 0...255, using: &random) & mask }
        for element in elements {
          _ = try? decode(
            bytes, random.below(20),
            SequenceShape(
              element, collection: form == 8 ? .list : form == 10 ? .map : nil))
        }
      }
    }
  }

  @Test func hugeCountsAreRefused() throws {
    // Lists of 2^31 elements each, of numbers that take no bits.
    var writer = ByteWriter()
    writer.append(UInt8(8))
    writer.append(UInt32(14))
    writer.appendSignedVarint(1 << 31)
    writer.append(UInt8(0))
    writer.appendZeros(8)
    let lists = writer.array() + [0, 0, 0] + Array(repeating: 0, count: 8)
    #expect(throws: DecodingError.self) { try decode(lists, 16_384, SequenceShape(.ints, collection: .list)) }
    var maps = lists
    maps[0] = 10
    #expect(throws: DecodingError.self) { try decode(maps, 16_384, SequenceShape(.ints, collection: .map)) }
    var strings = lists
    strings[0] = 5
    #expect(throws: DecodingError.self) { try decode(strings, 16_384, SequenceShape(.bytes)) }
    #expect(throws: DecodingError.self) { try decode(lists, -1, SequenceShape(.ints)) }
    #expect(throws: DecodingError.self) { try decode(lists, .max, SequenceShape(.ints)) }
  }

  @Test func ascendingNumbersDoNotWrap() throws {
    var writer = ByteWriter()
    writer.append(UInt8(1))
    writer.appendSignedVarint(Int64.max - 1)
    writer.appendVarint(1 as UInt64)
    writer.append(UInt8(0))
    writer.appendZeros(8)
    #expect(try decode(writer.array(), 2, SequenceShape(.ints)) == ints([.max - 1, .max]))
    #expect(throws: DecodingError.self) { try decode(writer.array(), 3, SequenceShape(.ints)) }
  }

  @Test func keysMustAscend() throws {
    func keys(_ values: [Int64]) throws -> [UInt64] {
      try encode(ints(values)).withUnsafeBytes {
        try SequenceDecoder().decodeKeys($0, rowCount: values.count, RowEstimate([], clusterByteCount: 80))
      }
    }
    #expect(try keys([0, 1, 5, 1 << 40 - 1]) == [0, 1, 5, 1 << 40 - 1])
    for bad in [[1, 1], [2, 1], [-1, 0], [1 << 40]] as [[Int64]] {
      #expect(throws: DecodingError.self) { try keys(bad) }
    }
  }
}
