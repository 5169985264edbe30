internal import CFirn
package import FirnEngine

/// Reads a base or a delta.
///
/// Sendable: it is never changed, and each reading thread has memory of its own. Throws `StoreError`: `.invalidDatabase` for
/// a file that is none, `.unsupportedFileFormatVersion`, `.corrupted` naming file and place, and what the disk says.
package final class SnapshotReader: Sendable {
  package let header: SnapshotHeader
  package let directory: SnapshotDirectory
  package let byteCount: Int
  /// The CRC of the directory, which holds those of all blocks.
  let checksum: UInt32
  let file: any StoreFile
  /// Opens the blocks of an encrypted file.
  let seal: FileSeal?
  let layout: SnapshotLayout?
  let limits: SnapshotLimits

  /// Reads header, trailer and directory and checks that they agree with each other and with the size of the file.
  ///
  /// - Parameters:
  ///   - key: That of an encrypted file. Throws when it is not that of this one.
  ///   - budget: Pays for the directory.
  /// - Complexity: O(size of the directory).
  package init(
    _ file: any StoreFile, kind: SnapshotHeader.Kind, key: StoreKey? = nil, limits: SnapshotLimits = .standard,
    budget: ExpansionBudget = .unlimited
  ) throws {
    self.file = file
    self.limits = limits
    byteCount = try file.size()
    let head = try file.bytes(count: SnapshotHeader.sealedByteCount)
    let header = try head.withUnsafeBytes { try SnapshotHeader(decoding: $0, kind: kind, path: file.path) }
    self.header = header
    seal = try head.withUnsafeBytes { try header.unseal(head: $0, with: key, path: file.path) }
    guard byteCount >= header.blocksOffset + SnapshotTrailer.byteCount else {
      throw StoreError.corrupted(file.path, "ends early", at: byteCount)
    }
    let end = try file.bytes(at: byteCount - SnapshotTrailer.byteCount, count: SnapshotTrailer.byteCount)
    let trailer = try end.withUnsafeBytes { [byteCount] in
      try SnapshotTrailer(decoding: $0, blocksOffset: header.blocksOffset, fileByteCount: byteCount, path: file.path)
    }
    checksum = trailer.directoryChecksum
    try StoreError.paying(file.path) { () throws(DecodingError) in try budget.claim(trailer.directoryByteCount) }
    var bytes = try file.bytes(at: trailer.directoryOffset, count: trailer.directoryByteCount)
    guard bytes.withUnsafeBytes({ firn_crc32c(0, $0.baseAddress, $0.count) }) == trailer.directoryChecksum else {
      throw StoreError.corrupted(file.path, "has a directory with a wrong checksum", at: trailer.directoryOffset)
    }
    if let seal {
      guard bytes.withUnsafeMutableBytes({ seal.open($0, at: trailer.directoryOffset) }) else {
        throw StoreError.notSealed(file.path, "directory", at: trailer.directoryOffset)
      }
      bytes.removeLast(SealTag.byteCount)
    }
    do {
      directory = try bytes.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes)
        return try SnapshotDirectory(
          decoding: &reader, start: header.blocksOffset, end: trailer.directoryOffset, limits: limits, budget: budget)
      }
      switch kind {
      case .base: layout = try SnapshotLayout(directory)
      case .delta:
        layout = nil
        guard directory.blocks.allSatisfy({ $0.kind == .effects && $0.tableID == 0 && $0.columnID == 0 }) else {
          throw DecodingError("A block that is not of effects", offset: 0)
        }
      }
    } catch let error as DecodingError {
      if let byteCountMax = error.budget { throw StoreError.beyondBudget(file.path, byteCountMax) }
      throw StoreError.corrupted(file.path, "has a bad directory: \(error)", at: trailer.directoryOffset)
    }
  }

  /// Throws `.invalidDatabase` unless the file begins like a base that `key` opens. Other damage is not looked for.
  static func checkBase(_ file: any StoreFile, key: StoreKey?) throws {
    let head = try file.bytes(count: SnapshotHeader.sealedByteCount)
    try head.withUnsafeBytes { head in
      try SnapshotHeader.checkMagic(head, kind: .base, path: file.path)
      guard let header = try? SnapshotHeader(decoding: head, kind: .base, path: file.path) else { return }
      _ = try header.unseal(head: head, with: key, path: file.path)
    }
  }

  /// Reads a base on up to `threadCount` threads, the caller's included.
  ///
  /// Dictionaries come first; when all were handed over, groups of rows come, in any order. Both closures are called by
  /// several threads at once. The first error of a closure or of the file ends the reading and is thrown.
  ///
  /// - Parameters:
  ///   - estimates: What rows of each table take; those of the file's own catalogue if nil.
  ///   - budget: Pays for what the values take in memory. The rows were claimed before, see ``claimRows(_:_:)``.
  /// - Complexity: O(values). In memory is a group for each thread.
  package func read(
    threadCount: Int = 2, estimates: [RowEstimate]? = nil, budget: ExpansionBudget = .unlimited,
    dictionary: @escaping @Sendable (SnapshotDictionary) throws -> Void,
    group: @escaping @Sendable (SnapshotGroup) throws -> Void
  ) throws {
    guard let layout else { fatalError("A delta has no rows.") }
    let estimates = estimates ?? directory.catalogue.rowEstimates
    try forEach(layout.dictionaries, threadCount, budget) { [self] place, decoder in
      try dictionary(read(place, decoder))
    }
    try forEach(layout.groups, threadCount, budget) { [self] place, decoder in
      try group(read(place, estimates[place.table], decoder))
    }
  }

  /// Hands out places to threads.
  private func forEach<Place: Sendable>(
    _ places: [Place], _ threadCount: Int, _ budget: ExpansionBudget,
    _ body: @escaping @Sendable (Place, BlockDecoder) throws -> Void
  ) throws {
    let next = Lock<Int>(0)
    let (file, seal, limits) = (self.file, self.seal, self.limits)
    try Workers.run(min(threadCount, places.count)) {
      let decoder = BlockDecoder(file, seal, limits: limits, budget: budget)
      do {
        while true {
          let index = next.withLock { (next: inout Int) -> Int in
            next += 1
            return next - 1
          }
          if index >= places.count { return }
          try body(places[index], decoder)
        }
      } catch {
        next.withLock { $0 = places.count }
        throw error
      }
    }
  }

  private func read(_ place: SnapshotLayout.DictionaryPlace, _ decoder: BlockDecoder) throws -> SnapshotDictionary {
    let table = directory.catalogue.tables[place.table]
    var values = ByteStrings()
    for index in place.blocks {
      let block = directory.blocks[index]
      let chunk = try decoder.chunk(block, of: table.columns[place.column], in: table)
      guard case .bytes(let strings) = chunk.values, chunk.nulls == nil else {
        throw StoreError.corrupted(file.path, "has a bad dictionary for '\(table.name)'", at: block.offset)
      }
      if values.lengths.isEmpty {
        values = strings
      } else {
        values.lengths += strings.lengths
        values.bytes += strings.bytes
      }
    }
    return SnapshotDictionary(table: place.table, column: place.column, values: values)
  }

  private func read(
    _ place: SnapshotLayout.GroupPlace, _ estimate: RowEstimate, _ decoder: BlockDecoder
  ) throws -> SnapshotGroup {
    let table = directory.catalogue.tables[place.table]
    let keyBlock = directory.blocks[place.firstBlock]
    let keys = try decoder.keys(keyBlock, of: table, estimate)
    if let last = keys.last, last >= directory.tables[place.table].nextKey {
      throw StoreError.corrupted(
        file.path, "has a row of '\(table.name)' with a key not given yet", at: keyBlock.offset)
    }
    let columns = try table.columns.indices.map { column in
      let places = place.blocks(ofColumn: column)
      let parts = try places.map { try decoder.chunk(directory.blocks[$0], of: table.columns[column], in: table) }
      guard let chunk = ColumnChunk.joined(parts) else {
        throw StoreError.corrupted(
          file.path, "has parts of '\(table.name).\(table.columns[column].name)' that do not go together",
          at: directory.blocks[places.lowerBound].offset)
      }
      return chunk
    }
    return SnapshotGroup(table: place.table, keys: keys, columns: columns)
  }
}

/// Rows that were read. Tables and columns are counted as in the catalogue.
package struct SnapshotGroup: Sendable {
  package var table: Int
  package var keys: [UInt64]
  package var columns: [ColumnChunk]
}

/// The values that the chunks of a column name by number, from 1.
package struct SnapshotDictionary: Sendable {
  package var table: Int
  package var column: Int
  package var values: ByteStrings
}
