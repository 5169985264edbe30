extension GraphContents {
  /// How many rows of all tables have been deleted since the graph was made.
  package var deletionCount: UInt64 {
    (0..<layout.visibleCount).reduce(0) { $0 &+ TableRoot.deletionCount(tableRoot(TableID($1))) }
  }

  /// How many rows all tables have.
  package var rowCount: Int { (0..<layout.visibleCount).reduce(0) { $0 + rowCount(TableID($1)) } }

  /// Visits the rows of a table that another version of the graph does not have, in key order.
  ///
  /// - Complexity: O(clusters that differ + rows visited); clusters that were compacted in between count with their rows.
  package func forEachRow(missingIn other: GraphContents, _ table: TableID, _ body: (RowLocation) -> Void) {
    let (own, others) = (tableRoot(table), other.tableRoot(table))
    guard own != others, let top = TableRoot.top(own) else { return }
    let level = TableRoot.height(own)
    var node = TableRoot.top(others)
    var height = node == nil ? level : TableRoot.height(others)
    // The keys of this tree lie below the first child of a higher one.
    while height > level, let higher = node {
      node = Directory.child(higher, 0)
      height -= 1
    }
    Self.visit(top, level, missingIn: node, height, body)
  }

  /// `level` is 1 for nodes whose children are clusters. A lower node of the other version stands where the first
  /// child does.
  private static func visit(
    _ node: UnsafeRawPointer, _ level: Int, missingIn other: UnsafeRawPointer?, _ height: Int,
    _ body: (RowLocation) -> Void
  ) {
    if level == height, node == other { return }
    if level == 1 { return visitClusters(node, missingIn: other, body) }
    for entry in 0..<64 {
      guard let child = Directory.child(node, entry) else { continue }
      if level > height {
        visit(child, level - 1, missingIn: entry == 0 ? other : nil, entry == 0 ? height : level - 1, body)
      } else {
        visit(child, level - 1, missingIn: other.flatMap { Directory.child($0, entry) }, height - 1, body)
      }
    }
  }

  private static func visitClusters(
    _ node: UnsafeRawPointer, missingIn other: UnsafeRawPointer?, _ body: (RowLocation) -> Void
  ) {
    var previous: UnsafeRawPointer?
    for entry in 0..<64 {
      guard let cluster = Directory.child(node, entry), cluster != previous else { continue }
      previous = cluster
      let counterpart = other.flatMap { Directory.child($0, entry) }
      if cluster == counterpart { continue }
      var rows = UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self)
      if let counterpart, Cluster.offsets(cluster) == nil, Cluster.offsets(counterpart) == nil,
        Cluster.base(cluster) == Cluster.base(counterpart)
      {
        // Slot by slot the same keys.
        rows &= ~UnsafeRawPointer(Cluster.live(counterpart)).loadUnaligned(as: SIMD4<UInt64>.self)
      }
      for word in 0..<4 {
        var bits = rows[word]
        while bits != 0 {
          let location = RowLocation(cluster: cluster, slot: word * 64 + bits.trailingZeroBitCount)
          bits &= bits &- 1
          let key = location.key.rawValue
          if let other, let found = Directory.child(other, Int(key &>> 8 & 63)), Cluster.slot(found, of: key) != nil {
            continue
          }
          body(location)
        }
      }
    }
  }
}
