internal import FirnEngine

extension ByteReader {
  /// Passes the cells of a column that is no collection, or the elements of one, checking them.
  mutating func skipCells(_ format: CellFormat, count: Int) throws(DecodingError) {
    var valueCount = count
    if format.hasNulls { valueCount -= try readBits(count) }
    switch format.type {
    case .bool: _ = try readBits(valueCount)
    case .int: for _ in 0..<valueCount { _ = try readVarint() }
    case .link:
      for _ in 0..<valueCount {
        let value = try readVarint()
        if value > 1 << 40 { throw error("A link to key \(value - 1)") }
        if value == 0, !format.hasNullLinks { throw error("A null among the links of a list or set") }
      }
    case .string: for _ in 0..<valueCount { try skipText() }
    case .mixed: for _ in 0..<valueCount { try skipMixed() }
    case .data: for _ in 0..<valueCount { _ = try readBytes(readCount(max: Self.valueByteCountMax)) }
    case .float, .double, .date, .objectID, .uuid, .decimal128:
      let (byteCount, overflows) = valueCount.multipliedReportingOverflow(by: format.type.width)
      if overflows { throw error("\(valueCount) cells") }
      _ = try readBytes(byteCount)
    }
  }

  /// Passes one collection and returns how many elements are given.
  mutating func skipCollection(
    _ element: CellFormat, _ kind: CollectionKind, allowsDeltas: Bool
  ) throws(DecodingError) -> Int {
    var keyCount = 0
    var cellCount = 0
    switch try readByte() {
    case 0:
      cellCount = try readElementCount()
      keyCount = cellCount
    case 1 where allowsDeltas:
      for _ in 0..<(try readCount()) {
        let run = try readVarint()
        if run < 4 || run >> 2 > UInt64(Self.elementCountMax) { throw error("A run of \(run >> 2) elements") }
        // Only touched (1) and inserted (3) elements have cells, and only inserted ones have keys.
        let count = Int(run >> 2)
        if run & 1 != 0 { cellCount += count }
        if run & 3 == 3 { keyCount += count }
        if run & 3 == 1, kind == .set { throw error("Touched elements of a set") }
        if cellCount > Self.elementCountMax { throw error("A collection of \(cellCount) elements") }
      }
    case let form: throw error("A collection of form \(form)")
    }
    if kind == .map { for _ in 0..<keyCount { try skipText() } }
    try skipCells(element, count: cellCount)
    return cellCount
  }

  private mutating func readElementCount() throws(DecodingError) -> Int {
    let count = try readVarint()
    if count > UInt64(Self.elementCountMax) { throw error("A collection of \(count) elements") }
    return Int(count)
  }

  /// Reads bits and returns how many are set. Those that fill up the last byte must be zero.
  private mutating func readBits(_ count: Int) throws(DecodingError) -> Int {
    let start = offset
    let bytes = try readBytes(count / 8 + (count & 7 == 0 ? 0 : 1))
    var set = 0
    for byte in bytes { set += byte.nonzeroBitCount }
    if count & 7 != 0, let last = bytes.last, last >> UInt8(count & 7) != 0 {
      throw DecodingError("Bits behind the last of \(count)", offset: start)
    }
    return set
  }

  private mutating func skipText() throws(DecodingError) {
    let start = offset
    let bytes = try readBytes(readCount(max: Self.valueByteCountMax))
    if !bytes.isUTF8 { throw DecodingError("A text is not UTF-8", offset: start) }
  }

  private mutating func skipMixed() throws(DecodingError) {
    let start = offset
    let bytes = try readBytes(readCount(max: Self.valueByteCountMax))
    if !MixedBytes.isValid(bytes) { throw DecodingError("A mixed value of no known form", offset: start) }
  }

  /// The longest string or data value that the engine keeps.
  private static var valueByteCountMax: Int { Int(Int32.max) }

  /// The most elements that the engine counts in a collection.
  static var elementCountMax: Int { Int(Int32.max) }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are well-formed UTF-8. Takes ASCII eight bytes at a time.
  var isUTF8: Bool {
    var index = 0
    while index &+ 8 <= count, loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      index &+= 8
    }
    while index < count, self[index] < 0x80 { index &+= 1 }
    if index == count { return true }
    let rest = UnsafeBufferPointer(
      start: baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self) + index, count: count &- index)
    return (try? UTF8Span(validating: rest.span)) != nil
  }
}
