package import FirnEngine

/// Writes chunks as sequences, each in the form that an estimate finds to be the shortest.
///
/// For one thread at a time: each worker has its own.
///
/// - Complexity: O(values), with zstd only for the bytes of strings and the upper bytes of doubles.
package final class SequenceEncoder {
  let zstd = ZstdContext()
  var scratch = ByteWriter()
  /// How many bytes of the sequence were written as they are, so that zstd may still shorten them.
  private(set) var plainByteCount = 0

  package init() {}

  /// Appends the sequence of a chunk. The chunk must be consistent in itself; this is not the place where data is checked.
  package func append(_ chunk: ColumnChunk, to writer: inout ByteWriter) throws {
    plainByteCount = 0
    try appendSequence(chunk, to: &writer)
  }

  /// Appends the sequence of ascending keys.
  package func append(keys: [UInt64], to writer: inout ByteWriter) {
    plainByteCount = 0
    keys.withUnsafeBytes { appendInts($0.bindMemory(to: Int64.self), to: &writer) }
  }

  private func appendSequence(_ chunk: ColumnChunk, to writer: inout ByteWriter) throws {
    if let nulls = chunk.nulls, nulls.contains(where: { $0 != 0 }) {
      writer.append(SequenceForm.nullable.rawValue)
      append(bits: nulls, count: chunk.rowCount, to: &writer)
    }
    switch chunk.values {
    case .bits(let words):
      writer.append(SequenceForm.bits.rawValue)
      append(bits: words, count: chunk.rowCount, to: &writer)
    case .ints(let values):
      values.withUnsafeBufferPointer { appendInts($0, to: &writer) }
    case .fixed(let width, let bytes):
      try bytes.withUnsafeBytes { bytes in
        if width == 8 { return try appendDoubles(bytes, to: &writer) }
        appendFixed(bytes, width: width, to: &writer)
      }
    case .bytes(let strings):
      writer.append(SequenceForm.bytes.rawValue)
      try strings.bytes.withUnsafeBytes { bytes in
        try append(lengths: strings.lengths[...], bytes: bytes, to: &writer)
      }
    case .dictionary(let places):
      writer.append(SequenceForm.dictionary.rawValue)
      appendPacked(places[...], to: &writer)
    case .lists(let counts, let elements):
      writer.append(SequenceForm.lists.rawValue)
      appendCountedPacked(counts[...], to: &writer)
      try appendSequence(elements, to: &writer)
    case .maps(let counts, let keys, let values):
      writer.append(SequenceForm.maps.rawValue)
      appendCountedPacked(counts[...], to: &writer)
      try keys.bytes.withUnsafeBytes { try append(lengths: keys.lengths[...], bytes: $0, to: &writer) }
      try appendSequence(values, to: &writer)
    }
  }

  func appendFixed(_ bytes: UnsafeRawBufferPointer, width: Int, to writer: inout ByteWriter) {
    writer.append(SequenceForm.fixed.rawValue)
    writer.append(UInt8(width))
    writer.append(bytes)
    plainByteCount += bytes.count
  }

  /// Appends one bit per row. Bits beyond them are left out.
  private func append(bits words: [UInt64], count: Int, to writer: inout ByteWriter) {
    let byteCount = (count + 7) / 8
    words.withUnsafeBytes { writer.append(UnsafeRawBufferPointer(rebasing: $0[..<byteCount])) }
    if count % 8 != 0 {
      let last = UInt8(truncatingIfNeeded: words[count / 64] >> UInt64(count % 64 & ~7))
      writer.overwrite(at: writer.count - 1, with: last & (1 << UInt8(count % 8) - 1))
    }
    plainByteCount += byteCount
  }

  /// Appends lengths and bytes of strings: what follows the form.
  func append(lengths: ArraySlice<UInt32>, bytes: UnsafeRawBufferPointer, to writer: inout ByteWriter) throws {
    appendCountedPacked(lengths, to: &writer)
    let start = writer.count
    writer.append(UInt8(1))
    writer.append(UInt32(0))
    if bytes.count >= 32 {
      let count = try zstd.append(bytes, to: &writer)
      if count < bytes.count {
        writer.overwrite(at: start + 1, with: UInt32(count))
        return
      }
      writer.truncate(to: start + 5)
    }
    writer.overwrite(at: start, with: UInt8(0))
    writer.overwrite(at: start + 1, with: UInt32(bytes.count))
    writer.append(bytes)
  }
}
