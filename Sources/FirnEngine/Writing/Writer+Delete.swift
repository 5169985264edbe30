extension Writer {
  /// Deletes rows and nothing that goes with them.
  func deleteRows(_ keys: [RowKey], from table: TableID) {
    if keys.isEmpty { return }
    let layout = self.layout.tables[table.index]
    activate(table.index)
    // Inbound links are found through backlinks, so those must be complete.
    if layout.isVisible, layout.backlinkCount > 0 { flushLinks() }
    if layout.isVisible, !self.layout.orderedIndexes.isEmpty { willDeleteOrdered(keys, from: table.index) }
    var rows: [(key: RowKey, cluster: Block, slot: Int)] = []
    rows.reserveCapacity(keys.count)
    for key in keys {
      guard let location = Directory.locate(tableRoot(table.index), key.rawValue),
        let cluster = ownCluster(table.index, of: key.rawValue)
      else { continue }
      // Marked dead first: what follows does not write into rows that are going anyway.
      Cluster.setBit(cluster, Cluster.liveOffset, location.slot, false)
      Cluster.setLiveCount(cluster, Cluster.liveCount(cluster) - 1)
      addToCounts(table.index, of: key.rawValue, -1)
      rows.append((key, cluster, location.slot))
      noteSparse(table.index, cluster)
    }
    if rows.isEmpty { return }
    TableRoot.addDeletions(ownTable(table.index), rows.count)
    for index in 0..<layout.columnCount where layout.columns[index].isIndexed {
      let column = layout.columns[index]
      for row in rows { removeOldPosting(row.cluster, row.slot, table, ColumnID(index), column, row.key) }
    }
    if let primaryKey = layout.primaryKey { removePrimaryKeys(rows, table.index, layout.columns[primaryKey]) }
    if layout.isVisible {
      let runs = Self.runs(rows)
      for backlink in 0..<layout.backlinkCount {
        nullify(layout.backlink(backlink), at: layout.backlinkOffset(backlink), of: rows, runs, table)
      }
      for row in rows { dropOutboundLinks(row.key, row.cluster, row.slot, table, layout) }
    }
    for row in rows {
      tables[table.index].deleted.append(row.key)
      tables[table.index].touchLog?.append(row.key)
      dropOwnedStorage(row.cluster, row.slot, layout)
    }
    deleteReleasedCollections()
  }

  /// Deletes every row of a table.
  package func deleteAll(from table: TableID) {
    var keys: [RowKey] = []
    keys.reserveCapacity(contents.rowCount(table))
    contents.forEachKey(in: table) { keys.append($0) }
    delete(keys, from: table)
  }

  private func noteSparse(_ table: Int, _ cluster: Block) {
    // Deletions mostly come cluster by cluster; one entry for each run is enough.
    let key = Cluster.key(cluster, 0).rawValue
    if tables[table].sparseCandidates.last != key { tables[table].sparseCandidates.append(key) }
  }

  /// In the order of the index, so that each of its pages is visited once.
  private func removePrimaryKeys(
    _ rows: [(key: RowKey, cluster: Block, slot: Int)], _ table: Int, _ column: ColumnLayout
  ) {
    let tableRoot = ownTable(table)
    withUnsafeTemporaryAllocation(of: HashEntry.self, capacity: rows.count) { entries in
      withUnsafeTemporaryAllocation(of: HashEntry.self, capacity: rows.count) { sorted in
        for (index, row) in rows.enumerated() {
          let hash = primaryKeyHash(row.cluster, row.slot, column)
          entries.initializeElement(at: index, to: HashEntry(hash: hash, row: row.key.rawValue))
        }
        HashIndex.sortByHash(UnsafeBufferPointer(entries), into: sorted)
        var root = TableRoot.mutablePrimaryKeyIndex(tableRoot)
        for entry in sorted {
          guard let index = root else {
            fatalError("The primary key index of '\(layout.tables[table].name)' lacks a row.")
          }
          root = HashIndex.remove(index, hash: entry.hash, row: entry.row, store: store)
        }
        TableRoot.setPrimaryKeyIndex(tableRoot, root)
      }
    }
  }

  private func primaryKeyHash(_ cluster: UnsafeRawPointer, _ slot: Int, _ column: ColumnLayout) -> UInt64 {
    let seed = layout.seed
    if column.nullOffset != 0, Cluster.bit(cluster, Int(column.nullOffset), slot) { return NullKey().hash(seed: seed) }
    let offset = Int(column.offset)
    switch column.storage {
    case .bits: return BoolKey(Cluster.bit(cluster, offset, slot)).hash(seed: seed)
    case .int: return IntKey(IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)).hash(seed: seed)
    case .bytes: return BytesKey(BytesLeaf.bytes(Cluster.leaf(cluster, at: offset), slot)).hash(seed: seed)
    case .fixed:
      let leaf = Cluster.leaf(cluster, at: offset)
      switch column.elementSize {
      case 8: return DoubleKey(FixedLeaf.load(leaf, slot, as: Double.self)).hash(seed: seed)
      case 12: return Bytes12Key(FixedLeaf.load(leaf, slot, as: Bytes12.self)).hash(seed: seed)
      default: return Bytes16Key(FixedLeaf.load(leaf, slot, as: Bytes16.self)).hash(seed: seed)
      }
    case .link, .interned, .list, .set, .map: fatalError("Links and collections cannot be primary keys.")
    }
  }

  /// The places of rows in one cluster, with ascending slots.
  private static func runs(_ rows: [(key: RowKey, cluster: Block, slot: Int)]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].cluster == rows[start].cluster, rows[end].slot > rows[end - 1].slot { end += 1 }
      runs.append(start..<end)
      start = end
    }
    return runs
  }

  /// Clears the links and elements that lead to rows which are going: cluster by cluster of the targets, then in the
  /// order of the sources.
  ///
  /// - Complexity: O(runs) where there are none: a table may have thousands of backlink columns.
  private func nullify(
    _ backlink: BacklinkLayout, at offset: Int, of rows: [(key: RowKey, cluster: Block, slot: Int)],
    _ runs: [Range<Int>], _ target: TableID
  ) {
    let origin = TableID(Int(backlink.originTable))
    let column = ColumnID(Int(backlink.originColumn))
    let description = layout.tables[origin.index].columns[column.index]
    // Sorted by what stands as their target: the source.
    var links = PendingLinks(origin: (target.index, 0), target: origin.index, backlink: -1)
    for run in runs {
      let cluster = rows[run.lowerBound].cluster
      guard let leaf = Cluster.mutableLeaf(cluster, at: offset) else { continue }
      let count = links.entries.count
      for row in rows[run] {
        var last: UInt64?
        BacklinkLeaf.forEach(leaf, row.slot) { source in
          if last != source { links.entries.append(.init(target: source, source: row.key.rawValue, delta: 1)) }
          last = source
        }
      }
      if links.entries.count > count {
        let left = BacklinkLeaf.clearAll(leaf, rows[run].lazy.map(\.slot), store)
        Cluster.setLeaf(cluster, at: offset, left)
      }
    }
    if links.entries.isEmpty { return }
    links.sort()
    if description.type == .link, description.storage == .list || description.storage == .map {
      return removeFromCollections(links.entries, column, in: origin)
    }
    for link in links.entries {
      let source = RowKey(link.target)
      guard Directory.locate(tableRoot(origin.index), source.rawValue) != nil else { continue }
      if description.type == .mixed {
        nullifyMixed(RowKey(link.source), of: target, in: source, column, origin)
      } else if description.storage == .set {
        removeFromSet(RowKey(link.source), column, of: source, in: origin)
      } else {
        let cell = ownCell(source, origin)
        storeInt(0, cell.cluster, cell.slot, description)
        markDirty(origin.index, cell.cluster, cell.slot, column.index)
      }
    }
  }

  /// Each list or map is gone through once.
  ///
  /// - Parameter links: The owner of a collection for target, the row that is going for source; sorted.
  private func removeFromCollections(_ links: [PendingLinks.Entry], _ column: ColumnID, in table: TableID) {
    let isMap = layout.tables[table.index].columns[column.index].storage == .map
    var start = 0
    while start < links.count {
      let owner = links[start].target
      var end = start + 1
      while end < links.count, links[end].target == owner { end += 1 }
      if Directory.locate(tableRoot(table.index), owner) != nil {
        let targets = links[start..<end].map(\.source)
        if isMap {
          removeFromMap(targets, column, of: RowKey(owner), in: table)
        } else {
          removeFromList(targets, column, of: RowKey(owner), in: table)
        }
      }
      start = end
    }
  }

  private func dropOutboundLinks(
    _ key: RowKey, _ cluster: Block, _ slot: Int, _ table: TableID, _ layout: TableLayout
  ) {
    for index in 0..<layout.columnCount {
      let column = layout.columns[index]
      if column.type == .mixed { dropReferences(key, cluster, slot, column, layout.listShape(index)) }
      guard column.type == .link else { continue }
      layout.forEachLink(index, cluster, slot) { dropBacklink(to: $0, column, from: key, table, index) }
    }
  }

  private func dropBacklink(
    to target: UInt64, _ column: ColumnLayout, from key: RowKey, _ table: TableID, _ index: Int
  ) {
    // A target that is gone took its backlinks with it.
    guard Directory.locate(tableRoot(Int(column.target)), target) != nil else { return }
    addPendingLink(table.index, index, target: target, source: key.rawValue, delta: -1)
  }

  /// Gives up what only the row refers to. The leaf keeps its dead slots until the cluster is rebuilt.
  private func dropOwnedStorage(_ cluster: Block, _ slot: Int, _ layout: TableLayout) {
    for index in 0..<layout.columnCount where layout.columns[index].storage.isCollection {
      let column = layout.columns[index]
      guard let root = FixedLeaf.load(Cluster.leaf(cluster, at: Int(column.offset)), slot, as: Block?.self) else {
        continue
      }
      column.retireCollection(root, layout.listShape(index), store)
      storeFixed(Block?.none.bits, cluster, slot, column)
    }
    // Big values do not wait for the rebuild.
    for index in 0..<layout.columnCount where layout.columns[index].storage == .bytes {
      let offset = Int(layout.columns[index].offset)
      let leaf = Cluster.mutableLeaf(cluster, at: offset).unsafelyUnwrapped
      if BytesLeaf.external(leaf, slot) == nil { continue }
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      Cluster.setLeaf(
        cluster, at: offset, BytesLeaf.set(leaf, slot, empty, slotCount: Cluster.slotCount(cluster), store: store))
    }
    // Links to visible rows were cleared cluster by cluster.
    if layout.isVisible { return }
    for index in 0..<layout.backlinkCount {
      let offset = layout.backlinkOffset(index)
      guard let leaf = Cluster.mutableLeaf(cluster, at: offset), BacklinkLeaf.count(leaf, slot) > 0 else { continue }
      Cluster.setLeaf(cluster, at: offset, BacklinkLeaf.clear(leaf, slot, store))
    }
  }
}

extension Optional where Wrapped == Block {
  /// The address as a number, 0 for nil, to be stored in a fixed leaf.
  var bits: UInt64 { UInt64(UInt(bitPattern: self)) }
}
