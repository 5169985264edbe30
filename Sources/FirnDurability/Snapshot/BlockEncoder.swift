internal import FirnEngine

/// Makes stored blocks: compresses raw bytes where that pays, and takes checksums or leaves room for tags.
///
/// For one thread at a time: each worker has its own.
final class BlockEncoder {
  let sequences = SequenceEncoder()
  private var raw = ByteWriter()
  private var packed = ByteWriter()
  private let limits: SnapshotLimits
  /// Whether the blocks are sealed when they have got their places.
  private let isSealed: Bool

  init(isSealed: Bool, limits: SnapshotLimits) {
    self.isSealed = isSealed
    self.limits = limits
  }

  /// Appends the block of a chunk.
  func append(
    _ chunk: ColumnChunk, kind: SnapshotDirectory.Block.Kind, tableID: UInt32, columnID: UInt32, to part: SnapshotPart
  ) throws {
    raw.removeAll()
    try sequences.append(chunk, to: &raw)
    // zstd finds little in packed bits.
    let tries = sequences.plainByteCount >= 64 && sequences.plainByteCount * 4 >= raw.count
    try store(compressing: tries, kind, tableID, columnID, rowCount: chunk.rowCount, to: part)
  }

  func append(keys: [UInt64], tableID: UInt32, to part: SnapshotPart) throws {
    raw.removeAll()
    sequences.append(keys: keys, to: &raw)
    try store(compressing: false, .keys, tableID, 0, rowCount: keys.count, to: part)
  }

  func append(effects: UnsafeRawBufferPointer, to part: SnapshotPart) throws {
    raw.removeAll()
    raw.append(effects)
    try store(compressing: true, .effects, 0, 0, rowCount: 0, to: part)
  }

  private func store(
    compressing: Bool, _ kind: SnapshotDirectory.Block.Kind, _ tableID: UInt32, _ columnID: UInt32, rowCount: Int,
    to part: SnapshotPart
  ) throws {
    let rawByteCount = raw.count
    guard rawByteCount <= limits.rawByteCountMax else {
      throw StoreError(.fileOperationFailed, "A block of \(rawByteCount) bytes is too large for a snapshot.")
    }
    let start = part.bytes.count
    var isCompressed = false
    if compressing {
      packed.removeAll()
      let count = try raw.withBytes { try sequences.zstd.append($0, to: &packed) }
      isCompressed = count < rawByteCount
    }
    part.bytes.append(UInt8(isCompressed ? 1 : 0))
    if isCompressed {
      packed.withBytes { part.bytes.append($0) }
    } else {
      raw.withBytes { part.bytes.append($0) }
    }
    if isSealed { part.bytes.appendZeros(SealTag.byteCount) }
    part.blocks.append(
      SnapshotDirectory.Block(
        kind: kind, tableID: tableID, columnID: columnID, rowCount: rowCount, rawByteCount: rawByteCount,
        storedByteCount: part.bytes.count - start, checksum: isSealed ? 0 : part.bytes.checksum(from: start),
        offset: start))
  }
}

/// Stored blocks that go to the file together; offsets count from the first.
///
/// Sendable by passing on: a worker fills it, then puts it under the lock of the writer, and whoever takes it from there has
/// it alone.
final class SnapshotPart: @unchecked Sendable {
  // State    guarded by
  // all      whoever holds the part, see above
  var bytes = ByteWriter()
  var blocks: [SnapshotDirectory.Block] = []
  /// The rows of the table at an index that a base counts.
  var tableIndex = 0
  var rowCount = 0
  /// Where the part goes in the file.
  var offset = 0

  /// Seals the blocks, whose offsets count from the first, at the place of the part.
  func seal(_ seal: FileSeal) {
    bytes.withMutableBytes { bytes in
      for block in blocks {
        seal.seal(
          UnsafeMutableRawBufferPointer(rebasing: bytes[block.offset..<block.offset + block.storedByteCount]),
          at: offset + block.offset)
      }
    }
  }

  func removeAll() {
    bytes.removeAll(keptCapacityMax: 16 << 20)
    blocks.removeAll(keepingCapacity: true)
    rowCount = 0
  }
}
