internal import FirnEngine

/// Encodes one piece of a base after the other.
final class PartEncoder {
  private let catalogue: Catalogue
  private let limits: SnapshotLimits
  private let blocks: BlockEncoder

  init(catalogue: Catalogue, isSealed: Bool, limits: SnapshotLimits) {
    self.catalogue = catalogue
    self.limits = limits
    blocks = BlockEncoder(isSealed: isSealed, limits: limits)
  }

  func encode(_ work: SnapshotQueue.Work, into part: SnapshotPart) throws {
    switch work {
    case .dictionary(let table, let column, let values):
      part.tableIndex = table
      let chunk = ColumnChunk(rowCount: values.lengths.count, values: .bytes(values))
      let description = catalogue.tables[table]
      try blocks.append(
        chunk, kind: .dictionary, tableID: description.id, columnID: description.columns[column].id, to: part)
    case .group(let table, let rows):
      part.tableIndex = table
      part.rowCount = rows.keys.count
      let description = catalogue.tables[table]
      if rows.keys.count > limits.rowCountMax { return try encodeCut(description, rows, into: part) }
      try blocks.append(keys: rows.keys, tableID: description.id, to: part)
      for column in description.columns.indices {
        let chunk = rows.chunk(column)
        if !fits(chunk) {
          part.removeAll()
          part.rowCount = rows.keys.count
          return try encodeCut(description, rows, into: part)
        }
        try blocks.append(
          chunk, kind: .column, tableID: description.id, columnID: description.columns[column].id, to: part)
      }
    }
  }

  /// Whether a chunk makes a block that is read again.
  private func fits(_ chunk: ColumnChunk) -> Bool {
    chunk.byteCount <= limits.cutByteCount && chunk.elementCount <= limits.elementCountMax
  }

  private func encodeCut(_ table: Catalogue.Table, _ rows: SnapshotRows, into part: SnapshotPart) throws {
    let chunks = table.columns.indices.map { rows.chunk($0) }
    try encodeCut(table, keys: rows.keys, chunks: chunks, into: part)
  }

  /// Encodes rows as groups, each half of the one before, until their columns fit into blocks.
  private func encodeCut(
    _ table: Catalogue.Table, keys: [UInt64], chunks: [ColumnChunk], into part: SnapshotPart
  ) throws {
    if keys.count > 1, keys.count > limits.rowCountMax || !chunks.allSatisfy(fits) {
      let middle = keys.count / 2
      for range in [0..<middle, middle..<keys.count] {
        try encodeCut(table, keys: Array(keys[range]), chunks: chunks.map { $0.rows(range) }, into: part)
      }
      return
    }
    try blocks.append(keys: keys, tableID: table.id, to: part)
    for (column, chunk) in zip(table.columns, chunks) {
      try encodeElements(chunk, table.id, column.id, into: part)
    }
  }

  /// Encodes a column of a group that fits, or of a single row: then a collection is cut into halves until it fits.
  private func encodeElements(
    _ chunk: ColumnChunk, _ tableID: UInt32, _ columnID: UInt32, into part: SnapshotPart
  ) throws {
    let count = chunk.elementCount
    if count > 1, !fits(chunk) {
      for range in [0..<count / 2, count / 2..<count] {
        try encodeElements(chunk.elements(range), tableID, columnID, into: part)
      }
      return
    }
    try blocks.append(chunk, kind: .column, tableID: tableID, columnID: columnID, to: part)
  }
}
