internal import FirnEngine

/// Gives rows whose class has become embedded their owners.
struct EmbeddedRows {
  /// Copies may lead to rows that have to be copied as well, so often.
  private static let depthMax = 64

  let old: Catalogue
  let new: Catalogue
  let map: CatalogueMap

  /// Rows to which nothing links go; those to which several links lead are copied, so that each link has its own.
  ///
  /// Throws when a mixed value leads to such a row, because nothing owns what it leads to, and when rows lead to themselves.
  func settle(_ writer: Writer) throws {
    let became = new.ownedTables.subtracting(old.ownedTables).filter { old.index(of: $0) != nil }.sorted()
    if became.isEmpty { return }
    for id in became { try checkMixed(id, writer) }
    var owned: [UInt32: Set<RowKey>] = [:]
    var depth = 0
    // The links of a copy are links as well.
    while try became.reduce(false, { try giveOwners($1, &owned, writer) || $0 }) {
      depth += 1
      if depth > Self.depthMax { throw refusal(became[0], "has objects that lead to themselves through its links") }
      owned = [:]
    }
    for id in became {
      guard let table = map.table(id) else { continue }
      var unowned: [RowKey] = []
      writer.contents.forEachKey(in: table) { if owned[id]?.contains($0) != true { unowned.append($0) } }
      writer.delete(unowned, from: table)
    }
  }

  /// - Returns: Whether a row was copied.
  private func giveOwners(_ id: UInt32, _ owned: inout [UInt32: Set<RowKey>], _ writer: Writer) throws -> Bool {
    guard let target = map.table(id) else { return false }
    let copier = RowCopier(writer: writer)
    var isCopied = false
    var claimed = owned[id] ?? []
    for origin in new.tables {
      guard let table = map.table(origin.id) else { continue }
      var keys: [RowKey] = []
      for column in origin.columns where column.targetTableID == id {
        guard let place = map.column(column.id, in: table) else { continue }
        if keys.isEmpty { writer.contents.forEachKey(in: table) { keys.append($0) } }
        for key in keys {
          copier.replaceLinks(place, of: key, in: table) { link in
            if claimed.insert(link).inserted { return link }
            isCopied = true
            let copy = copier.copy(link, of: target)
            claimed.insert(copy)
            return copy
          }
        }
      }
    }
    owned[id] = claimed
    return isCopied
  }

  private func checkMixed(_ id: UInt32, _ writer: Writer) throws {
    guard let table = map.table(id) else { return }
    if writer.settledContents.hasMixedLinks(to: table) { throw refusal(id, "has objects that mixed values lead to") }
  }

  private func refusal(_ id: UInt32, _ problem: String) -> StoreError {
    let name = new.index(of: id).map { new.tables[$0].name } ?? ""
    return StoreError(
      .fail,
      "Class '\(name)' cannot become embedded: it \(problem). Change that in the migrationBlock. The store was not changed."
    )
  }
}

/// Copies rows together with what belongs to them.
struct RowCopier {
  let writer: Writer

  /// A copy of a row. Embedded rows and collections in mixed values are copied too, other links lead to the same rows.
  ///
  /// - Complexity: O(values that belong to the row).
  func copy(_ key: RowKey, of table: TableID) -> RowKey {
    let layout = writer.layout.tables[table.index]
    let columns = (0..<layout.columnCount).map { ColumnID($0) }
    let values = columns.map { column in
      layout.columns[column.index].storage.isCollection
        ? .null : own(writer.contents.value(column, of: key, in: table), column, layout)
    }
    let new = writer.insert(into: table) { row in
      for column in columns where !layout.columns[column.index].storage.isCollection {
        if case .link(let target) = values[column.index] {
          row.setLink(column, target)
        } else if layout.columns[column.index].type != .link {
          row.set(column, values[column.index])
        }
      }
    }
    for column in columns where layout.columns[column.index].storage.isCollection {
      for index in 0..<writer.contents.listCount(column, of: key, in: table) {
        let value = own(writer.contents.listValue(at: index, of: column, of: key, in: table), column, layout)
        switch layout.columns[column.index].storage {
        case .map:
          let name = writer.contents.mapKey(at: index, of: column, of: key, in: table)
          writer.set(value, forKey: name, ofMap: column, of: new, in: table)
        case .set: writer.insert(value, intoSet: column, of: new, in: table)
        default: writer.insert(value, at: index, of: column, of: new, in: table)
        }
      }
    }
    return new
  }

  /// The value for a copy: what can have one owner only is copied.
  private func own(_ value: Value, _ column: ColumnID, _ layout: TableLayout) -> Value {
    switch value {
    case .link(let target) where layout.columns[column.index].linkKind == .embedded:
      .link(copy(target, of: TableID(Int(layout.columns[column.index].target))))
    case .list(let key): writer.layout.nestedLists.map { .list(copy(key, of: $0)) } ?? .null
    case .map(let key): writer.layout.nestedMaps.map { .map(copy(key, of: $0)) } ?? .null
    default: value
    }
  }

  /// Lets each link of a column lead where `target` says.
  func replaceLinks(_ column: ColumnID, of key: RowKey, in table: TableID, _ target: (RowKey) -> RowKey) {
    let storage = writer.layout.tables[table.index].columns[column.index].storage
    if !storage.isCollection {
      guard case .link(let old) = writer.contents.value(column, of: key, in: table) else { return }
      let new = target(old)
      if new != old { writer.setLink(column, of: key, in: table, to: new) }
      return
    }
    for index in 0..<writer.contents.listCount(column, of: key, in: table) {
      guard case .link(let old) = writer.contents.listValue(at: index, of: column, of: key, in: table) else { continue }
      let new = target(old)
      if new == old { continue }
      if storage == .map {
        let name = writer.contents.mapKey(at: index, of: column, of: key, in: table)
        writer.set(.link(new), forKey: name, ofMap: column, of: key, in: table)
      } else {
        writer.replace(at: index, with: .link(new), of: column, of: key, in: table)
      }
    }
  }
}
