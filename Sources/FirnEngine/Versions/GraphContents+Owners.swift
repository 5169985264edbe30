extension GraphContents {
  /// What is wrong with the owners of some embedded row: it has none, or several. Nil when each has one.
  ///
  /// - Complexity: O(embedded rows).
  package func ownerFault() -> String? {
    for table in layout.tables where table.isOwned {
      let id = TableID(table.index)
      let owning = (0..<table.firstMixedBacklink).filter { index in
        let backlink = table.backlink(index)
        return layout.tables[Int(backlink.originTable)].columns[Int(backlink.originColumn)].linkKind == .embedded
      }
      var cursor = ClusterCursor(tableRoot(id))
      while let cluster = cursor.next() {
        let counts = table.linkCounts(cluster, owning)
        for slot in 0..<Cluster.slotCount(cluster) where Cluster.isLive(cluster, slot) && counts[slot] != 1 {
          let key = Cluster.key(cluster, slot).rawValue
          return "the embedded row \(key) of '\(table.name)' has \(counts[slot]) owners"
        }
      }
    }
    return nil
  }
}

extension TableLayout {
  /// How many links lead to each slot of a cluster through some backlink columns.
  ///
  /// - Complexity: O(columns + slots * columns through which a link leads here); a table may have thousands of columns.
  func linkCounts(_ cluster: UnsafeRawPointer, _ backlinks: some Sequence<Int>) -> [Int] {
    var counts = [Int](repeating: 0, count: Cluster.slotCount(cluster))
    for index in backlinks {
      guard let leaf = Cluster.optionalLeaf(cluster, at: backlinkOffset(index)) else { continue }
      for slot in counts.indices { counts[slot] += BacklinkLeaf.count(leaf, slot) }
    }
    return counts
  }
}
