package import FirnEngine

/// The net effect of consecutive commits, put together from their effects, to be written against the newest version.
package struct NetEffects {
  private var changes = ConsecutiveChanges()
  private let map: CatalogueMap
  private var nextKeys: [UInt64?]
  /// How many elements lists have that were changed, by table.
  private var listCounts: [[ListID: Int]]
  /// Lists that were given whole at least once, so that nobody knows what happened to them.
  private var wholeLists: [Set<ListID>]
  /// Those of deleted rows.
  private var primaryKeys: [DeletedPrimaryKeys]

  package init(map: CatalogueMap) {
    self.map = map
    listCounts = Array(repeating: [:], count: map.tables.count)
    nextKeys = Array(repeating: nil, count: map.tables.count)
    wholeLists = Array(repeating: [], count: map.tables.count)
    primaryKeys = Array(repeating: DeletedPrimaryKeys(), count: map.tables.count)
  }

  /// Adds the effects of the next commit, decoded with the same map. Throws when they cannot follow on what was added before;
  /// then nothing has changed.
  ///
  /// - Complexity: O(bytes of the effects * log n) after n commits, amortised.
  package mutating func add(_ effects: Effects) throws(EffectsError) {
    var later = effects.changeSet()
    try check(effects, later)
    effects.forEachList { table, list, delta in
      if delta == nil { wholeLists[table.index].insert(list) }
    }
    for table in later.tables.touched where !later.tables[table].lists.isEmpty {
      if !wholeLists[table].isEmpty {
        later.tables[table].lists = later.tables[table].lists.filter { !wholeLists[table].contains($0.key) }
      }
      for (list, delta) in later.tables[table].lists { listCounts[table][list] = delta.newCount }
    }
    changes.append(later)
    for table in effects.tables {
      nextKeys[table.table.index] = table.nextKey
      guard let column = table.deletedPrimaryKeys else { continue }
      effects.bytes.withUnsafeBytes { bytes in
        var cursor = CellCursor(column, in: bytes)
        for key in table.deleted { primaryKeys[table.table.index].append(key, &cursor) }
      }
    }
  }

  /// The rows that changed on the whole.
  private mutating func mergedChanges() -> ChangeSet {
    var changes = changes.merged() ?? ChangeSet(tableCount: map.tables.count)
    for table in wholeLists.indices {
      for list in wholeLists[table] { changes.tables[table].lists[list] = nil }
    }
    return changes
  }

  private func check(_ effects: Effects, _ later: ChangeSet) throws(EffectsError) {
    for table in effects.tables {
      let index = table.table.index
      let before = nextKeys[index] ?? 0
      if table.nextKey < before || (table.inserted.first?.rawValue ?? .max) < before {
        throw EffectsError("Keys of table '\(map.tables[index].description.name)' go back.")
      }
      for (list, delta) in later.tables[index].lists where !wholeLists[index].contains(list) {
        if let count = listCounts[index][list], count != delta.oldCount {
          throw EffectsError("A list of '\(map.tables[index].description.name)' has another length than expected.")
        }
      }
    }
  }

  /// Appends the effects that lead from the version before the first commit to `contents`, the version after the last.
  ///
  /// Throws when a row is missing there.
  package mutating func encode(contents: GraphContents, into writer: inout ByteWriter) throws(EffectsError) {
    let changes = mergedChanges()
    for index in changes.tables.touched {
      let table = changes.tables[index]
      for key in table.inserted { try check(key, TableID(index), contents) }
      for row in table.modified { try check(row.key, TableID(index), contents) }
      if map.tables[index].primaryKey == nil { continue }
      if let key = primaryKeys[index].firstMissing(of: table.deleted) {
        throw EffectsError("The primary key of row \(key.rawValue) of '\(name(index))' is not known.")
      }
    }
    let primaryKeys = primaryKeys
    EffectsEncoder.encode(
      changes, contents: contents, map: map, into: &writer,
      newKeys: { table in
        // Every table that was named once has a next key; a range from 0 says so.
        nextKeys[table.index].map { 0..<$0 } ?? 0..<0
      },
      primaryKeys: { keys, table, writer in
        let description = map.tables[table.index].description
        guard let column = map.tables[table.index].primaryKey else { return }
        let found = primaryKeys[table.index].select(keys)
        if description.columns[column].isNullable { writer.appendBits(found.count) { found[$0].isNull } }
        if description.columns[column].type == .bool {
          let bools = found.filter { !$0.isNull }
          writer.appendBits(bools.count) { primaryKeys[table.index].bytes[bools[$0].start] != 0 }
        } else {
          primaryKeys[table.index].bytes.withUnsafeBytes { bytes in
            for value in found { writer.append(UnsafeRawBufferPointer(rebasing: bytes[value.start..<value.end])) }
          }
        }
      })
  }

  private func check(_ key: RowKey, _ table: TableID, _ contents: GraphContents) throws(EffectsError) {
    if !contents.contains(key, in: table) {
      throw EffectsError("Row \(key.rawValue) of '\(name(table.index))' is not where the commits lead to.")
    }
  }

  private func name(_ table: Int) -> String { map.tables[table].description.name }
}

/// The encoded primary keys of deleted rows, in the order in which they were deleted. No row is deleted twice.
private struct DeletedPrimaryKeys {
  struct Place {
    let key: RowKey
    /// Where its value lies in `bytes`; a bool is one byte there.
    let start, end: Int
    let isNull: Bool
  }

  private var places: [Place] = []
  private(set) var bytes: [UInt8] = []
  private var isAscending = true

  mutating func append(_ key: RowKey, _ cursor: inout CellCursor) {
    let start = bytes.count
    let isNull = !cursor.appendNextEncoded(to: &bytes)
    if let last = places.last, key < last.key { isAscending = false }
    places.append(Place(key: key, start: start, end: bytes.count, isNull: isNull))
  }

  /// The first of some ascending keys that is not known. Brings the keys into their order.
  mutating func firstMissing(of keys: [RowKey]) -> RowKey? {
    if !isAscending {
      places.sort { $0.key < $1.key }
      isAscending = true
    }
    var next = 0
    for key in keys {
      while next < places.count, places[next].key < key { next += 1 }
      if next == places.count || places[next].key != key { return key }
    }
    return nil
  }

  /// Those of ascending keys, all of which are known.
  func select(_ keys: [RowKey]) -> [Place] {
    if keys.count == places.count { return places }
    var next = 0
    return keys.map { key in
      while places[next].key < key { next += 1 }
      return places[next]
    }
  }
}
