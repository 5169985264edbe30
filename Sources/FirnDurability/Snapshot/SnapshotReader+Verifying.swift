internal import CFirn

extension SnapshotReader {
  /// Reads every byte of the blocks and compares the checksums; the rest was compared when the reader was made.
  ///
  /// - Complexity: O(bytes of the file), with at most 1 MiB of it in memory.
  package func verify() throws -> SnapshotStatistics {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    for block in directory.blocks {
      var checksum: UInt32 = 0
      var done = 0
      while done < block.storedByteCount {
        let count = min(buffer.count, block.storedByteCount - done)
        try file.readAll(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: block.offset + done)
        checksum = firn_crc32c(checksum, buffer.baseAddress, count)
        done += count
      }
      guard checksum == block.checksum else {
        throw StoreError.corrupted(file.path, "has a block with a wrong checksum", at: block.offset)
      }
    }
    return SnapshotStatistics(
      byteCount: byteCount, blockCount: directory.blocks.count,
      rowCount: directory.tables.reduce(0) { $0 + $1.rowCount })
  }

  /// The effects of a delta. Throws when they are more than `byteCountMax`.
  ///
  /// - Complexity: O(bytes).
  package func effects(byteCountMax: Int = 1 << 32) throws -> ByteWriter {
    if header.kind != .delta { fatalError("A base has no effects.") }
    var sum = 0
    for block in directory.blocks {
      sum += block.rawByteCount
      if sum > byteCountMax { throw StoreError.corrupted(file.path, "has too many effects", at: block.offset) }
    }
    let decoder = BlockDecoder(file)
    var effects = ByteWriter()
    for block in directory.blocks { try decoder.append(effects: block, to: &effects) }
    return effects
  }
}
