internal import FirnEngine

/// One property of a key path.
enum PathStep: Hashable {
  /// A property of the row; of a link or list, also the way to its targets.
  case column(ColumnID)
  /// A `LinkingObjects` property, by its place in the model: the way to the rows of a table that link through a column.
  case backlinks(property: Int, origin: TableID, column: ColumnID)

  /// The properties that names stand for. Traps when one does not exist.
  static func steps(_ names: [String], from table: Int, _ store: Store) -> [PathStep] {
    var table: Int? = table
    var owner = store.model(table.unsafelyUnwrapped).name
    return names.map { name in
      guard let current = table else { Self.trap(name, owner) }
      let model = store.model(current)
      if let index = model.linkingProperties.firstIndex(where: { $0.name == name }) {
        let origin = store.schema.origin(of: model.linkingProperties[index])
        table = origin.table.index
        owner = store.model(origin.table.index).name
        return .backlinks(property: index, origin: origin.table, column: origin.column)
      }
      let columns = store.graph.layout.schema[current].columns
      guard let column = columns.firstIndex(where: { $0.name == name }) else { Self.trap(name, owner) }
      table = columns[column].target?.index
      owner = table.map { store.model($0).name } ?? "\(owner).\(name)"
      return .column(ColumnID(column))
    }
  }

  private static func trap(_ name: String, _ owner: String) -> Never {
    fatalError("Invalid key path: property '\(name)' not found in object of type '\(owner)'.")
  }

  /// The table that the step leads to from another; nil behind a value.
  func target(from table: Int, _ layout: GraphLayout) -> Int? {
    switch self {
    case .column(let column):
      let target = Int(layout.tables[table].columns[column.index].target)
      return layout.tables[table].columns[column.index].type == .link ? target : nil
    case .backlinks(_, let origin, _): return origin.index
    }
  }
}

extension ChangeStep {
  /// The rows of a table from which a path leads to something that was written, behind its first property; and those to
  /// which other rows link, if that is what the first property shows.
  ///
  /// Exact: climbs from what was written, only along the path.
  func rowsReaching(_ path: [PathStep], from table: Int) -> Set<RowKey> {
    rowsReaching(path, from: table, visiting: .max) ?? []
  }

  /// The same, nil if there are more than `limit` at some step.
  func rowsReaching(_ path: [PathStep], from table: Int, visiting limit: Int) -> Set<RowKey>? {
    var tables = [table]
    for step in path.dropLast() {
      guard let next = step.target(from: tables[tables.count - 1], new.layout) else { break }
      tables.append(next)
    }
    // The rows one step further down that count.
    var below: Set<RowKey> = []
    for (level, table) in tables.enumerated().reversed() {
      var rows: Set<RowKey> = []
      switch path[level] {
      case .column(let column):
        let backlink = Int(new.layout.tables[table].columns[column.index].backlink)
        for row in below {
          guard let sources = new.backlinks(backlink, of: row, in: TableID(tables[level + 1])) else { continue }
          if sources.count > limit { return nil }
          BacklinkLeaf.forEach(sources.leaf, sources.slot) { rows.insert(RowKey($0)) }
          if rows.count > limit { return nil }
        }
        if level > 0 {
          for row in changes.tables[table].modified where row.columns.contains(column) { rows.insert(row.key) }
        }
      case .backlinks(_, let origin, let column):
        for row in below { new.forEachLink(column, of: row, in: origin) { rows.insert($0) } }
        forEachChangedLink(origin, column) { rows.insert($0) }
      }
      below = rows
    }
    return below
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
    case .backlinks(_, let origin, let column):
      let place = BacklinkPlace(origin: origin, column: column, target: TableID(table), row: key)
      if haveChanged(place) { return true }
      if !rest.isEmpty, let postings = place.postings(new) {
        var sources = KeyIterator(BacklinkLeaf.sources(postings.leaf, postings.slot))
        while !isFound, let source = sources.next() { check(RowKey(source), target) }
      }
    }
    return isFound
  }

  /// The rows of a table whose links through a column may be others than before.
  private func rows(_ origin: TableID, linkingOtherwiseThrough column: ColumnID) -> [RowKey] {
    let changes = changes.tables[origin.index]
    return changes.inserted + changes.deleted
      + changes.modified.compactMap { $0.columns.contains(column) ? $0.key : nil }
  }

  private func haveChanged(_ place: BacklinkPlace) -> Bool {
    let (before, after) = (place.postings(old), place.postings(new))
    if before == nil, after == nil { return false }
    return rows(place.origin, linkingOtherwiseThrough: place.column).contains {
      (before?.positions(of: $0).count ?? 0) != (after?.positions(of: $0).count ?? 0)
    }
  }

  /// Calls `body` with the rows to which a row links through a column, if it did not as often before.
  private func forEachChangedLink(_ origin: TableID, _ column: ColumnID, _ body: (RowKey) -> Void) {
    let target = TableID(Int(new.layout.tables[origin.index].columns[column.index].target))
    for row in rows(origin, linkingOtherwiseThrough: column) {
      var targets: Set<RowKey> = []
      old.forEachLink(column, of: row, in: origin) { targets.insert($0) }
      new.forEachLink(column, of: row, in: origin) { targets.insert($0) }
      for key in targets {
        let place = BacklinkPlace(origin: origin, column: column, target: target, row: key)
        let before = place.postings(old)?.positions(of: row).count ?? 0
        if before != place.postings(new)?.positions(of: row).count ?? 0 { body(key) }
      }
    }
  }
}
