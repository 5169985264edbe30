/// Where a mixed value is.
package struct MixedOwner: Hashable, Sendable {
  package var table: TableID
  package var column: ColumnID
  package var key: RowKey
}

extension GraphContents {
  /// The row whose mixed value holds a nested collection; nil for one that nobody owns. Those of a running
  /// transaction know when they are settled.
  ///
  /// - Complexity: O(mixed columns of the schema).
  package func owner(of collection: RowKey, in table: TableID) -> MixedOwner? {
    let first = layout.tables[table.index].firstMixedBacklink
    for (index, mixed) in layout.mixedColumns.enumerated() {
      guard let owners = backlinks(first + index, of: collection, in: table) else { continue }
      var owner: MixedOwner?
      BacklinkLeaf.forEach(owners.leaf, owners.slot) { source in
        owner = MixedOwner(table: mixed.table, column: mixed.column, key: RowKey(source))
      }
      if let owner { return owner }
    }
    return nil
  }

  /// Whether a mixed value leads to some row of a table.
  ///
  /// - Complexity: O(rows + clusters * mixed columns of the schema).
  package func hasMixedLinks(to table: TableID) -> Bool {
    let layout = layout.tables[table.index]
    var cursor = ClusterCursor(tableRoot(table))
    while let cluster = cursor.next() {
      let counts = layout.linkCounts(cluster, layout.firstMixedBacklink..<layout.backlinkCount)
      if counts.contains(where: { $0 > 0 }) { return true }
    }
    return false
  }

  /// A fault in the owners of some nested collections: one has several. If each has one, no object leads to a
  /// ring of collections.
  ///
  /// - Complexity: O(collections log collections + mixed columns of the schema for each cluster that has some of them).
  package func nestingFault(of collections: [RowKey], in table: TableID) -> String? {
    let layout = layout.tables[table.index]
    let keys = collections.sorted()
    var index = 0
    while index < keys.count {
      guard let cluster = locate(keys[index], in: table)?.cluster else {
        index += 1
        continue
      }
      let counts = layout.linkCounts(cluster, layout.firstMixedBacklink..<layout.backlinkCount)
      while index < keys.count, let location = locate(keys[index], in: table), location.cluster == cluster {
        if counts[location.slot] > 1 { return Self.nestingFault(keys[index]) }
        index += 1
      }
    }
    return nil
  }

  /// A fault in the owners of any nested collection.
  ///
  /// - Complexity: O(collections + clusters of them * mixed columns of the schema).
  package func nestingFault() -> String? {
    for case let table? in [layout.nestedLists, layout.nestedMaps] {
      let layout = layout.tables[table.index]
      var cursor = ClusterCursor(tableRoot(table))
      while let cluster = cursor.next() {
        let counts = layout.linkCounts(cluster, layout.firstMixedBacklink..<layout.backlinkCount)
        for slot in counts.indices where Cluster.isLive(cluster, slot) && counts[slot] > 1 {
          return Self.nestingFault(Cluster.key(cluster, slot))
        }
      }
    }
    return nil
  }

  private static func nestingFault(_ collection: RowKey) -> String {
    "collection \(collection.rawValue) has several owners"
  }
}

extension ChangeSet {
  /// Adds that the values holding nested collections were modified, at any depth, when those collections were.
  ///
  /// - Parameter contents: The version after the changes, settled.
  package mutating func addOwners(in contents: GraphContents) {
    let layout = contents.layout
    if layout.mixedColumns.isEmpty { return }
    var added: [TableID: [RowKey: ColumnSet]] = [:]
    var seen: Set<MixedReference> = []
    for (table, target) in [(layout.nestedLists, MixedReference.Target.lists), (layout.nestedMaps, .maps)] {
      guard let table else { continue }
      for row in tables[table.index].modified {
        var reference = MixedReference(target: target, key: row.key)
        while seen.insert(reference).inserted, let table = layout.table(of: reference),
          let owner = contents.owner(of: reference.key, in: table)
        {
          added[owner.table, default: [:]][owner.key, default: ColumnSet()].insert(owner.column)
          touch(reference, of: owner, in: contents)
          if !layout.isNested(owner.table) { break }
          reference = MixedReference(target: owner.table == layout.nestedLists ? .lists : .maps, key: owner.key)
        }
      }
    }
    for (table, rows) in added { tables[table.index].addModified(rows) }
  }

  /// Says which element of a collection holds a nested one that was modified.
  private mutating func touch(_ reference: MixedReference, of owner: MixedOwner, in contents: GraphContents) {
    let layout = contents.layout.tables[owner.table.index]
    let column = layout.columns[owner.column.index]
    if !column.storage.isCollection || tables[owner.table.index].inserted.contains(owner.key) { return }
    let root = contents.elementsRoot(column, of: owner.key, in: owner.table)
    let value: Value = reference.target == .lists ? .list(reference.key) : .map(reference.key)
    // A tag and a key are so short that they lie in the word itself.
    let word = MixedBytes.withBytes(of: value) { Blob.inlineWord($0) }
    let index = withUnsafeBytes(of: word) {
      ListTree.firstIndex(root, of: $0.baseAddress, layout.listShape(owner.column.index))
    }
    guard let index else { return }
    let count = ListTree.count(root)
    var delta = ListDelta()
    delta.append(.keep, index)
    delta.append(.touch, 1)
    delta.append(.keep, count - index - 1)
    let id = ListID(row: owner.key, column: owner.column)
    tables[owner.table.index].lists[id, default: ListDelta(count: count)].compose(with: delta)
  }
}

extension TableChanges {
  /// Adds rows that were modified; those that are new already say more.
  fileprivate mutating func addModified(_ rows: [RowKey: ColumnSet]) {
    var rows = rows
    for index in modified.indices {
      if let columns = rows.removeValue(forKey: modified[index].key) { modified[index].columns.formUnion(columns) }
    }
    if rows.isEmpty { return }
    let inserted = Set(inserted)
    for (key, columns) in rows where !inserted.contains(key) {
      modified.append(ModifiedRow(key: key, columns: columns))
    }
    modified.sort { $0.key < $1.key }
  }
}
