package import FirnEngine

/// Writes what rows were before a commit, behind its effects: section 2 of the format page.
package enum OldValuesEncoder {
  /// - Complexity: O(cells written + tables of the graph).
  package static func encode(_ commit: LoggedCommit, map: CatalogueMap, into writer: inout ByteWriter) {
    let tables = commit.changes.tables
    let layout = commit.previous.layout
    for index in tables.touched where !tables[index].isEmpty {
      TableEncoder(TableID(index), contents: commit.previous, layout: layout, map: map)
        .encodeOldValues(tables[index], into: &writer)
    }
  }
}

extension TableEncoder {
  fileprivate func encodeOldValues(_ changes: TableChanges, into writer: inout ByteWriter) {
    let modified = changes.modified
    if let first = modified.first, modified.allSatisfy({ $0.columns == first.columns }) {
      encodeOldValues(first, modified.count, { modified[$0].key }, into: &writer)
    } else {
      for rows in groups(modified) {
        encodeOldValues(modified[rows[0]], rows.count, { modified[rows[$0]].key }, into: &writer)
      }
    }
    let deleted = changes.deleted
    if deleted.isEmpty { return }
    var all = ColumnSet()
    for column in 0..<columnCount where column != primaryKey { all.insert(ColumnID(column)) }
    withLocations(deleted.count, { deleted[$0] }, { encodeOldCells(all, $0, into: &writer) })
  }

  /// The rows by the columns written in them, in the order in which effects have these groups.
  private func groups(_ modified: [ModifiedRow]) -> [[Int]] {
    var places: [ColumnSet: Int] = [:]
    var groups: [[Int]] = []
    for (index, row) in modified.enumerated() where !columns(row).isEmpty {
      if let place = places[row.columns] {
        groups[place].append(index)
      } else {
        places[row.columns] = groups.count
        groups.append([index])
      }
    }
    return groups
  }

  private func encodeOldValues(
    _ first: ModifiedRow, _ count: Int, _ key: (Int) -> RowKey, into writer: inout ByteWriter
  ) {
    let written = columns(first)
    if written.isEmpty { return }
    withLocations(count, key) { rows in
      writer.append(UInt8(primaryKey < 0 ? 0 : 1))
      if primaryKey >= 0 {
        writer.appendVarint(UInt64(ids[primaryKey]))
        encodeCells(primaryKey, rows, changes: nil, into: &writer)
      }
      encodeOldCells(written, rows, into: &writer)
    }
  }

  private func encodeOldCells(
    _ wanted: ColumnSet, _ rows: UnsafeBufferPointer<RowLocation>, into writer: inout ByteWriter
  ) {
    var count = 0
    wanted.forEachColumn { if !columns[$0.index].storage.isCollection { count += 1 } }
    writer.appendVarint(count)
    wanted.forEachColumn { column in
      if columns[column.index].storage.isCollection { return }
      writer.appendVarint(UInt64(ids[column.index]))
      encodeCells(column.index, rows, changes: nil, into: &writer)
    }
  }
}
