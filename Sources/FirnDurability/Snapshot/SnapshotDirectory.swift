internal import FirnEngine

/// What is in a base or delta, and where.
package struct SnapshotDirectory: Hashable, Sendable {
  package var catalogue: Catalogue
  /// In the order of the catalogue.
  package var tables: [TableState]
  /// Without gap from the header on, in the order of their places.
  package var blocks: [Block]

  package struct TableState: Hashable, Sendable {
    package var id: UInt32
    package var nextKey: UInt64
    package var rowCount: Int

    package init(id: UInt32, nextKey: UInt64, rowCount: Int) {
      self.id = id
      self.nextKey = nextKey
      self.rowCount = rowCount
    }
  }

  package struct Block: Hashable, Sendable {
    package enum Kind: UInt8, Sendable { case keys, column, dictionary, effects }

    package var kind: Kind
    package var tableID: UInt32
    package var columnID: UInt32
    package var rowCount: Int
    package var rawByteCount: Int
    package var storedByteCount: Int
    /// 0 where the block is sealed.
    package var checksum: UInt32
    /// The place in the file. Not written: blocks lie one behind the other.
    package var offset: Int
  }

  package func encode(into writer: inout ByteWriter) {
    catalogue.encode(into: &writer)
    writer.appendVarint(tables.count)
    for table in tables {
      writer.appendVarint(UInt64(table.id))
      writer.appendVarint(table.nextKey)
      writer.appendVarint(table.rowCount)
    }
    writer.appendVarint(blocks.count)
    for block in blocks {
      writer.append(block.kind.rawValue)
      writer.appendVarint(UInt64(block.tableID))
      writer.appendVarint(UInt64(block.columnID))
      writer.appendVarint(block.rowCount)
      writer.appendVarint(block.rawByteCount)
      writer.appendVarint(block.storedByteCount)
      writer.append(block.checksum)
    }
  }

  /// Reads a directory whose blocks must fill the bytes from `start` to `end`.
  ///
  /// - Parameter budget: Pays for the directory, not for what its blocks hold.
  init(
    decoding reader: inout ByteReader, start: Int, end: Int, limits: SnapshotLimits, budget: ExpansionBudget
  ) throws(DecodingError) {
    catalogue = try Catalogue(decoding: &reader, budget: budget)
    let tableCount = try reader.readCount(byteCountMin: 3)
    guard tableCount == catalogue.tables.count else { throw reader.error("\(tableCount) tables' states") }
    try budget.claim(tableCount, each: MemoryLayout<TableState>.stride)
    tables = []
    tables.reserveCapacity(tableCount)
    for table in catalogue.tables {
      let id = try reader.readVarint()
      let nextKey = try reader.readVarint()
      let rowCount = try reader.readVarint()
      guard id == UInt64(table.id) else { throw reader.error("The state of table \(id) for that of \(table.id)") }
      guard nextKey <= HashIndex.rowKeyLimit, rowCount <= nextKey else {
        throw reader.error("\(rowCount) rows with keys below \(nextKey)")
      }
      tables.append(TableState(id: table.id, nextKey: nextKey, rowCount: Int(rowCount)))
    }
    let blockCount = try reader.readCount(byteCountMin: 10)
    try budget.claim(blockCount, each: MemoryLayout<Block>.stride + SnapshotLayout.byteCountPerBlock)
    blocks = []
    blocks.reserveCapacity(blockCount)
    var offset = start
    for _ in 0..<blockCount {
      let block = try Block(decoding: &reader, offset: offset, end: end, limits)
      offset += block.storedByteCount
      blocks.append(block)
    }
    guard offset == end else { throw reader.error("Blocks that end at \(offset) instead of \(end)") }
    try reader.expectEnd()
  }

  package init(catalogue: Catalogue, tables: [TableState], blocks: [Block]) {
    self.catalogue = catalogue
    self.tables = tables
    self.blocks = blocks
  }
}

extension SnapshotDirectory.Block {
  fileprivate init(
    decoding reader: inout ByteReader, offset: Int, end: Int, _ limits: SnapshotLimits
  ) throws(DecodingError) {
    guard let kind = Kind(rawValue: try reader.readByte()) else { throw reader.error("An unknown kind of block") }
    let tableID = try reader.readVarint()
    let columnID = try reader.readVarint()
    guard tableID <= UInt64(UInt32.max), columnID <= UInt64(UInt32.max) else { throw reader.error("A huge number") }
    let rowCount = try reader.readVarint()
    let rowCountMin: UInt64 = kind == .effects ? 0 : 1
    let rowCountMax = kind == .effects ? 0 : UInt64(limits.rowCountMax)
    guard rowCount >= rowCountMin, rowCount <= rowCountMax else { throw reader.error("A block of \(rowCount) rows") }
    let rawByteCount = try reader.readVarint()
    let rawByteCountMax = kind == .effects ? limits.effectsByteCountMax : limits.rawByteCountMax
    guard rawByteCount <= UInt64(rawByteCountMax) else { throw reader.error("A block of \(rawByteCount) bytes") }
    let storedByteCount = try reader.readVarint()
    guard storedByteCount > 0, storedByteCount <= UInt64(end - offset) else {
      throw reader.error("A block of \(storedByteCount) stored bytes, where \(end - offset) are left,")
    }
    // Blocks that compression makes longer are stored as they are.
    guard storedByteCount <= rawByteCount + 1 + UInt64(SealTag.byteCount) else {
      throw reader.error("A block of \(storedByteCount) stored bytes for \(rawByteCount)")
    }
    let checksum = try reader.read(UInt32.self)
    self.init(
      kind: kind, tableID: UInt32(tableID), columnID: UInt32(columnID), rowCount: Int(rowCount),
      rawByteCount: Int(rawByteCount), storedByteCount: Int(storedByteCount), checksum: checksum, offset: offset)
  }
}
