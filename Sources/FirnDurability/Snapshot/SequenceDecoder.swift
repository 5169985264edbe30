package import FirnEngine

/// Reads sequences back into chunks.
///
/// Nothing in the bytes makes it trap, and what it allots is bounded by ``SnapshotLimits`` and claimed from a budget, but for what
/// rows take at least, which is claimed beforehand. Counts are checked once per sequence, the loops inside are unchecked.
///
/// For one thread at a time.
package final class SequenceDecoder {
  let zstd = ZstdContext()
  var scratch = ByteWriter()
  private let limits: SnapshotLimits
  private let budget: ExpansionBudget

  package init(limits: SnapshotLimits = .standard, budget: ExpansionBudget = .unlimited) {
    self.limits = limits
    self.budget = budget
  }

  /// Reads a sequence that fills `bytes`. Offsets of errors count from their start.
  package func decode(
    _ bytes: UnsafeRawBufferPointer, rowCount: Int, shape: SequenceShape
  ) throws(DecodingError) -> ColumnChunk {
    guard rowCount >= 0, rowCount <= max(limits.rowCountMax, limits.elementCountMax) else {
      throw DecodingError("A sequence of \(rowCount) rows", offset: 0)
    }
    var reader = ByteReader(bytes)
    let chunk: ColumnChunk
    if let kind = shape.collection {
      chunk = try readCollections(&reader, rowCount: rowCount, element: shape.element, kind)
    } else {
      chunk = try read(&reader, rowCount: rowCount, element: shape.element)
    }
    try reader.expectEnd()
    return chunk
  }

  /// Reads keys, and checks that they ascend and have at most 40 bits.
  ///
  /// - Parameter estimate: What rows take: the budget pays for the clusters of these, and what leads to them.
  package func decodeKeys(
    _ bytes: UnsafeRawBufferPointer, rowCount: Int, _ estimate: RowEstimate
  ) throws(DecodingError) -> [UInt64] {
    let chunk = try decode(bytes, rowCount: rowCount, shape: SequenceShape(.ints))
    guard case .ints(let values) = chunk.values, chunk.nulls == nil else {
      throw DecodingError("Keys are not numbers", offset: 0)
    }
    var previous: Int64 = -1
    for value in values {
      guard value > previous, value < 1 << 40 else { throw DecodingError("Keys do not ascend", offset: 0) }
      previous = value
    }
    let keys = values.map(UInt64.init(bitPattern:))
    try budget.claim(estimate.directory(of: keys))
    return keys
  }

  private func readCollections(
    _ reader: inout ByteReader, rowCount: Int, element: SequenceShape.Element, _ kind: CollectionKind
  ) throws(DecodingError) -> ColumnChunk {
    let form = try readForm(&reader)
    guard form == (kind == .map ? .maps : .lists) else { throw reader.error("A \(kind) of the form '\(form)',") }
    let counts = try readCountedPacked(&reader, count: rowCount)
    let sum = counts.withUnsafeBufferPointer { $0.reduce(into: 0 as UInt64) { $0 &+= UInt64($1) } }
    guard sum <= UInt64(limits.elementCountMax) else { throw reader.error("Collections of \(sum) elements") }
    let collectionCount = counts.reduce(0) { $1 > 0 ? $0 + 1 : $0 }
    try budget.claim(
      Int(sum) * (element.memoryByteCount + (kind == .map ? 16 : 0)) + collectionCount * MemoryEstimate.collection)
    if kind == .map {
      let keys = try readStrings(&reader, count: Int(sum))
      let values = try read(&reader, rowCount: Int(sum), element: element)
      return ColumnChunk(rowCount: rowCount, values: .maps(counts: counts, keys: keys, values: values))
    }
    let elements = try read(&reader, rowCount: Int(sum), element: element)
    return ColumnChunk(rowCount: rowCount, values: .lists(counts: counts, elements: elements))
  }

  private func read(
    _ reader: inout ByteReader, rowCount: Int, element: SequenceShape.Element
  ) throws(DecodingError) -> ColumnChunk {
    var form = try readForm(&reader)
    var nulls: [UInt64]?
    if form == .nullable {
      let words = try readBits(&reader, count: rowCount)
      if words.contains(where: { $0 != 0 }) { nulls = words }
      form = try readForm(&reader)
      if form == .dictionary { throw reader.error("Null bits for places in a dictionary") }
    }
    let values: ColumnValues
    switch (form, element) {
    case (.packed, .ints): values = .ints(try readPackedInts(&reader, count: rowCount))
    case (.ascending, .ints): values = .ints(try readAscending(&reader, count: rowCount))
    case (.fixed, .fixed(let width)): values = .fixed(width: width, try readFixed(&reader, rowCount, width: width))
    case (.doubles, .fixed(width: 8)): values = .fixed(width: 8, try readDoubles(&reader, count: rowCount))
    case (.multiples, .fixed(width: 8)): values = .fixed(width: 8, try readMultiples(&reader, count: rowCount))
    case (.bits, .bits): values = .bits(try readBits(&reader, count: rowCount))
    case (.bytes, .bytes): values = .bytes(try readStrings(&reader, count: rowCount))
    case (.dictionary, .bytes): values = .dictionary(try readPacked(&reader, count: rowCount))
    default: throw reader.error("A sequence of the form '\(form)' where the column has \(element),")
    }
    return ColumnChunk(rowCount: rowCount, nulls: nulls, values: values)
  }

  private func readForm(_ reader: inout ByteReader) throws(DecodingError) -> SequenceForm {
    let byte = try reader.readByte()
    guard let form = SequenceForm(rawValue: byte) else { throw reader.error("An unknown form of a sequence, \(byte),") }
    return form
  }

  /// Reads one bit per row; those after the last must be zero.
  private func readBits(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> [UInt64] {
    let bytes = try reader.readBytes((count + 7) / 8)
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    words.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    if count % 64 != 0, let last = words.last, last >> UInt64(count % 64) != 0 {
      throw reader.error("Bits after the last row")
    }
    return words
  }

  private func readFixed(_ reader: inout ByteReader, _ count: Int, width: Int) throws(DecodingError) -> [UInt8] {
    let here = Int(try reader.readByte())
    guard here == width else { throw reader.error("Values of \(here) bytes in a column of \(width) bytes") }
    return [UInt8](try reader.readBytes(count * width))
  }

  private func readStrings(_ reader: inout ByteReader, count: Int) throws(DecodingError) -> ByteStrings {
    let lengths = try readCountedPacked(&reader, count: count)
    let sum = lengths.withUnsafeBufferPointer { $0.reduce(into: 0 as UInt64) { $0 &+= UInt64($1) } }
    guard sum <= UInt64(limits.rawByteCountMax) else { throw reader.error("Strings of \(sum) bytes") }
    try budget.claim(Int(sum))
    let compression = try reader.readByte()
    let stored = try reader.readBytes(Int(try reader.read(UInt32.self)))
    switch compression {
    case 0:
      guard stored.count == Int(sum) else { throw reader.error("\(stored.count) bytes for strings of \(sum)") }
      return ByteStrings(lengths: lengths, bytes: [UInt8](stored))
    case 1:
      let offset = reader.offset - stored.count
      return ByteStrings(lengths: lengths, bytes: try zstd.array(stored, count: Int(sum), offset: offset))
    default:
      throw reader.error("An unknown compression, \(compression),")
    }
  }
}

extension SequenceShape.Element {
  /// What an element of a collection takes in memory, without the bytes of a string.
  fileprivate var memoryByteCount: Int {
    switch self {
    case .bits: 1
    case .ints: 16
    case .fixed(let width): width
    case .bytes: 16
    }
  }
}

extension ZstdContext {
  /// The content of a frame.
  func array(_ frame: UnsafeRawBufferPointer, count: Int, offset: Int) throws(DecodingError) -> [UInt8] {
    var failure: DecodingError?
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(DecodingError) {
        let target = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
        try decompress(frame, into: target, offset: offset)
        filled = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }
}
