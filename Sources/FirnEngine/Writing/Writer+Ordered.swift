// Rows leave ordered indexes.
extension Writer {
  /// Called before a cell is written that ordered indexes read.
  @inline(never)
  func willWriteOrdered(_ table: Int, _ key: UInt64, _ column: ColumnID) {
    for way in layout.orderedReach.readers(of: column, in: table) { takeOut(way, key) }
  }

  /// Called before rows are deleted.
  func willDeleteOrdered(_ keys: [RowKey], from table: Int) {
    for way in layout.orderedReach.dependents(on: table) {
      for key in keys where Directory.locate(tableRoot(table), key.rawValue) != nil { takeOut(way, key.rawValue) }
    }
  }

  /// Called after rows were inserted.
  @inline(never)
  func didInsertOrdered(_ table: Int) {
    for index in layout.orderedIndexes where index.table.index == table { open(index.number) }
    tables[table].hasNewOrdered = true
  }

  private func open(_ number: Int) {
    if ordered[number].isOpen { return }
    ordered[number].isOpen = true
    openOrdered.append(number)
  }

  /// Takes the rows out of an index that lead to a row.
  private func takeOut(_ way: OrderedReach.Way, _ key: UInt64) {
    open(way.index)
    if ordered[way.index].isDropped { return }
    let index = layout.orderedIndexes[way.index]
    if way.links.isEmpty { return takeOut(index, key) }
    let start = OrderedState.Climb(links: way.links, row: key)
    if ordered[way.index].hasClimbed(start) { return }
    flushLinks()
    let climbedCount = climb(way.links[...], from: key, index, placeValue(way, key, index))
    orderedWork.climbedLinks &+= climbedCount
    if !ordered[way.index].isDropped { ordered[way.index].didClimb(start, climbedCount) }
  }

  /// The value of all rows of an index of places that lead to a row, when that is where the places lie.
  ///
  /// Everything that is needed to take them out lies somewhere else in memory, so it is fetched at once: the links back and
  /// the type while the cell is computed, and the leaf of the tree while links are followed.
  private func placeValue(_ way: OrderedReach.Way, _ key: UInt64, _ index: OrderedIndex) -> OrderedValue? {
    guard let place = index.place, place.linkCount == way.links.count, let link = way.links.first,
      let end = contents.locate(RowKey(key), in: TableID(place.table))
    else { return nil }
    place.fetchType(end)
    let offset = layout.tables[place.table].backlinkOffset(link.backlink)
    if let leaf = Cluster.optionalLeaf(end.cluster, at: offset) { BacklinkLeaf.fetch(leaf, end.slot) }
    let cell = place.cell(at: end)
    if let cell, let root = orderedRoot(index) { OrderedTree.fetchLeaf(root, index.code(cell).bits) }
    return cell.flatMap { place.isPoint(end, contents) ? $0 : nil } ?? OrderedValue(.null)
  }

  /// Returns how many links were followed.
  private func climb(
    _ links: ArraySlice<OrderedReach.Link>, from key: UInt64, _ index: OrderedIndex, _ value: OrderedValue?
  ) -> Int {
    guard let link = links.first else {
      takeOut(index, key, value)
      return 0
    }
    let target = Int(layout.tables[link.origin].columns[link.column].target)
    guard let sources = contents.backlinks(link.backlink, of: RowKey(key), in: TableID(target)) else { return 0 }
    var count = sources.count
    // Taking rows out changes no backlinks.
    var keys = KeyIterator(BacklinkLeaf.sources(sources.leaf, sources.slot))
    while !ordered[index.number].isDropped, let source = keys.next() {
      count += climb(links.dropFirst(), from: source, index, value)
    }
    return count
  }

  /// Takes a row out of an index if it is there.
  ///
  /// - Parameter value: Its only value if that is known.
  private func takeOut(_ index: OrderedIndex, _ key: UInt64, _ value: OrderedValue? = nil) {
    let state = ordered + index.number
    guard state.pointee.holds(key) else { return }
    let contents = self.contents
    guard let location = contents.locate(RowKey(key), in: index.table) else {
      fatalError("The index '\(index.name)' lacks a row.")
    }
    // It is read again when the row comes back.
    if value != nil { index.place?.fetchLink(of: location) }
    var root = orderedRoot(index)
    let isFound = index.withValues(of: location, contents, known: value) { values in
      OrderedProbe(values, index, contents).remove(key, from: &root, store)
    }
    if !isFound { fatalError("The index '\(index.name)' does not hold a row where its values are.") }
    setOrderedRoot(index, root)
    orderedWork.movedRows &+= 1
    state.pointee.out.insert(key)
    if Self.isMany(state.pointee.out.count, of: OrderedTree.count(root)) { drop(index) }
  }

  /// Whether building an index anew is cheaper than moving so many of its rows.
  private static func isMany(_ moved: Int, of count: Int) -> Bool { moved > 64 && moved &* 16 > count }

  /// Gives the tree up, to be built anew.
  private func drop(_ index: OrderedIndex) {
    let state = ordered + index.number
    OrderedTree.retireAll(orderedRoot(index), store)
    setOrderedRoot(index, nil)
    state.pointee.isDropped = true
    state.pointee.out.removeAll(keepingCapacity: false)
    state.pointee.forgetClimbs()
  }

  private func orderedRoot(_ index: OrderedIndex) -> Block? {
    contents.root(of: index).map { UnsafeMutableRawPointer(mutating: $0) }
  }

  private func setOrderedRoot(_ index: OrderedIndex, _ indexRoot: Block?) {
    ownRoot()
    VersionRoot.setIndex(root, index.slot, indexRoot)
  }
}

// Rows come back.
extension Writer {
  /// Brings all ordered indexes up to date.
  func settleOrdered() {
    if openOrdered.isEmpty { return }
    flushLinks()
    for number in openOrdered { settle(layout.orderedIndexes[number]) }
    openOrdered.removeAll(keepingCapacity: true)
  }

  /// Brings one ordered index up to date.
  package func settleOrdered(_ number: Int) {
    guard let place = openOrdered.firstIndex(of: number) else { return }
    flushLinks()
    settle(layout.orderedIndexes[number])
    openOrdered.remove(at: place)
  }

  private func settle(_ index: OrderedIndex) {
    let state = ordered + index.number
    let table = index.table.index
    tables[table].hasNewOrdered = false
    let newCount =
      contents.rowCount(index.table) - contents.rank(of: RowKey(state.pointee.firstNewKey), in: index.table)
    let comingCount = state.pointee.out.count + newCount
    let count = OrderedTree.count(contents.root(of: index))
    if !state.pointee.isDropped, Self.isMany(comingCount, of: count) { drop(index) }
    if state.pointee.isDropped, isReplaying { return reset(state, table, isDropped: true) }
    if state.pointee.isDropped {
      let built = OrderedBuilder(index: index, contents: contents).build(store)
      setOrderedRoot(index, built.root)
      orderedWork.builtRows &+= OrderedTree.count(built.root)
      state.pointee.suspects = built.suspects
    } else {
      for key in state.pointee.out.sorted() { putIn(key, index) }
      if newCount > 0 { putInNew(index, from: state.pointee.firstNewKey) }
    }
    reset(state, table)
  }

  private func reset(_ state: UnsafeMutablePointer<OrderedState>, _ table: Int, isDropped: Bool = false) {
    state.pointee.firstNewKey = tables[table].nextKey
    state.pointee.isOpen = false
    state.pointee.isDropped = isDropped
    state.pointee.out.removeAll(keepingCapacity: state.pointee.out.count < 4096)
    state.pointee.forgetClimbs()
  }

  private func putInNew(_ index: OrderedIndex, from first: UInt64) {
    var clusters = ClusterCursor(tableRoot(index.table.index), from: first)
    while let cluster = clusters.next() {
      let end = Cluster.slotCount(cluster)
      // Often one new row comes after many.
      var start = end
      while start > 0, Cluster.key(cluster, start &- 1).rawValue >= first { start &-= 1 }
      for slot in start..<end where Cluster.isLive(cluster, slot) {
        putIn(Cluster.key(cluster, slot).rawValue, index)
      }
    }
  }

  /// Puts a row into an index if it lives.
  private func putIn(_ key: UInt64, _ index: OrderedIndex) {
    let contents = self.contents
    guard let location = contents.locate(RowKey(key), in: index.table) else { return }
    index.withValues(of: location, contents) { values in
      let probe = OrderedProbe(values, index, contents)
      let root = orderedRoot(index)
      if index.isUnique, !probe.hasNull, probe.hasEqual(root, around: probe.rank(root, .row(key))) {
        ordered[index.number].suspects.insert(key)
      }
      orderedWork.movedRows &+= 1
      setOrderedRoot(index, probe.insert(key, into: root, store))
    }
  }

  /// Builds the indexes that replayed transactions left, in the newest version, which nobody holds.
  func buildDroppedIndexes() {
    for index in layout.orderedIndexes where ordered[index.number].isDropped {
      let built = OrderedBuilder(index: index, contents: contents).build(store)
      VersionRoot.setIndex(root, index.slot, built.root)
      ordered[index.number].suspects = built.suspects
      ordered[index.number].isDropped = false
    }
  }

  /// Forgets what the transaction took out, when it has been cancelled.
  func cancelOrdered() {
    for number in openOrdered {
      let state = ordered + number
      reset(state, layout.orderedIndexes[number].table.index)
      tables[layout.orderedIndexes[number].table.index].hasNewOrdered = false
    }
    openOrdered.removeAll(keepingCapacity: true)
  }
}

extension OrderedProbe {
  /// Whether the entry at a position of a tree, or the one before it, has all the values.
  fileprivate func hasEqual(_ root: UnsafeRawPointer?, around position: Int) -> Bool {
    guard let root else { return false }
    if position > 0, order(of: OrderedTree.select(root, position - 1)) == 0 { return true }
    return position < OrderedTree.count(root) && order(of: OrderedTree.select(root, position)) == 0
  }
}
