extension Writer {
  /// Whether the running transaction wrote anything.
  package var hasChanges: Bool {
    activeTables.contains { table in
      let state = tables + table
      return state.pointee.firstNewKey < state.pointee.nextKey || !state.pointee.dirtyClusters.isEmpty
        || !state.pointee.deleted.isEmpty || !state.pointee.lists.isEmpty
    }
  }

  /// What the running transaction changed. Must be made before clusters are compacted.
  func makeChangeSet() -> ChangeSet {
    var changes = ChangeSet(tableCount: layout.visibleCount)
    swap(&changes, &spareChanges)
    changes.tables.removeAll(keepingMemoryOf: activeTables.first)
    for table in activeTables where table < layout.visibleCount { addChanges(of: table, to: &changes.tables[table]) }
    changes.addOwners(in: contents)
    return changes
  }

  private func addChanges(of table: Int, to changes: inout TableChanges) {
    let firstNewKey = tables[table].firstNewKey
    if firstNewKey < tables[table].nextKey {
      var clusters = ClusterCursor(tableRoot(table), from: firstNewKey)
      while let cluster = clusters.next() {
        appendKeys(of: cluster, from: firstNewKey, to: &changes.inserted)
      }
    }
    if !tables[table].deleted.isEmpty {
      changes.deleted = tables[table].deleted.filter { $0.rawValue < firstNewKey }
      changes.deleted.sort()
    }
    let columnCount = layout.tables[table].columnCount
    if tables[table].dirtyClusters.count > 1 {
      tables[table].dirtyClusters.sort { Cluster.base($0) < Cluster.base($1) }
    }
    for cluster in tables[table].dirtyClusters {
      guard let record = Cluster.dirtyRecord(cluster) else { continue }
      var written = SIMD4<UInt64>()
      for column in 0..<columnCount {
        written |= UnsafeRawPointer(DirtyRecord.mask(record, column: column)).loadUnaligned(as: SIMD4<UInt64>.self)
      }
      written &= UnsafeRawPointer(Cluster.live(cluster)).loadUnaligned(as: SIMD4<UInt64>.self)
      for word in 0..<4 {
        var any = written[word]
        while any != 0 {
          let slot = word * 64 + any.trailingZeroBitCount
          any &= any - 1
          let key = Cluster.key(cluster, slot)
          if key.rawValue >= firstNewKey { continue }
          var columns = ColumnSet()
          for column in 0..<columnCount
          where DirtyRecord.mask(record, column: column)[word] >> UInt64(slot & 63) & 1 != 0 {
            columns.insert(ColumnID(column))
          }
          changes.modified.append(ModifiedRow(key: key, columns: columns))
        }
      }
    }
    if tables[table].lists.isEmpty { return }
    for (id, recorder) in tables[table].lists.all() where contents.contains(id.row, in: TableID(table)) {
      changes.lists[id] = recorder.delta()
    }
  }

  /// The living rows of a cluster with keys not below `first`. Looks at the slots from there on only.
  private func appendKeys(of cluster: UnsafeRawPointer, from first: UInt64, to keys: inout [RowKey]) {
    let live = Cluster.live(cluster)
    let isDense = Cluster.offsets(cluster) == nil
    let start = isDense && first > Cluster.base(cluster) ? Int(first &- Cluster.base(cluster)) : 0
    var word = start >> 6
    while word < 4 {
      var bits = live[word]
      if word == start >> 6 { bits &= .max << UInt64(start & 63) }
      while bits != 0 {
        let key = Cluster.key(cluster, word &* 64 &+ bits.trailingZeroBitCount)
        if key.rawValue >= first { keys.append(key) }
        bits &= bits &- 1
      }
      word &+= 1
    }
  }

  /// The rows of a table written since `position`, and the position to ask from next time.
  ///
  /// A query inside a transaction calls this whenever it looks at the table. The first call starts the log and returns
  /// nil: the query has to look at everything. A row may be listed more than once.
  package func touches(in table: TableID, since position: Int?) -> (rows: ArraySlice<RowKey>?, position: Int) {
    activate(table.index)
    let state = tables + table.index
    guard state.pointee.touchLog != nil else {
      state.pointee.touchLog = []
      touchLogCount += 1
      for record in state.pointee.dirtyRecords {
        DirtyRecord.clearFastMasks(record, columnCount: layout.tables[table.index].columnCount)
        DirtyRecord.setLogs(record)
      }
      return (nil, 0)
    }
    clearFastMasks(table.index)
    let log = state.pointee.touchLog.unsafelyUnwrapped
    return (position.map { log[$0...] }, log.count)
  }

  /// Makes setters notice the next write to every row of the log again.
  private func clearFastMasks(_ table: Int) {
    let log = tables[table].touchLog.unsafelyUnwrapped
    for key in log[tables[table].touchLogLook...] {
      guard let cluster = Directory.cluster(tableRoot(table), of: key.rawValue) else { continue }
      let block = UnsafeMutableRawPointer(mutating: cluster)
      guard store.owns(block), let record = Cluster.dirtyRecord(block) else { continue }
      DirtyRecord.clearFastMasks(record, columnCount: layout.tables[table].columnCount)
    }
    tables[table].touchLogLook = log.count
  }
}
