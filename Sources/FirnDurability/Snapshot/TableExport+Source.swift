package import FirnEngine

extension SnapshotTable {
  /// A table of a version, which must be held until the base is written.
  ///
  /// `columns` are the columns of the graph's table in the order of the catalogue.
  package init(_ contents: GraphContents, table: TableID, columns: [ColumnID], nextKey: UInt64) {
    self.init(nextKey: nextKey, source: ExportedTable(TableExport(contents, table: table), contents, table, columns))
  }
}

/// Rows of a version as the groups of a base.
private struct ExportedTable: SnapshotSource {
  private var export: TableExport
  private let columns: [ColumnID]
  private let isInterned: [Bool]

  init(_ export: TableExport, _ contents: GraphContents, _ table: TableID, _ columns: [ColumnID]) {
    self.export = export
    self.columns = columns
    let layout = contents.layout.tables[table.index]
    isInterned = columns.map { layout.columns[$0.index].storage == .interned }
  }

  func dictionary(_ column: Int) -> ByteStrings? {
    isInterned[column] ? export.dictionary(columns[column]) : nil
  }

  mutating func nextGroup() -> SnapshotRows? {
    guard let group = export.nextGroup() else { return nil }
    return SnapshotRows(keys: group.keys) { [columns] in group.chunk(columns[$0]) }
  }
}
