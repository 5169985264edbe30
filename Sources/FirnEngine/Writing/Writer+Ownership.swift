extension Writer {
  /// Deletes rows, and what goes with them: the targets of owning links, of their owning links, and so on. Links to rows
  /// that go become null, also in maps; lists and sets close up where they were. Rows that do not exist are skipped.
  ///
  /// Works through a list of what is left to do, so that long chains take no stack and cycles end.
  ///
  /// - Complexity: O(1) amortised per row, link and indexed value that is touched.
  package func delete(_ keys: [RowKey], from table: TableID) {
    guard layout.hasLinkKinds, followsLinkKinds, layout.tables[table.index].isVisible else {
      return deleteRows(keys, from: table)
    }
    var pending = [(table: table, keys: keys)]
    while let (table, keys) = pending.popLast() {
      let layout = self.layout.tables[table.index]
      client.willDelete?(table, keys)
      if !layout.denyingColumns.isEmpty { noteDenials(keys, table, layout) }
      for column in layout.owningColumns {
        var targets: [RowKey] = []
        for key in keys {
          guard let location = Directory.locate(tableRoot(table.index), key.rawValue) else { continue }
          layout.forEachLink(column, location.cluster, location.slot) { targets.append(RowKey($0)) }
        }
        if !targets.isEmpty { pending.append((TableID(Int(layout.columns[column].target)), targets)) }
      }
      deleteRows(keys, from: table)
    }
  }

  /// Notes that a row lost an owning link; see `deleteOrphans`.
  @inline(never)
  func noteOrphan(_ target: UInt64, _ column: ColumnLayout) {
    if followsLinkKinds { orphans.append((TableID(Int(column.target)), RowKey(target))) }
  }

  /// Deletes the rows whose owning links were removed, unless they were linked again.
  @inline(never)
  func deleteOrphans() {
    flushLinks()
    while let table = orphans.last?.table {
      var keys: [RowKey] = []
      while let last = orphans.last, last.table == table {
        if !isOwned(last.key, in: table) { keys.append(last.key) }
        orphans.removeLast()
      }
      keys.reverse()
      delete(keys, from: table)
    }
  }

  private func isOwned(_ key: RowKey, in table: TableID) -> Bool {
    let layout = self.layout.tables[table.index]
    return (0..<layout.firstMixedBacklink).contains { index in
      let backlink = layout.backlink(index)
      let origin = self.layout.tables[Int(backlink.originTable)]
      return origin.columns[Int(backlink.originColumn)].linkKind == .embedded
        && contents.backlinks(index, of: key, in: table).map { $0.count > 0 } ?? false
    }
  }

  // MARK: Denying

  /// Notes the targets that have to go as well if these rows may go.
  private func noteDenials(_ keys: [RowKey], _ table: TableID, _ layout: TableLayout) {
    for key in keys {
      guard let location = Directory.locate(tableRoot(table.index), key.rawValue) else { continue }
      for column in layout.denyingColumns {
        var targets: [RowKey] = []
        layout.forEachLink(column, location.cluster, location.slot) { targets.append(RowKey($0)) }
        if targets.isEmpty { continue }
        denials.append(
          Denial(
            table: table, key: key, primaryKey: layout.primaryKey.map { contents.value($0, at: location, in: layout) },
            column: ColumnID(column), targets: targets))
      }
    }
  }

  /// Why the running transaction cannot be committed; nil when it can.
  package var deletionDenied: DeletionDenied? {
    for denial in denials {
      let column = layout.tables[denial.table.index].columns[denial.column.index]
      let target = TableID(Int(column.target))
      guard let key = denial.targets.first(where: { contents.contains($0, in: target) }) else { continue }
      let targetKey = layout.tables[target.index].primaryKey.map {
        contents.value(ColumnID($0), of: key, in: target)
      }
      return DeletionDenied(
        table: denial.table, key: denial.key, primaryKey: denial.primaryKey, column: denial.column, target: target,
        targetKey: key, targetPrimaryKey: targetKey)
    }
    return nil
  }
}

/// A deleted row and what had to go with it.
struct Denial {
  let table: TableID
  let key: RowKey
  let primaryKey: Value?
  let column: ColumnID
  let targets: [RowKey]
}

/// A commit deletes a row, but not a target of its link of kind `deny`.
package struct DeletionDenied: Error, Sendable {
  package let table: TableID
  package let key: RowKey
  /// Nil in a table without primary key.
  package let primaryKey: Value?
  package let column: ColumnID
  package let target: TableID
  package let targetKey: RowKey
  package let targetPrimaryKey: Value?
}
