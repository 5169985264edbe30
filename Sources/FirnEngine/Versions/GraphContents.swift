/// The content of a version, or of a running write transaction.
///
/// Does not own what it shows: valid while the ``Version`` or the transaction it came from lives. May be read from any
/// thread, the one of a transaction only by its writer.
@usableFromInline
package struct GraphContents: @unchecked Sendable {
  @usableFromInline package let root: UnsafeRawPointer
  @usableFromInline package let unmanagedLayout: Unmanaged<GraphLayout>

  @inlinable @inline(__always)
  package init(root: UnsafeRawPointer, layout: GraphLayout) {
    self.root = root
    unmanagedLayout = .passUnretained(layout)
  }

  @inlinable @inline(__always)
  package var layout: GraphLayout { unmanagedLayout._withUnsafeGuaranteedRef { $0 } }

  /// Calls `body` with the layout of a table, which is not retained.
  @inline(__always)
  func withLayout<Result>(of table: TableID, _ body: (TableLayout) -> Result) -> Result {
    unmanagedLayout._withUnsafeGuaranteedRef { layout in
      layout.tables.withUnsafeBufferPointer { body($0[table.index]) }
    }
  }

  @inlinable @inline(__always)
  package func tableRoot(_ table: TableID) -> UnsafeRawPointer { VersionRoot.table(root, table.index) }

  @inlinable
  package func rowCount(_ table: TableID) -> Int { TableRoot.rowCount(tableRoot(table)) }

  @inlinable
  package func locate(_ key: RowKey, in table: TableID) -> RowLocation? {
    Directory.locate(tableRoot(table), key.rawValue)
  }

  @inlinable
  package func contains(_ key: RowKey, in table: TableID) -> Bool { locate(key, in: table) != nil }

  /// The row at a position in key order, or nil beyond the end.
  ///
  /// - Complexity: O(log n).
  package func key(at position: Int, in table: TableID) -> RowKey? {
    Directory.select(tableRoot(table), position)?.key
  }

  /// How many rows of the table have a smaller key.
  ///
  /// - Complexity: O(log n).
  package func rank(of key: RowKey, in table: TableID) -> Int { Directory.rank(tableRoot(table), key.rawValue) }

  /// Calls `body` with every row of the table in key order.
  @inlinable
  package func forEachKey(in table: TableID, _ body: (RowKey) -> Void) {
    var clusters = ClusterCursor(tableRoot(table))
    while let cluster = clusters.next() {
      let live = Cluster.live(cluster)
      var word = 0
      while word < 4 {
        var bits = live[word]
        while bits != 0 {
          body(Cluster.key(cluster, word &* 64 &+ bits.trailingZeroBitCount))
          bits &= bits &- 1
        }
        word &+= 1
      }
    }
  }
}
