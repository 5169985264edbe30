package import FirnEngine

/// Writes what a commit did as effects: keys and values of section 2 of the format page.
///
/// Reads the leaves directly, column by column. A commit of up to 32 rows of a table in one set of columns allocates nothing.
package enum EffectsEncoder {
  /// Appends the effects of a commit.
  ///
  /// - Complexity: O(cells written + tables of the graph).
  package static func encode(_ commit: LoggedCommit, map: CatalogueMap, into writer: inout ByteWriter) {
    encode(
      commit.changes, previous: commit.previous, contents: commit.contents, map: map, into: &writer,
      newKeys: { commit.newKeys(of: $0) })
  }

  /// Appends effects.
  ///
  /// - Parameters:
  ///   - changes: What changed between the versions. All rows it names have to be there.
  ///   - previous: Where rows that were deleted are found, for their primary keys.
  ///   - contents: Where rows that were inserted or modified are found.
  ///   - newKeys: The keys that were given out in a table; empty, at the table's next key, if there are none.
  package static func encode(
    _ changes: ChangeSet, previous: GraphContents, contents: GraphContents, map: CatalogueMap,
    into writer: inout ByteWriter,
    newKeys: (TableID) -> Range<UInt64>
  ) {
    encode(
      changes, contents: contents, map: map, into: &writer, newKeys: newKeys,
      primaryKeys: { keys, table, writer in
        TableEncoder(table, contents: previous, layout: previous.layout, map: map)
          .encodePrimaryKeys(keys, into: &writer)
      })
  }

  /// - Parameter primaryKeys: Appends the cells of the primary keys of deleted rows.
  static func encode(
    _ changes: ChangeSet, contents: GraphContents, map: CatalogueMap, into writer: inout ByteWriter,
    newKeys: (TableID) -> Range<UInt64>, primaryKeys: ([RowKey], TableID, inout ByteWriter) -> Void
  ) {
    // The arrays are read in place: a copy of `TableChanges` is four counted references.
    let tables = changes.tables
    var tableCount = 0
    for index in 0..<tables.count where !tables[index].isEmpty || !newKeys(TableID(index)).isEmpty {
      tableCount &+= 1
    }
    writer.appendVarint(tableCount)
    let layout = contents.layout
    for index in 0..<tables.count {
      let table = TableID(index)
      let newKeys = newKeys(table)
      if tables[index].isEmpty, newKeys.isEmpty { continue }
      let encoder = TableEncoder(table, contents: contents, layout: layout, map: map)
      tables.withChanges(of: index) { encoder.encode($0, nextKey: newKeys.upperBound, into: &writer) }
      let deleted = tables[index].deleted
      writer.appendVarint(deleted.count)
      writer.append(ascending: deleted)
      if deleted.isEmpty || encoder.primaryKey < 0 {
        writer.append(UInt8(0))
        continue
      }
      writer.append(UInt8(1))
      writer.appendVarint(UInt64(encoder.ids[encoder.primaryKey]))
      primaryKeys(deleted, table, &writer)
    }
  }
}

/// Writes the effects on one table. Holds no references, so that it costs nothing to make; valid as long as the layout of the
/// graph and the map.
struct TableEncoder {
  let table: TableID
  let contents: GraphContents
  let root: UnsafeRawPointer
  let columns: UnsafeMutablePointer<ColumnLayout>
  let columnCount: Int
  /// The position of the primary key, -1 without.
  let primaryKey: Int
  private let layout: Unmanaged<TableLayout>
  /// The number of the table and those of its columns.
  let id: UInt32
  let ids: UnsafePointer<UInt32>

  init(_ table: TableID, contents: GraphContents, layout: GraphLayout, map: CatalogueMap) {
    self.table = table
    self.contents = contents
    root = contents.tableRoot(table)
    let layout = layout.tables[table.index]
    self.layout = .passUnretained(layout)
    columns = layout.columns
    columnCount = layout.columnCount
    primaryKey = layout.primaryKey ?? -1
    id = map.numbers[table.index].table
    ids = map.numbers[table.index].columns
  }

  func listShape(_ column: Int) -> ListShape { layout._withUnsafeGuaranteedRef { $0.listShape(column) } }

  /// Everything up to the deletions.
  func encode(_ changes: UnsafePointer<TableChanges>, nextKey: UInt64, into writer: inout ByteWriter) {
    writer.appendVarint(UInt64(id))
    writer.appendVarint(nextKey)
    writer.appendVarint(changes.pointee.inserted.count)
    if changes.pointee.inserted.isEmpty {
      writer.append(UInt8(0))
    } else {
      writer.append(ascending: changes.pointee.inserted)
      writer.appendVarint(columnCount)
      withLocations(
        changes.pointee.inserted.count, { changes.pointee.inserted[$0] },
        { rows in
          for column in 0..<columnCount {
            writer.appendVarint(UInt64(ids[column]))
            encodeCells(column, rows, changes: nil, into: &writer)
          }
        })
    }
    encodeGroups(changes, into: &writer)
  }

  func encodePrimaryKeys(_ keys: [RowKey], into writer: inout ByteWriter) {
    if primaryKey < 0 { return }
    withLocations(keys.count, { keys[$0] }, { encodeCells(primaryKey, $0, changes: nil, into: &writer) })
  }

  // MARK: Modified rows

  private func encodeGroups(_ changes: UnsafePointer<TableChanges>, into writer: inout ByteWriter) {
    changes.pointee.modified.withUnsafeBufferPointer { modified in
      guard let first = modified.first else { return writer.append(UInt8(0)) }
      var index = 1
      while index < modified.count, modified[index].columns == first.columns { index &+= 1 }
      if index < modified.count { return encodeMixedGroups(modified, changes, into: &writer) }
      if columns(first).isEmpty { return writer.append(UInt8(0)) }
      writer.append(UInt8(1))
      encodeGroup(first, modified.count, { modified[$0].key }, changes, into: &writer)
    }
  }

  @inline(never)
  private func encodeMixedGroups(
    _ modified: UnsafeBufferPointer<ModifiedRow>, _ changes: UnsafePointer<TableChanges>,
    into writer: inout ByteWriter
  ) {
    var places: [ColumnSet: Int] = [:]
    var groups: [[Int]] = []
    for (index, row) in modified.enumerated() {
      if columns(row).isEmpty { continue }
      if let place = places[row.columns] {
        groups[place].append(index)
      } else {
        places[row.columns] = groups.count
        groups.append([index])
      }
    }
    writer.appendVarint(groups.count)
    for rows in groups {
      encodeGroup(modified[rows[0]], rows.count, { modified[rows[$0]].key }, changes, into: &writer)
    }
  }

  /// The columns of a row without its primary key, which does not change.
  @inline(__always)
  func columns(_ row: ModifiedRow) -> ColumnSet {
    var columns = row.columns
    if primaryKey >= 0 { columns.remove(ColumnID(primaryKey)) }
    return columns
  }

  @inline(__always)
  private func encodeGroup(
    _ first: ModifiedRow, _ count: Int, _ key: (Int) -> RowKey, _ changes: UnsafePointer<TableChanges>,
    into writer: inout ByteWriter
  ) {
    let columns = columns(first)
    writer.appendVarint(columns.count)
    columns.forEachColumn { writer.appendVarint(UInt64(ids[$0.index])) }
    writer.appendVarint(count)
    writer.append(ascending: count, key)
    withLocations(count, key) { rows in
      columns.forEachColumn { encodeCells($0.index, rows, changes: changes, into: &writer) }
    }
  }

  // MARK: Rows

  /// Finds rows by ascending keys.
  @inline(__always)
  func withLocations(
    _ count: Int, _ key: (Int) -> RowKey, _ body: (UnsafeBufferPointer<RowLocation>) -> Void
  ) {
    if count <= 32 {
      withUnsafeTemporaryAllocation(of: RowLocation.self, capacity: 32) { rows in
        locate(count, key, rows)
        body(UnsafeBufferPointer(rebasing: rows[..<count]))
      }
    } else {
      withUnsafeTemporaryAllocation(of: RowLocation.self, capacity: count) { rows in
        locate(count, key, rows)
        body(UnsafeBufferPointer(rows))
      }
    }
  }

  @inline(__always)
  private func locate(_ count: Int, _ key: (Int) -> RowKey, _ rows: UnsafeMutableBufferPointer<RowLocation>) {
    var clusterIndex = UInt64.max
    var cluster = root
    var index = 0
    while index < count {
      let key = key(index).rawValue
      if key &>> 8 != clusterIndex {
        guard let found = Directory.cluster(root, of: key) else { missing(key) }
        cluster = found
        clusterIndex = key &>> 8
      }
      guard let slot = Cluster.slot(cluster, of: key) else { missing(key) }
      rows.initializeElement(at: index, to: RowLocation(cluster: cluster, slot: slot))
      index &+= 1
    }
  }

  @inline(never)
  private func missing(_ key: UInt64) -> Never {
    fatalError("The changes name row \(key) of '\(layout._withUnsafeGuaranteedRef { $0.name })', which is not there.")
  }
}

extension ByteWriter {
  /// Appends ascending keys: the first, then each difference less one.
  @inline(__always)
  mutating func append(ascending count: Int, _ key: (Int) -> RowKey) {
    var last: UInt64 = .max
    var index = 0
    while index < count {
      let key = key(index).rawValue
      appendVarint(key &- last &- 1)
      last = key
      index &+= 1
    }
  }

  mutating func append(ascending keys: [RowKey]) { append(ascending: keys.count) { keys[$0] } }
}
