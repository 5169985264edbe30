internal import CFirn
internal import FirnEngine

/// Reads stored blocks: checks or opens them and takes them apart.
///
/// For one thread at a time: each worker has its own.
final class BlockDecoder {
  private let file: any StoreFile
  private let seal: FileSeal?
  let sequences: SequenceDecoder
  private var stored = ByteWriter()
  private var raw = ByteWriter()

  init(_ file: any StoreFile, _ seal: FileSeal?, limits: SnapshotLimits, budget: ExpansionBudget) {
    self.file = file
    self.seal = seal
    sequences = SequenceDecoder(limits: limits, budget: budget)
  }

  func keys(
    _ block: SnapshotDirectory.Block, of table: Catalogue.Table, _ estimate: RowEstimate
  ) throws -> [UInt64] {
    try withRawBytes(block) { bytes in
      try explaining(block, "the keys of '\(table.name)'") { () throws(DecodingError) in
        try sequences.decodeKeys(bytes, rowCount: block.rowCount, estimate)
      }
    }
  }

  func chunk(
    _ block: SnapshotDirectory.Block, of column: Catalogue.Column, in table: Catalogue.Table
  ) throws -> ColumnChunk {
    try withRawBytes(block) { bytes in
      try explaining(block, "'\(table.name).\(column.name)'") { () throws(DecodingError) in
        try sequences.decode(bytes, rowCount: block.rowCount, shape: column.shape)
      }
    }
  }

  func append(effects block: SnapshotDirectory.Block, to writer: inout ByteWriter) throws {
    try withRawBytes(block) { writer.append($0) }
  }

  /// Reads a block and checks that it is what was written.
  func check(_ block: SnapshotDirectory.Block) throws { _ = try storedBytes(block) }

  /// Adds the table and column to what is wrong.
  private func explaining<Value>(
    _ block: SnapshotDirectory.Block, _ what: String, _ body: () throws(DecodingError) -> Value
  ) throws -> Value {
    do throws(DecodingError) {
      return try body()
    } catch {
      if let byteCountMax = error.budget { throw StoreError.beyondBudget(file.path, byteCountMax) }
      throw StoreError.corrupted(file.path, "has a bad block for \(what): \(error)", at: block.offset)
    }
  }

  /// Reads a block whose place and sizes were checked, and compares its checksum or opens it. The bytes, at least one, stay
  /// until the next call.
  private func storedBytes(_ block: SnapshotDirectory.Block) throws -> UnsafeRawBufferPointer {
    stored.removeAll(keptCapacityMax: 16 << 20)
    let target = UnsafeMutableRawBufferPointer(
      start: stored.reserve(block.storedByteCount), count: block.storedByteCount)
    try file.readAll(into: target, at: block.offset)
    if let seal {
      guard target.count > SealTag.byteCount, seal.open(target, at: block.offset) else {
        throw StoreError.notSealed(file.path, "block", at: block.offset)
      }
      return UnsafeRawBufferPointer(rebasing: target.dropLast(SealTag.byteCount))
    }
    let bytes = UnsafeRawBufferPointer(target)
    guard firn_crc32c(0, bytes.baseAddress, bytes.count) == block.checksum else {
      throw StoreError.corrupted(file.path, "has a block with a wrong checksum", at: block.offset)
    }
    return bytes
  }

  /// Reads and expands a block whose place and sizes were checked.
  private func withRawBytes<Value>(
    _ block: SnapshotDirectory.Block, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    let bytes = try storedBytes(block)
    let content = UnsafeRawBufferPointer(rebasing: bytes[1...])
    switch bytes[0] {
    case 0 where content.count == block.rawByteCount: return try body(content)
    case 1:
      raw.removeAll(keptCapacityMax: 16 << 20)
      let expanded = UnsafeMutableRawBufferPointer(start: raw.reserve(block.rawByteCount), count: block.rawByteCount)
      do throws(DecodingError) {
        try sequences.zstd.decompress(content, into: expanded, offset: 1)
      } catch {
        throw StoreError.corrupted(file.path, "has a bad block: \(error)", at: block.offset)
      }
      return try body(UnsafeRawBufferPointer(expanded))
    default: throw StoreError.corrupted(file.path, "has a block of an unknown kind or size", at: block.offset)
    }
  }
}
