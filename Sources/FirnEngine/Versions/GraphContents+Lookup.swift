extension GraphContents {
  /// Whether rows were deleted between an older version and this one.
  ///
  /// - Complexity: O(tables).
  package func isMissingRows(of older: GraphContents) -> Bool {
    var table = 0
    while table < layout.visibleCount {
      let before = VersionRoot.table(older.root, table)
      let after = VersionRoot.table(root, table)
      if before != after, TableRoot.deletionCount(before) != TableRoot.deletionCount(after) { return true }
      table &+= 1
    }
    return false
  }

  /// The row whose primary key is `key`.
  ///
  /// - Complexity: O(1); three cold cache lines besides those of the row itself.
  @inlinable
  package func find<Key: ColumnKey>(_ key: Key, in table: TableID) -> RowLocation? {
    let layout = layout.tables[table.index]
    guard let primaryKey = layout.primaryKey else { return nil }
    return find(key, in: tableRoot(table), column: layout.columns[primaryKey])
  }

  @inlinable @inline(__always)
  package func find<Key: ColumnKey>(_ key: Key, in root: UnsafeRawPointer, column: ColumnLayout) -> RowLocation? {
    guard let index = TableRoot.primaryKeyIndex(root) else { return nil }
    var found: RowLocation?
    _ = HashIndex.find(root: index, hash: key.hash(seed: layout.seed)) { row in
      guard let location = Directory.locate(root, row), key.matches(location.cluster, location.slot, column) else {
        return false
      }
      found = location
      return true
    }
    return found
  }

  /// The row whose primary key is `value`.
  package func find(primaryKey value: Value, in table: TableID) -> RowLocation? {
    value.withColumnKey { find(opening: $0, in: table) }
  }

  private func find(opening key: some ColumnKey, in table: TableID) -> RowLocation? { find(key, in: table) }

  /// The posting list of a value in a hash index: the backlinks of its row in the value table.
  ///
  /// Nil when no row has the value. The pointer is the `BacklinkLeaf`, to be read at the returned slot.
  @inlinable
  package func postings<Key: ColumnKey>(_ key: Key, column: ColumnLayout) -> Postings? {
    let valueTable = Int(column.target)
    let valueLayout = layout.tables[valueTable]
    guard let location = find(key, in: VersionRoot.table(root, valueTable), column: valueLayout.columns[0]),
      let leaf = Cluster.optionalLeaf(location.cluster, at: valueLayout.backlinkOffset(0))
    else { return nil }
    return Postings(leaf: leaf, slot: location.slot)
  }

  package func postings(value: Value, column: ColumnLayout) -> Postings? {
    value.withColumnKey { postings(opening: $0, column: column) }
  }

  private func postings(opening key: some ColumnKey, column: ColumnLayout) -> Postings? {
    postings(key, column: column)
  }

  /// The rows that link to `key` through one column; nil, or empty, when there are none.
  package func backlinks(_ backlink: Int, of key: RowKey, in table: TableID) -> Postings? {
    locate(key, in: table).flatMap { backlinks(backlink, of: $0, in: table) }
  }

  /// The same for a row that was located.
  package func backlinks(_ backlink: Int, of location: RowLocation, in table: TableID) -> Postings? {
    let offset = withLayout(of: table) { $0.backlinkOffset(backlink) }
    return Cluster.optionalLeaf(location.cluster, at: offset).map { Postings(leaf: $0, slot: location.slot) }
  }
}

/// The rows that refer to one target row, ascending; a row that refers to it several times appears as often.
@usableFromInline
package struct Postings {
  @usableFromInline package let leaf: UnsafeRawPointer
  @usableFromInline package let slot: Int

  @inlinable
  package init(leaf: UnsafeRawPointer, slot: Int) {
    self.leaf = leaf
    self.slot = slot
  }

  @inlinable
  package var count: Int { BacklinkLeaf.count(leaf, slot) }

  @inlinable
  package func forEachKey(_ body: (RowKey) -> Void) {
    BacklinkLeaf.forEach(leaf, slot) { body(RowKey($0)) }
  }

  /// The row at a position; nil outside of `0..<count`. O(log n).
  package func key(at position: Int) -> RowKey? {
    position >= 0 && position < count ? RowKey(BacklinkLeaf.source(leaf, slot, at: position)) : nil
  }

  /// Where a row is: as many positions as it refers to the target. O(log n).
  package func positions(of key: RowKey) -> Range<Int> {
    BacklinkLeaf.rank(leaf, slot, key.rawValue)..<BacklinkLeaf.rank(leaf, slot, key.rawValue &+ 1)
  }
}
