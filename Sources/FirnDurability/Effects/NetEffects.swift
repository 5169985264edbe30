package import FirnEngine

/// The net effect of consecutive commits, put together from their effects, to be written against the newest version.
package struct NetEffects {
  /// The rows that changed on the whole.
  package private(set) var changes: ChangeSet
  private let map: CatalogueMap
  private var nextKeys: [UInt64?]
  /// Lists that were given whole at least once, so that nobody knows what happened to them.
  private var wholeLists: [Set<ListID>]
  /// The encoded primary keys of deleted rows; nil for null.
  private var primaryKeys: [[RowKey: [UInt8]?]]

  package init(map: CatalogueMap) {
    self.map = map
    changes = ChangeSet(tableCount: map.tables.count)
    nextKeys = Array(repeating: nil, count: map.tables.count)
    wholeLists = Array(repeating: [], count: map.tables.count)
    primaryKeys = Array(repeating: [:], count: map.tables.count)
  }

  /// Adds the effects of the next commit, decoded with the same map. Throws when they cannot follow on what was added before;
  /// then nothing has changed.
  package mutating func add(_ effects: Effects) throws(EffectsError) {
    var later = effects.changeSet()
    try check(effects, later)
    effects.forEachList { table, list, delta in
      if delta == nil { wholeLists[table.index].insert(list) }
    }
    for table in later.tables.indices where !wholeLists[table].isEmpty {
      for list in wholeLists[table] {
        changes.tables[table].lists[list] = nil
        later.tables[table].lists[list] = nil
      }
    }
    changes.merge(later)
    for table in effects.tables {
      nextKeys[table.table.index] = table.nextKey
      guard let column = table.deletedPrimaryKeys else { continue }
      effects.bytes.withUnsafeBytes { bytes in
        var cursor = CellCursor(column, in: bytes)
        for key in table.deleted {
          let value = cursor.nextEncoded()
          primaryKeys[table.table.index].updateValue(value, forKey: key)
        }
      }
    }
  }

  private func check(_ effects: Effects, _ later: ChangeSet) throws(EffectsError) {
    for table in effects.tables {
      let index = table.table.index
      let before = nextKeys[index] ?? 0
      if table.nextKey < before || (table.inserted.first?.rawValue ?? .max) < before {
        throw EffectsError("Keys of table '\(map.tables[index].description.name)' go back.")
      }
      for (list, delta) in later.tables[index].lists where !wholeLists[index].contains(list) {
        if let earlier = changes.tables[index].lists[list], earlier.newCount != delta.oldCount {
          throw EffectsError("A list of '\(map.tables[index].description.name)' has another length than expected.")
        }
      }
    }
  }

  /// Appends the effects that lead from the version before the first commit to `snapshot`, the version after the last.
  ///
  /// Throws when a row is missing there.
  package func encode(snapshot: Snapshot, into writer: inout ByteWriter) throws(EffectsError) {
    for (index, table) in changes.tables.enumerated() {
      for key in table.inserted { try check(key, TableID(index), snapshot) }
      for row in table.modified { try check(row.key, TableID(index), snapshot) }
      for key in table.deleted where map.tables[index].primaryKey != nil && primaryKeys[index][key] == nil {
        throw EffectsError("The primary key of row \(key.rawValue) of '\(name(index))' is not known.")
      }
    }
    EffectsEncoder.encode(
      changes, snapshot: snapshot, map: map, into: &writer,
      newKeys: { table in
        // Every table that was named once has a next key; a range from 0 says so.
        nextKeys[table.index].map { 0..<$0 } ?? 0..<0
      },
      primaryKeys: { keys, table, writer in
        let description = map.tables[table.index].description
        guard let column = map.tables[table.index].primaryKey else { return }
        let values = keys.map { primaryKeys[table.index][$0] ?? nil }
        if description.columns[column].isNullable { writer.appendBits(values.count) { values[$0] == nil } }
        if description.columns[column].type == .bool {
          let bools = values.compactMap { $0?.first }
          writer.appendBits(bools.count) { bools[$0] != 0 }
        } else {
          for value in values { if let value { writer.append(value) } }
        }
      })
  }

  private func check(_ key: RowKey, _ table: TableID, _ snapshot: Snapshot) throws(EffectsError) {
    if !snapshot.contains(key, in: table) {
      throw EffectsError("Row \(key.rawValue) of '\(name(table.index))' is not where the commits lead to.")
    }
  }

  private func name(_ table: Int) -> String { map.tables[table].description.name }
}
