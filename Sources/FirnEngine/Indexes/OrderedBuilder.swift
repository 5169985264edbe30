/// Builds an ordered index of all rows of a table at once.
struct OrderedBuilder {
  let index: OrderedIndex
  let contents: GraphContents

  /// - Returns: The tree; of a unique index also the rows that have an equal before them.
  /// - Complexity: That of sorting the rows.
  func build(_ store: BlockStore) -> (root: Block?, suspects: Set<UInt64>) {
    var keys: [UInt64] = []
    keys.reserveCapacity(contents.rowCount(index.table))
    var codes: [UInt64] = []
    codes.reserveCapacity(contents.rowCount(index.table))
    withUnsafeTemporaryAllocation(of: OrderedValue.self, capacity: index.pathCount) { values in
      var clusters = ClusterCursor(contents.tableRoot(index.table))
      while let cluster = clusters.next() {
        for slot in 0..<Cluster.slotCount(cluster) where Cluster.isLive(cluster, slot) {
          index.read(RowLocation(cluster: cluster, slot: slot), contents, into: values)
          keys.append(Cluster.key(cluster, slot).rawValue)
          codes.append(index.code(values).bits)
        }
      }
    }
    let order =
      index.place == nil
      ? SortedKeys.order(keys, by: index.paths.map { SortKey($0) }, table: index.table, contents: contents)
      : RadixSort.order([SortWord(codes: codes, bitCount: 63)])
    func entry(_ position: Int) -> OrderedEntry {
      let place = order.map { Int($0[position]) } ?? position
      return OrderedEntry(code: codes[place], row: keys[place])
    }
    let root = OrderedTree.build(count: keys.count, store, entry)
    return (root, index.isUnique ? suspects(keys.count, entry) : [])
  }

  private func suspects(_ count: Int, _ entry: (Int) -> OrderedEntry) -> Set<UInt64> {
    var suspects: Set<UInt64> = []
    for position in stride(from: 1, to: count, by: 1) {
      let (before, current) = (entry(position - 1), entry(position))
      guard before.code == current.code, let location = contents.locate(RowKey(current.row), in: index.table) else {
        continue
      }
      index.withValues(of: location, contents) { values in
        let probe = OrderedProbe(values, index, contents)
        if !probe.hasNull, probe.order(of: before) == 0 { suspects.insert(current.row) }
      }
    }
    return suspects
  }
}
