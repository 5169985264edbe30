import FirnEngine

extension Step {
  /// The rows of a table from which a path leads to something that was written, behind its first property; and those to
  /// which other rows link, if that is what the first property shows. Nil if more than `limit` links would be followed.
  func rowsReaching(_ path: [PathStep], from table: Int, following limit: Int) -> Set<RowKey>? {
    var rows: [Set<RowKey>] = []
    for (level, table) in PathStep.tables(along: path, from: table, new.layout).enumerated() {
      var counting: Set<RowKey> = []
      switch path[level] {
      case .column(let column) where level > 0:
        for row in changes.tables[table].modified where row.columns.contains(column) { counting.insert(row.key) }
      case .column: break
      case .backlinks(let origin, let column):
        changes.forEachChangedLink(origin, column, old: old, new: new) { counting.insert($0) }
      }
      rows.append(counting)
    }
    if rows.allSatisfy(\.isEmpty) { return [] }
    return new.rowsReaching(along: path, from: table, rows, following: limit, counting: &counters.rowsClimbed)
  }

  /// Whether a path from one row leads, behind its first property, to something that was written; or whether other rows
  /// link to it than before, if that is what the first property shows. Walks down the links.
  func isWritten(_ path: ArraySlice<PathStep>, from key: RowKey, in table: Int) -> Bool {
    guard let first = path.first else { return false }
    let rest = path.dropFirst()
    var isFound = false
    func check(_ key: RowKey, _ table: Int) {
      if isFound { return }
      if case .column(let column) = rest.first, written(key, in: table).contains(column) {
        isFound = true
      } else {
        isFound = isWritten(rest, from: key, in: table)
      }
    }
    guard let target = first.target(from: table, new.layout) else { return false }
    switch first {
    case .column(let link):
      if !rest.isEmpty { new.forEachLink(link, of: key, in: TableID(table)) { check($0, target) } }
    case .backlinks(let origin, let column):
      let place = BacklinkPlace(origin: origin, column: column, target: TableID(table), row: key)
      if haveChanged(place) { return true }
      if !rest.isEmpty, let postings = place.postings(new) {
        var sources = KeyIterator(BacklinkLeaf.sources(postings.leaf, postings.slot))
        while !isFound, let source = sources.next() { check(RowKey(source), target) }
      }
    }
    return isFound
  }

  private func haveChanged(_ place: BacklinkPlace) -> Bool {
    let (before, after) = (place.postings(old), place.postings(new))
    if before == nil, after == nil { return false }
    return changes.rows(place.origin, linkingOtherwiseThrough: place.column).contains {
      (before?.positions(of: $0).count ?? 0) != (after?.positions(of: $0).count ?? 0)
    }
  }
}

extension ChangeSet {
  /// The rows of a table whose links through a column may be others than before.
  fileprivate func rows(_ origin: TableID, linkingOtherwiseThrough column: ColumnID) -> [RowKey] {
    let changes = tables[origin.index]
    return changes.inserted + changes.deleted
      + changes.modified.compactMap { $0.columns.contains(column) ? $0.key : nil }
  }

  /// Calls `body` with the rows that exist and to which a row links through a column otherwise than before: more often, less
  /// often, or not any more.
  func forEachChangedLink(
    _ origin: TableID, _ column: ColumnID, old: GraphContents, new: GraphContents, _ body: (RowKey) -> Void
  ) {
    let target = TableID(Int(new.layout.tables[origin.index].columns[column.index].target))
    for row in rows(origin, linkingOtherwiseThrough: column) {
      var targets: Set<RowKey> = []
      old.forEachLink(column, of: row, in: origin) { targets.insert($0) }
      new.forEachLink(column, of: row, in: origin) { targets.insert($0) }
      for key in targets where new.contains(key, in: target) {
        let place = BacklinkPlace(origin: origin, column: column, target: target, row: key)
        let before = place.postings(old)?.positions(of: row).count ?? 0
        if before != place.postings(new)?.positions(of: row).count ?? 0 { body(key) }
      }
    }
  }
}
