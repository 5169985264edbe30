internal import FirnEngine

/// Writes a base or a delta to a file.
///
/// The bytes depend on the content only, not on how many threads wrote them. The file is not synchronized.
package struct SnapshotWriter {
  private let file: any StoreFile
  private let header: SnapshotHeader
  private let catalogue: Catalogue
  private let limits: SnapshotLimits
  /// Seals what is written, each place once.
  private let seal: FileSeal?

  /// - Parameter key: Encrypts the file, with a salt that no other file has.
  package init(
    _ file: any StoreFile, header: SnapshotHeader, catalogue: Catalogue, key: StoreKey? = nil,
    limits: SnapshotLimits = .standard
  ) {
    var header = header
    header.salt = key == nil ? nil : .random()
    seal = key.flatMap { header.seal(with: $0) }
    self.limits = limits
    self.file = file
    self.header = header
    self.catalogue = catalogue
  }

  /// Writes a base.
  ///
  /// `tables` are in the order of the catalogue. The rows are encoded on up to `threadCount` threads, the caller's
  /// included; in memory are as many groups of rows and two more.
  ///
  /// - Complexity: O(values).
  package func writeBase(tables: [SnapshotTable], threadCount: Int = 2) throws -> SnapshotStatistics {
    if header.kind != .base || tables.count != catalogue.tables.count {
      fatalError("A base needs the header of one and the tables of its catalogue.")
    }
    let queue = SnapshotQueue(
      tables: tables, catalogue: catalogue, offset: header.blocksOffset, limits: limits,
      windowCount: max(1, threadCount) + 2)
    let (file, seal, limits) = (self.file, self.seal, self.limits)
    try Workers.run(threadCount) {
      let encoder = PartEncoder(catalogue: queue.catalogue, isSealed: seal != nil, limits: limits)
      do {
        while let (ticket, work, part) = queue.take() {
          try encoder.encode(work, into: part)
          for part in queue.finish(part, ticket: ticket) {
            if let seal { part.seal(seal) }
            try part.bytes.withBytes { try file.write($0, at: part.offset) }
            queue.recycle(part)
          }
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    let (blocks, rowCounts) = queue.result()
    let states = zip(catalogue.tables, zip(tables, rowCounts)).map { table, state in
      SnapshotDirectory.TableState(id: table.id, nextKey: state.0.nextKey, rowCount: state.1)
    }
    return try finish(SnapshotDirectory(catalogue: catalogue, tables: states, blocks: blocks))
  }

  /// Writes a delta of the given effects. `tables` tell the state after it, in the order of the catalogue.
  ///
  /// - Complexity: O(bytes of the effects).
  package func writeDelta(
    effects: UnsafeRawBufferPointer, tables: [SnapshotDirectory.TableState]
  ) throws -> SnapshotStatistics {
    if header.kind != .delta || tables.map(\.id) != catalogue.tables.map(\.id) {
      fatalError("A delta needs the header of one and the tables of its catalogue.")
    }
    let encoder = BlockEncoder(isSealed: seal != nil, limits: limits)
    let part = SnapshotPart()
    var blocks: [SnapshotDirectory.Block] = []
    var offset = header.blocksOffset
    var start = 0
    while start < effects.count {
      let end = min(effects.count, start + limits.effectsByteCountMax)
      part.removeAll()
      try encoder.append(effects: UnsafeRawBufferPointer(rebasing: effects[start..<end]), to: part)
      part.offset = offset
      if let seal { part.seal(seal) }
      part.blocks[0].offset = offset
      blocks += part.blocks
      try part.bytes.withBytes { try file.write($0, at: offset) }
      offset += part.bytes.count
      start = end
    }
    return try finish(SnapshotDirectory(catalogue: catalogue, tables: tables, blocks: blocks))
  }

  /// Writes header, directory and trailer.
  private func finish(_ directory: SnapshotDirectory) throws -> SnapshotStatistics {
    var writer = ByteWriter()
    header.encode(into: &writer)
    seal?.check.write(to: &writer)
    try writer.withBytes { try file.write($0, at: 0) }
    writer.removeAll()
    directory.encode(into: &writer)
    let offset = directory.blocks.last.map { $0.offset + $0.storedByteCount } ?? header.blocksOffset
    if let seal {
      writer.appendZeros(SealTag.byteCount)
      writer.withMutableBytes { seal.seal($0, at: offset) }
    }
    let trailer = SnapshotTrailer(
      directoryOffset: offset, directoryByteCount: writer.count, directoryChecksum: writer.checksum(from: 0))
    trailer.encode(into: &writer)
    try writer.withBytes { try file.write($0, at: offset) }
    return SnapshotStatistics(
      byteCount: offset + writer.count, blockCount: directory.blocks.count,
      rowCount: directory.tables.reduce(0) { $0 + $1.rowCount })
  }
}

/// What was written or verified.
package struct SnapshotStatistics: Hashable, Sendable {
  /// The bytes of the file.
  package var byteCount: Int
  package var blockCount: Int
  package var rowCount: Int
}
