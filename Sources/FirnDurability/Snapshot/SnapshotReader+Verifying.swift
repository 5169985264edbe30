internal import CFirn
internal import FirnEngine

extension SnapshotReader {
  /// Reads every byte of the blocks and compares the checksums, or the tags of sealed ones; the rest was compared when the reader
  /// was made.
  ///
  /// - Complexity: O(bytes of the file), with at most 1 MiB of it in memory, or a sealed block.
  package func verify() throws -> SnapshotStatistics {
    if seal == nil {
      try compareChecksums()
    } else {
      let decoder = BlockDecoder(file, seal, limits: limits, budget: .unlimited)
      for block in directory.blocks { try decoder.check(block) }
    }
    return SnapshotStatistics(
      byteCount: byteCount, blockCount: directory.blocks.count,
      rowCount: directory.tables.reduce(0) { $0 + $1.rowCount })
  }

  private func compareChecksums() throws {
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
  }

  /// Does what opening does with the blocks, but for the graph: expands them all and checks what can be checked without the other
  /// rows. What `verify` compares is compared as well.
  ///
  /// - Parameter budget: Counts what the content takes in memory, as opening does it.
  /// - Complexity: O(values), on up to `threadCount` threads.
  package func verifyDecoding(threadCount: Int, _ budget: ExpansionBudget) throws {
    if layout == nil {
      _ = try effects(budget: budget)
      return
    }
    try StoreError.paying(file.path) { () throws(DecodingError) in
      try budget.claim(MemoryEstimate.layout(directory.catalogue))
    }
    try claimRows(budget, directory.catalogue.rowEstimates)
    // The numbers of values, for the places that groups name.
    let counts = Lock<[Int: Int]>([:])
    try read(threadCount: threadCount, budget: budget) { dictionary in
      counts.withLock { $0[dictionary.table << 32 | dictionary.column] = dictionary.values.lengths.count }
    } group: { [self] group in
      for (column, chunk) in group.columns.enumerated() {
        guard case .dictionary(let places) = chunk.values else { continue }
        let count = counts.withLock { $0[group.table << 32 | column] ?? 0 }
        if let greatest = places.max(), greatest > count {
          let table = directory.catalogue.tables[group.table]
          throw StoreError(
            .corrupted,
            "'\(file.path)' is damaged: '\(table.name).\(table.columns[column].name)' names value \(greatest) of a "
              + "dictionary of \(count).", path: file.path)
        }
      }
    }
  }

  /// Claims what the rows of a base take in memory, whatever their keys and values are, and the values of dictionaries.
  ///
  /// - Parameter estimates: What rows of each table take.
  package func claimRows(_ budget: ExpansionBudget, _ estimates: [RowEstimate]) throws(StoreError) {
    try StoreError.paying(file.path) { () throws(DecodingError) in
      for block in directory.blocks {
        try budget.claim(block.rawByteCount)
        if block.kind == .dictionary { try budget.claim(block.rowCount, each: MemoryEstimate.dictionaryValue) }
      }
      for (table, estimate) in zip(directory.tables, estimates) { try budget.claim(table.rowCount, each: estimate.row) }
    }
  }

  /// The effects of a delta. Throws when they are too many for a delta, or for `budget`.
  ///
  /// - Complexity: O(bytes).
  package func effects(budget: ExpansionBudget = .unlimited) throws -> ByteWriter {
    if header.kind != .delta { fatalError("A base has no effects.") }
    var sum = 0
    for block in directory.blocks {
      sum += block.rawByteCount
      if sum > limits.deltaByteCountMax {
        throw StoreError.corrupted(file.path, "has too many effects", at: block.offset)
      }
    }
    try StoreError.paying(file.path) { () throws(DecodingError) in try budget.claim(sum) }
    let decoder = BlockDecoder(file, seal, limits: limits, budget: budget)
    var effects = ByteWriter(capacity: sum)
    for block in directory.blocks { try decoder.append(effects: block, to: &effects) }
    return effects
  }
}
