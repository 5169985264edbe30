extension Writer {
  /// Inserts a row and fills it.
  ///
  /// `fill` sets columns of the new row through the inserter; columns that it leaves out become null, or else zero,
  /// false or empty. It must not touch the graph in another way. A primary key must be set and must not exist yet: look
  /// it up first.
  ///
  /// - Complexity: O(1) amortised.
  @discardableResult
  package func insert(into table: TableID, fill: (inout RowInserter) -> Void) -> RowKey {
    var inserter = beginInsert(table.index)
    fill(&inserter)
    _ = endInsert(&inserter, isUnique: true)
    return RowKey(inserter.key)
  }

  /// Inserts a row like ``insert(into:fill:)`` unless its primary key exists: then the row that has it is returned, and
  /// the transaction must be cancelled.
  package func insertUnique(
    into table: TableID, fill: (inout RowInserter) -> Void
  ) -> (key: RowKey, existing: RowKey?) {
    var inserter = beginInsert(table.index)
    fill(&inserter)
    return (RowKey(inserter.key), endInsert(&inserter, isUnique: false))
  }

  /// The key that the next row of a table gets.
  package func nextKey(of table: TableID) -> RowKey { RowKey(tables[table.index].nextKey) }

  /// The keys that the running transaction has given out in a table.
  package func newKeys(of table: TableID) -> Range<UInt64> {
    let state = tables + table.index
    let next = state.pointee.nextKey
    return (state.pointee.isActive ? state.pointee.firstNewKey : next)..<next
  }

  /// Leaves keys out: the next row of a table gets `key`, unless it would get a greater one anyway. At most 2^40.
  package func skipKeys(of table: TableID, to key: RowKey) {
    activate(table.index)
    tables[table.index].nextKey = max(tables[table.index].nextKey, min(key.rawValue, 1 << 40))
  }

  private func beginInsert(_ table: Int) -> RowInserter {
    activate(table)
    let key = tables[table].nextKey
    // A table has no more rows than it has given keys.
    if key >= UInt64(store.limits.rowCountMax) { checkRoom(table, key) }
    tables[table].nextKey = key + 1
    let cluster = ownCluster(table, of: key) ?? addCluster(table, of: key)
    return RowInserter(
      writer: self, layout: layout.tables[table], table: table, key: key, cluster: cluster, slot: Int(key & 255))
  }

  /// Refuses the commit when a table has no room for another row. The transaction goes on, as far as keys go.
  @inline(never)
  private func checkRoom(_ table: Int, _ key: UInt64) {
    let name = layout.tables[table].name
    let limits = store.limits
    if store.exceeds(TableRoot.rowCount(tableRoot(table)) + 1, limits.rowCountMax) {
      refuseCommit(
        "Class '\(name)' has \(limits.rowCountMax) objects, which is the most. Delete some before adding others.")
    }
    if key >= limits.keyMax {
      refuseCommit(
        "Objects of class '\(name)' have been added \(key) times, and their number in the database is not given out again. "
          + "Copy what is there into a new database.")
    }
    if key >> 40 != 0 {
      fatalError("A transaction has added more objects of class '\(name)' than there are numbers for.")
    }
  }

  /// - Parameter isUnique: Whether the primary key is known to be new.
  /// - Returns: The row that has the primary key already.
  private func endInsert(_ inserter: inout RowInserter, isUnique: Bool) -> RowKey? {
    inserter.fillMissing()
    let cluster = inserter.cluster
    let table = inserter.table
    if !isUnique, let hash = inserter.primaryKeyHash, let existing = row(like: inserter, hash: hash) { return existing }
    Cluster.setSlotCount(cluster, inserter.slot + 1)
    Cluster.setBit(cluster, Cluster.liveOffset, inserter.slot, true)
    Cluster.setLiveCount(cluster, Cluster.liveCount(cluster) + 1)
    addToCounts(table, of: inserter.key, 1)
    tables[table].touchLog?.append(RowKey(inserter.key))
    if inserter.layout.hasOrderedIndexes, !tables[table].hasNewOrdered { didInsertOrdered(table) }
    if let hash = inserter.primaryKeyHash {
      let tableRoot = ownTable(table)
      TableRoot.setPrimaryKeyIndex(
        tableRoot,
        HashIndex.insert(TableRoot.mutablePrimaryKeyIndex(tableRoot), hash: hash, row: inserter.key, store: store))
    }
    return nil
  }

  /// The row with the primary key of the one being inserted.
  private func row(like inserter: RowInserter, hash: UInt64) -> RowKey? {
    let layout = inserter.layout
    guard let column = layout.primaryKey,
      let index = TableRoot.primaryKeyIndex(tableRoot(inserter.table))
    else { return nil }
    let root = tableRoot(inserter.table)
    let contents = contents
    var value: Value?
    let found = HashIndex.find(root: index, hash: hash) { row in
      guard let location = Directory.locate(root, row) else { return false }
      // Rarely reached for a key that is new: most of the hash agrees.
      let new = RowLocation(cluster: UnsafeRawPointer(inserter.cluster), slot: inserter.slot)
      let wanted = value ?? contents.value(column, at: new, in: layout)
      value = wanted
      return contents.value(column, at: location, in: layout) == wanted
    }
    return found.map { RowKey($0) }
  }

  /// A new, empty cluster at the end of the table.
  private func addCluster(_ table: Int, of key: UInt64) -> Block {
    let cluster = Cluster.make(base: key & ~255, layout: layout.tables[table], store: store)
    setCluster(table, cluster)
    forgetLastCluster()
    // The cluster that was last until now may have lost rows while it was being filled.
    if key >> 8 > 0 { tables[table].sparseCandidates.append((key & ~255) - 1) }
    return cluster
  }
}

/// Fills a new row, column by column. Each column is set at most once.
package struct RowInserter {
  package let writer: Writer
  package let layout: TableLayout
  let table: Int
  let key: UInt64
  let cluster: Block
  let slot: Int
  private let columns: UnsafeMutablePointer<ColumnLayout>
  private let store: BlockStore
  var filled = ColumnSet()
  var primaryKeyHash: UInt64?

  init(writer: Writer, layout: TableLayout, table: Int, key: UInt64, cluster: Block, slot: Int) {
    self.writer = writer
    self.layout = layout
    self.table = table
    self.key = key
    self.cluster = cluster
    self.slot = slot
    columns = layout.columns
    store = writer.store
  }

  /// Sets a link of a row that this transaction has inserted, and whose link is null.
  package static func setNewLink(
    _ writer: Writer, _ column: ColumnID, of key: RowKey, in table: TableID, to target: RowKey
  ) {
    let cell = writer.ownCell(key, table)
    let description = writer.layout.tables[table.index].columns[column.index]
    if description.isOrdered { writer.willWriteOrdered(table.index, key.rawValue, column) }
    writer.storeInt(Int64(target.rawValue) &+ 1, cell.cluster, cell.slot, description)
    writer.addPendingLink(table.index, column.index, target: target.rawValue, source: key.rawValue, delta: 1)
  }

  /// The key that the row will have.
  package var rowKey: RowKey { RowKey(key) }

  package mutating func setInt(_ column: ColumnID, _ value: Int64) { setCell(column, value) }
  package mutating func setBool(_ column: ColumnID, _ value: Bool) { setCell(column, value) }
  package mutating func setDouble(_ column: ColumnID, _ value: Double) { setCell(column, value) }
  package mutating func setFloat(_ column: ColumnID, _ value: Float) { setCell(column, value) }
  package mutating func setBytes12(_ column: ColumnID, _ value: Bytes12) { setCell(column, value) }
  package mutating func setBytes16(_ column: ColumnID, _ value: Bytes16) { setCell(column, value) }

  @inline(__always)
  private mutating func setCell(_ column: ColumnID, _ value: some CellValue) {
    let description = columns[column.index]
    filled.insert(column)
    value.append(self, description)
    if description.isPrimaryKey { primaryKeyHash = value.key.hash(seed: writer.layout.seed) }
    if description.isIndexed { writer.addPosting(value.key, table, column.index, description, key) }
  }

  /// Sets a string or data column.
  package mutating func setBytes(_ column: ColumnID, _ bytes: UnsafeRawBufferPointer) {
    let description = columns[column.index]
    filled.insert(column)
    if description.storage == .interned {
      let entry = writer.addPosting(BytesKey(bytes), table, column.index, description, key)
      appendInt(description, Int64(bitPattern: entry) &+ 1)
      return
    }
    appendBytes(description, bytes)
    if description.isPrimaryKey { primaryKeyHash = BytesKey(bytes).hash(seed: writer.layout.seed) }
  }

  /// Sets a link. The target must exist.
  package mutating func setLink(_ column: ColumnID, _ target: RowKey?) {
    let description = columns[column.index]
    filled.insert(column)
    guard let target else { return appendInt(description, 0) }
    appendInt(description, Int64(target.rawValue) &+ 1)
    writer.addPendingLink(table, column.index, target: target.rawValue, source: key, delta: 1)
  }

  /// Whether a column holds mixed values, single ones.
  package func isMixed(_ column: ColumnID) -> Bool { columns[column.index].type == .mixed }

  /// Sets a mixed column. What the value leads to must exist.
  package mutating func setMixed(_ column: ColumnID, _ value: Value) {
    if value == .null { return setNull(column) }
    MixedBytes.withBytes(of: value) { setMixedBytes(column, $0) }
  }

  /// Sets a mixed column to bytes in the right form.
  package mutating func setMixedBytes(_ column: ColumnID, _ bytes: UnsafeRawBufferPointer) {
    let description = columns[column.index]
    filled.insert(column)
    appendBytes(description, bytes)
    writer.addReference(bytes, description, RowKey(key))
  }

  package mutating func setNull(_ column: ColumnID) {
    let description = columns[column.index]
    filled.insert(column)
    appendDefault(description)
    if description.nullOffset != 0 { Cluster.setBit(cluster, Int(description.nullOffset), slot, true) }
    if description.isPrimaryKey { primaryKeyHash = NullKey().hash(seed: writer.layout.seed) }
  }

  /// Sets a column of any type but a collection.
  package mutating func set(_ column: ColumnID, _ value: Value) {
    if columns[column.index].type == .mixed { return setMixed(column, value) }
    switch value {
    case .null: setNull(column)
    case .bool(let value): setBool(column, value)
    case .int(let value): setInt(column, value)
    case .float(let value): setFloat(column, value)
    case .double(let value), .date(let value): setDouble(column, value)
    case .string(let bytes), .data(let bytes): bytes.withUnsafeBytes { setBytes(column, $0) }
    case .objectID(let value): setBytes12(column, value)
    case .uuid(let value), .decimal128(let value): setBytes16(column, value)
    case .link(let target): setLink(column, target)
    case .object, .list, .map: setMixed(column, value)
    }
  }

  mutating func fillMissing() {
    if filled.count == layout.columnCount { return }
    for index in 0..<layout.columnCount where !filled.contains(ColumnID(index)) {
      let description = columns[index]
      if description.isPrimaryKey, !description.isNullable {
        fatalError("A row of '\(layout.name)' was inserted without its primary key.")
      }
      if let value = layout.insertDefaults[index] {
        set(ColumnID(index), value)
      } else if description.isNullable || description.isPrimaryKey {
        setNull(ColumnID(index))
      } else if description.isIndexed {
        setDefault(ColumnID(index), description)
      } else {
        appendDefault(description)
      }
    }
  }

  /// Sets the zero of an indexed column, which has a posting like any other value.
  private mutating func setDefault(_ column: ColumnID, _ description: ColumnLayout) {
    switch description.type {
    case .bool: setBool(column, false)
    case .int: setInt(column, 0)
    case .date, .double: setDouble(column, 0)
    case .objectID: setBytes12(column, Bytes12(0, 0, 0))
    case .uuid, .decimal128: setBytes16(column, Bytes16(low: 0, high: 0))
    case .string, .data: setBytes(column, UnsafeRawBufferPointer(start: nil, count: 0))
    case .float, .link, .mixed: appendDefault(description)
    }
  }

  private func appendDefault(_ description: ColumnLayout) {
    switch description.storage {
    case .bits: Cluster.setBit(cluster, Int(description.offset), slot, false)
    case .int, .link, .interned: appendInt(description, 0)
    case .bytes: appendBytes(description, UnsafeRawBufferPointer(start: nil, count: 0))
    case .list, .set, .map: appendFixed(description, UInt64(0))
    case .fixed:
      switch description.elementSize {
      case 4: appendFixed(description, UInt32(0))
      case 8: appendFixed(description, UInt64(0))
      case 12: appendFixed(description, Bytes12(0, 0, 0))
      default: appendFixed(description, Bytes16(low: 0, high: 0))
      }
    }
  }

  @inline(__always)
  func appendInt(_ description: ColumnLayout, _ value: Int64) {
    let offset = Int(description.offset)
    let leaf = Cluster.mutableLeaf(cluster, at: offset)
    if let leaf, store.owns(leaf), leaf.blockWritten == slot, slot < IntLeaf.capacity(leaf),
      IntLeaf.storeInPlace(leaf, slot, value)
    {
      leaf.blockWritten = slot &+ 1
      return
    }
    Cluster.setLeaf(
      cluster, at: offset, IntLeaf.set(leaf, slot, value, slotCount: Cluster.slotCount(cluster), store: store))
  }

  @inline(__always)
  func appendFixed<T: BitwiseCopyable>(_ description: ColumnLayout, _ value: T) {
    let offset = Int(description.offset)
    let leaf = Cluster.mutableLeaf(cluster, at: offset)
    let end = FixedLeaf.valuesOffset &+ (slot &+ 1) &* MemoryLayout<T>.size
    if let leaf, store.owns(leaf), leaf.blockWritten == slot, end &+ 32 <= leaf.blockSize {
      leaf.storeBytes(of: value, toByteOffset: end &- MemoryLayout<T>.size, as: T.self)
      leaf.blockWritten = slot &+ 1
      return
    }
    Cluster.setLeaf(
      cluster, at: offset, FixedLeaf.set(leaf, slot, value, slotCount: Cluster.slotCount(cluster), store: store))
  }

  @inline(__always)
  private func appendBytes(_ description: ColumnLayout, _ bytes: UnsafeRawBufferPointer) {
    let offset = Int(description.offset)
    let leaf = Cluster.mutableLeaf(cluster, at: offset)
    Cluster.setLeaf(
      cluster, at: offset, BytesLeaf.set(leaf, slot, bytes, slotCount: Cluster.slotCount(cluster), store: store))
  }
}
