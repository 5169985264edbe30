package import FirnEngine

/// A table to be written to a base.
package struct SnapshotTable: Sendable {
  package var nextKey: UInt64
  package var source: any SnapshotSource

  package init(nextKey: UInt64, source: any SnapshotSource) {
    self.nextKey = nextKey
    self.source = source
  }
}

/// Hands out the rows of a table, ascending by key. Columns are counted as in the catalogue.
package protocol SnapshotSource: Sendable {
  /// The values of the dictionary of a column whose chunks are positions in it.
  func dictionary(_ column: Int) -> ByteStrings?

  /// The next rows, at most 16,384 and never none; nil at the end.
  mutating func nextGroup() -> SnapshotRows?
}

/// Rows to be written. `chunk` is called by one thread, but not the one that took the group.
package struct SnapshotRows: Sendable {
  package var keys: [UInt64]
  package var chunk: @Sendable (_ column: Int) -> ColumnChunk

  package init(keys: [UInt64], chunk: @escaping @Sendable (_ column: Int) -> ColumnChunk) {
    self.keys = keys
    self.chunk = chunk
  }
}
