internal import FirnEngine

/// Encodes one piece of a base after the other.
final class PartEncoder {
  /// Rows are cut into smaller groups while a column of theirs takes more than this.
  private static var columnByteCountMax: Int { 256 << 20 }

  private let catalogue: Catalogue
  private let blocks = BlockEncoder()

  init(catalogue: Catalogue) { self.catalogue = catalogue }

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
      try blocks.append(keys: rows.keys, tableID: description.id, to: part)
      for column in description.columns.indices {
        let chunk = rows.chunk(column)
        if chunk.byteCount > Self.columnByteCountMax {
          part.removeAll()
          part.rowCount = rows.keys.count
          let chunks = description.columns.indices.map { rows.chunk($0) }
          return try encodeCut(description, keys: rows.keys, chunks: chunks, into: part)
        }
        try blocks.append(
          chunk, kind: .column, tableID: description.id, columnID: description.columns[column].id, to: part)
      }
    }
  }

  /// Encodes rows as groups, each half of the one before, until their columns fit into blocks.
  private func encodeCut(
    _ table: Catalogue.Table, keys: [UInt64], chunks: [ColumnChunk], into part: SnapshotPart
  ) throws {
    if keys.count > 1, chunks.contains(where: { $0.byteCount > Self.columnByteCountMax }) {
      let middle = keys.count / 2
      for range in [0..<middle, middle..<keys.count] {
        try encodeCut(table, keys: Array(keys[range]), chunks: chunks.map { $0.rows(range) }, into: part)
      }
      return
    }
    try blocks.append(keys: keys, tableID: table.id, to: part)
    for (column, chunk) in zip(table.columns, chunks) {
      if chunk.byteCount > SnapshotLimits.rawByteCountMax {
        throw StoreError(
          .fileOperationFailed,
          "'\(table.name).\(column.name)' has \(chunk.byteCount) bytes in one object, too many for a snapshot. Make it less."
        )
      }
      try blocks.append(chunk, kind: .column, tableID: table.id, columnID: column.id, to: part)
    }
  }
}
