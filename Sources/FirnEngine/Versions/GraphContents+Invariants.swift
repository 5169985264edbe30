extension GraphContents {
  /// Traps unless all tables of the version are sound: directories, clusters, leaves, primary key indexes, and every link
  /// and indexed value mirrored at its target. Those of a running transaction are when they are settled.
  ///
  /// - Complexity: O(everything).
  package func checkInvariants() {
    for table in layout.tables { TableCheck(contents: self, layout: table).check() }
    for index in layout.orderedIndexes { checkInvariants(of: index) }
    if let fault = ownerFault() { fatalError("An owned row has one owner (violated): \(fault)") }
  }
}

/// Checks one table of a version.
private struct TableCheck {
  let contents: GraphContents
  let layout: TableLayout

  var root: UnsafeRawPointer { contents.tableRoot(TableID(layout.index)) }

  func require(_ condition: Bool, _ invariant: StaticString) {
    if !condition { fatalError("Table '\(layout.name)': \(invariant) (violated)") }
  }

  func check() {
    let height = TableRoot.height(root)
    var rowCount = 0
    if let top = TableRoot.top(root) {
      require(height > 0, "a directory has a height")
      rowCount = checkNode(top, level: height, first: 0, parentBirth: root.blockBirth)
    }
    require(rowCount == TableRoot.rowCount(root), "the root counts the rows")
    checkPrimaryKeys(rowCount)
    checkLinks()
    checkMixedLinks()
    checkPostings()
  }

  /// Returns the number of rows below.
  private func checkNode(_ node: UnsafeRawPointer, level: Int, first: UInt64, parentBirth: UInt64) -> Int {
    require(node.blockKind == Directory.kind, "a directory node is one")
    require(node.blockBirth <= parentBirth, "nothing is younger than what leads to it")
    var total = 0
    var covered: (cluster: UnsafeRawPointer, end: Int)?
    for entry in 0..<64 {
      let index = first + UInt64(entry) << UInt64(6 * (level - 1))
      var count = 0
      if let current = covered, entry < current.end {
        require(Directory.child(node, entry) == current.cluster, "a cluster fills all entries of its span")
      } else if let child = Directory.child(node, entry) {
        if level > 1 {
          count = checkNode(child, level: level - 1, first: index, parentBirth: node.blockBirth)
        } else {
          require(Cluster.base(child) == index << 8, "a cluster starts at its first entry")
          require(entry + Cluster.span(child) <= 64, "a span ends in its node")
          require(child.blockBirth <= node.blockBirth, "nothing is younger than what leads to it")
          checkCluster(child)
          count = Cluster.liveCount(child)
          covered = (child, entry + Cluster.span(child))
        }
      }
      require(Directory.count(node, entry) == count, "a directory counts the rows below each entry")
      total += count
    }
    return total
  }

  private func checkCluster(_ cluster: UnsafeRawPointer) {
    let slotCount = Cluster.slotCount(cluster)
    let span = Cluster.span(cluster)
    require(cluster.blockKind == Cluster.kind, "a cluster is one")
    require(slotCount <= Cluster.slotCapacity, "a cluster has at most 256 slots")
    require(span >= 1 && span & (span - 1) == 0, "a span is a power of two")
    require(Cluster.base(cluster) >> 8 & UInt64(span - 1) == 0, "a span is aligned")
    require(SlotMask.count(Cluster.live(cluster)) == Cluster.liveCount(cluster), "a cluster counts its rows")
    for slot in slotCount..<256 { require(!Cluster.isLive(cluster, slot), "no row lies beyond the slots") }
    if let offsets = Cluster.offsets(cluster) {
      for slot in 0..<slotCount {
        require(Int(offsets[slot]) < span * 256, "an offset lies in the span")
        require(slot == 0 || offsets[slot - 1] < offsets[slot], "offsets ascend")
      }
    } else {
      require(span == 1, "a dense cluster has one entry")
    }
    for index in 0..<layout.columnCount { checkLeaf(cluster, layout.columns[index], index, slotCount) }
    for index in 0..<layout.backlinkCount {
      let leaf = Cluster.optionalLeaf(cluster, at: layout.backlinkOffset(index))
      BacklinkLeaf.checkInvariants(leaf)
      for slot in 0..<256 where slot >= slotCount || !Cluster.isLive(cluster, slot) {
        require(BacklinkLeaf.count(leaf, slot) == 0, "dead rows have no backlinks")
      }
    }
  }

  private func checkLeaf(_ cluster: UnsafeRawPointer, _ column: ColumnLayout, _ index: Int, _ slotCount: Int) {
    if column.storage == .bits { return }
    guard let leaf = Cluster.optionalLeaf(cluster, at: Int(column.offset)) else {
      return require(slotCount == 0, "a cluster with rows has all leaves")
    }
    switch column.storage {
    case .bits: break
    case .int, .link, .interned: IntLeaf.checkInvariants(leaf, slotCount: slotCount)
    case .bytes: BytesLeaf.checkInvariants(leaf, slotCount: slotCount)
    case .fixed:
      FixedLeaf.checkInvariants(leaf, slotCount: slotCount)
      require(leaf.blockShift == column.elementSize, "a fixed leaf has the column's size")
    case .list, .set, .map:
      FixedLeaf.checkInvariants(leaf, slotCount: slotCount)
      for slot in 0..<slotCount where Cluster.isLive(cluster, slot) {
        column.checkCollection(FixedLeaf.load(leaf, slot, as: UnsafeRawPointer?.self), layout.listShape(index))
      }
    }
  }

  private func checkPrimaryKeys(_ rowCount: Int) {
    let index = TableRoot.primaryKeyIndex(root)
    guard let primaryKey = layout.primaryKey else {
      return require(index == nil, "a table without primary key has no index for it")
    }
    HashIndex.checkInvariants(root: index)
    require(HashIndex.count(index) == rowCount, "the primary key index has every row")
    let table = TableID(layout.index)
    contents.forEachKey(in: table) { key in
      let value = contents.value(ColumnID(primaryKey), of: key, in: table)
      require(contents.find(primaryKey: value, in: table)?.key == key, "a row is found by its primary key")
    }
  }

  /// Every link of this table has its backlink, and there are no others.
  private func checkLinks() {
    let table = TableID(layout.index)
    for index in 0..<layout.columnCount where layout.columns[index].type == .link {
      let column = layout.columns[index]
      let target = TableID(Int(column.target))
      var links: [UInt64: [UInt64]] = [:]
      contents.forEachKey(in: table) { key in
        if column.storage.isCollection {
          for position in 0..<contents.listCount(ColumnID(index), of: key, in: table) {
            let value = contents.listValue(at: position, of: ColumnID(index), of: key, in: table)
            if case .link(let to) = value { links[to.rawValue, default: []].append(key.rawValue) }
          }
        } else if case .link(let to) = contents.value(ColumnID(index), of: key, in: table) {
          links[to.rawValue, default: []].append(key.rawValue)
        }
      }
      compare(links, Int(column.backlink), target)
    }
  }

  /// Every row of an owned table has one owner.
  /// What mixed values lead to has its backlink, and there are no others. A nested collection has one owner at most.
  private func checkMixedLinks() {
    let table = TableID(layout.index)
    for index in 0..<layout.columnCount where layout.columns[index].type == .mixed {
      let column = layout.columns[index]
      var links: [TableID: [UInt64: [UInt64]]] = [:]
      func add(_ value: Value, _ source: RowKey) {
        let reference: MixedReference
        switch value {
        case .object(let number, let key): reference = MixedReference(target: .table(number), key: key)
        case .list(let key): reference = MixedReference(target: .lists, key: key)
        case .map(let key): reference = MixedReference(target: .maps, key: key)
        default: return
        }
        guard let target = contents.layout.table(of: reference) else {
          return require(false, "a mixed value leads to a known table")
        }
        links[target, default: [:]][reference.key.rawValue, default: []].append(source.rawValue)
      }
      contents.forEachKey(in: table) { key in
        if column.storage.isCollection {
          for position in 0..<contents.listCount(ColumnID(index), of: key, in: table) {
            add(contents.listValue(at: position, of: ColumnID(index), of: key, in: table), key)
          }
        } else {
          add(contents.value(ColumnID(index), of: key, in: table), key)
        }
      }
      for target in 0..<contents.layout.visibleCount {
        let backlink = contents.layout.tables[target].firstMixedBacklink + Int(column.backlink)
        compare(links[TableID(target)] ?? [:], backlink, TableID(target))
      }
    }
  }

  private func checkPostings() {
    let table = TableID(layout.index)
    for index in 0..<layout.columnCount where layout.columns[index].isIndexed {
      let column = layout.columns[index]
      let target = TableID(Int(column.target))
      var postings: [UInt64: [UInt64]] = [:]
      contents.forEachKey(in: table) { key in
        let value = contents.value(ColumnID(index), of: key, in: table)
        if value == .null { return }
        guard let entry = contents.find(primaryKey: value, in: target) else {
          return require(false, "an indexed value has an entry")
        }
        postings[entry.key.rawValue, default: []].append(key.rawValue)
      }
      compare(postings, 0, target)
      require(contents.rowCount(target) == postings.count, "every entry of an index has a row")
    }
  }

  private func compare(_ sources: [UInt64: [UInt64]], _ backlink: Int, _ target: TableID) {
    for key in sources.keys {
      require(contents.contains(RowKey(key), in: target), "a link leads to a row")
    }
    contents.forEachKey(in: target) { key in
      var found: [UInt64] = []
      if let postings = contents.backlinks(backlink, of: key, in: target) {
        BacklinkLeaf.forEach(postings.leaf, postings.slot) { found.append($0) }
      }
      require(found == sources[key.rawValue] ?? [], "links and backlinks mirror each other")
    }
  }
}
