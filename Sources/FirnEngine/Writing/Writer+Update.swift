extension Writer {
  package func setInt(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Int64) {
    setCell(column, key, table, value)
  }

  package func setBool(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Bool) {
    setCell(column, key, table, value)
  }

  package func setDouble(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Double) {
    setCell(column, key, table, value)
  }

  package func setFloat(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Float) {
    setCell(column, key, table, value)
  }

  package func setBytes12(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Bytes12) {
    setCell(column, key, table, value)
  }

  package func setBytes16(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Bytes16) {
    setCell(column, key, table, value)
  }

  @inline(__always)
  private func setCell(_ column: ColumnID, _ key: RowKey, _ table: TableID, _ value: some CellValue) {
    if client.skipsEqualWrites, holds(value.value, column, of: key, in: table) { return }
    update(column, key, table) { cluster, slot, description in
      replacePosting(value.key, cluster, slot, table, column, description, key)
      value.store(self, cluster, slot, description)
    }
  }

  /// Sets a string or data column.
  package func setBytes(_ column: ColumnID, of key: RowKey, in table: TableID, to bytes: UnsafeRawBufferPointer) {
    if client.skipsEqualWrites, holds(.data(Array(bytes)), column, of: key, in: table) { return }
    update(column, key, table) { cluster, slot, description in
      if description.storage == .interned {
        let old = IntLeaf.value(Cluster.leaf(cluster, at: Int(description.offset)), slot)
        if old != 0 {
          if contents.internedBytes(old, in: Int(description.target)).elementsEqual(bytes) { return }
          addPendingLink(table.index, column.index, target: UInt64(old - 1), source: key.rawValue, delta: -1)
        }
        let entry = addPosting(BytesKey(bytes), table.index, column.index, description, key.rawValue)
        return storeInt(Int64(bitPattern: entry) &+ 1, cluster, slot, description)
      }
      let offset = Int(description.offset)
      let leaf = Cluster.mutableLeaf(cluster, at: offset).unsafelyUnwrapped
      Cluster.setLeaf(
        cluster, at: offset,
        BytesLeaf.set(leaf, slot, bytes, slotCount: Cluster.slotCount(cluster), store: store))
    }
  }

  /// Sets a link; the target must exist.
  package func setLink(_ column: ColumnID, of key: RowKey, in table: TableID, to target: RowKey?) {
    if client.skipsEqualWrites, holds(target.map { .link($0) } ?? .null, column, of: key, in: table) { return }
    update(column, key, table) { cluster, slot, description in
      if description.linkKind == .embedded {
        let old = IntLeaf.value(Cluster.leaf(cluster, at: Int(description.offset)), slot)
        if old != 0 { noteOrphan(UInt64(old - 1), description) }
      }
      storeLink(target, cluster, slot, table, column, description, key)
    }
    if !orphans.isEmpty { deleteOrphans() }
  }

  /// Sets a mixed column. A nested collection that was there goes; what the value leads to must exist.
  package func setMixed(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Value) {
    if value == .null { return setNull(column, of: key, in: table) }
    MixedBytes.withBytes(of: value) { setMixedBytes(column, of: key, in: table, to: $0) }
  }

  /// Sets a mixed column to bytes in the right form.
  package func setMixedBytes(
    _ column: ColumnID, of key: RowKey, in table: TableID, to bytes: UnsafeRawBufferPointer
  ) {
    if client.skipsEqualWrites, holdsMixed(bytes, column, of: key, in: table) { return }
    update(column, key, table) { cluster, slot, description in
      let offset = Int(description.offset)
      var isSame = false
      if !Cluster.bit(cluster, Int(description.nullOffset), slot) {
        let old = BytesLeaf.bytes(Cluster.leaf(cluster, at: offset), slot)
        isSame = compareBytes(old, bytes) == 0
        if !isSame { dropReference(old, description, key) }
      }
      if isSame { return }
      addReference(bytes, description, key)
      let leaf = Cluster.mutableLeaf(cluster, at: offset).unsafelyUnwrapped
      Cluster.setLeaf(
        cluster, at: offset,
        BytesLeaf.set(leaf, slot, bytes, slotCount: Cluster.slotCount(cluster), store: store))
    }
    deleteReleasedCollections()
  }

  /// Sets a column to null; a link loses its target.
  package func setNull(_ column: ColumnID, of key: RowKey, in table: TableID) {
    let description = layout.tables[table.index].columns[column.index]
    if description.storage == .link { return setLink(column, of: key, in: table, to: nil) }
    guard description.isNullable else {
      fatalError("'\(name(table, column))' is not optional and cannot be set to null.")
    }
    if client.skipsEqualWrites, holds(.null, column, of: key, in: table) { return }
    // The value below the null mask stays as it was; nothing reads it.
    let cell = ownCell(key, table)
    if description.isOrdered { willWriteOrdered(table.index, key.rawValue, column) }
    removeOldPosting(cell.cluster, cell.slot, table, column, description, key)
    if description.type == .mixed, !Cluster.bit(cell.cluster, Int(description.nullOffset), cell.slot) {
      dropReference(
        BytesLeaf.bytes(Cluster.leaf(cell.cluster, at: Int(description.offset)), cell.slot), description, key)
    }
    if description.storage == .interned {
      storeInt(0, cell.cluster, cell.slot, description)
    } else {
      Cluster.setBit(cell.cluster, Int(description.nullOffset), cell.slot, true)
    }
    markDirty(table.index, cell.cluster, cell.slot, column.index)
    if description.type == .mixed { deleteReleasedCollections() }
  }

  /// Sets a column of any type but a list.
  package func set(_ column: ColumnID, of key: RowKey, in table: TableID, to value: Value) {
    if layout.tables[table.index].columns[column.index].type == .mixed {
      return setMixed(column, of: key, in: table, to: value)
    }
    switch value {
    case .null: setNull(column, of: key, in: table)
    case .bool(let value): setBool(column, of: key, in: table, to: value)
    case .int(let value): setInt(column, of: key, in: table, to: value)
    case .float(let value): setFloat(column, of: key, in: table, to: value)
    case .double(let value), .date(let value): setDouble(column, of: key, in: table, to: value)
    case .string(let bytes), .data(let bytes):
      bytes.withUnsafeBytes { setBytes(column, of: key, in: table, to: $0) }
    case .objectID(let value): setBytes12(column, of: key, in: table, to: value)
    case .uuid(let value), .decimal128(let value): setBytes16(column, of: key, in: table, to: value)
    case .link(let target): setLink(column, of: key, in: table, to: target)
    case .object, .list, .map: fatalError("'\(name(table, column))' is no mixed column.")
    }
  }

  // MARK: Equal values

  /// Whether a cell holds this very value already. Values that are equal but not the same, like 0 and -0, are different.
  @inline(never)
  private func holds(_ new: Value, _ column: ColumnID, of key: RowKey, in table: TableID) -> Bool {
    switch (contents.value(column, of: key, in: table), new) {
    case (.float(let old), .float(let new)): old.bitPattern == new.bitPattern
    case (.double(let old), .double(let new)), (.date(let old), .double(let new)): old.bitPattern == new.bitPattern
    case (.decimal128(let old), .uuid(let new)): old == new
    case (.string(let old), .data(let new)): old == new
    case (let old, let new): old == new
    }
  }

  /// Whether a mixed cell has these very bytes already.
  @inline(never)
  private func holdsMixed(
    _ bytes: UnsafeRawBufferPointer, _ column: ColumnID, of key: RowKey, in table: TableID
  ) -> Bool {
    let description = layout.tables[table.index].columns[column.index]
    guard let location = contents.locate(key, in: table),
      !Cluster.bit(location.cluster, Int(description.nullOffset), location.slot)
    else { return false }
    let old = BytesLeaf.bytes(Cluster.leaf(location.cluster, at: Int(description.offset)), location.slot)
    return compareBytes(old, bytes) == 0
  }

  // MARK: Cells

  func name(_ table: TableID, _ column: ColumnID) -> String {
    let layout = layout.tables[table.index]
    return "\(layout.name).\(layout.descriptions[column.index].name)"
  }

  /// The cluster, owned, and slot of a row that must live.
  @inline(__always)
  func ownCell(_ key: RowKey, _ table: TableID) -> (cluster: Block, slot: Int) {
    activate(table.index)
    guard let cluster = ownCluster(table.index, of: key.rawValue), let slot = Cluster.slot(cluster, of: key.rawValue)
    else { fatalError("A row of '\(layout.tables[table.index].name)' was written after it had been deleted.") }
    return (cluster, slot)
  }

  /// Owns the cell, lets `write` store, clears the null mark and marks the cell as written.
  @inline(__always)
  private func update(
    _ column: ColumnID, _ key: RowKey, _ table: TableID, _ write: (Block, Int, ColumnLayout) -> Void
  ) {
    let cell = ownCell(key, table)
    let description = layout.tables[table.index].columns[column.index]
    if description.isOrdered { willWriteOrdered(table.index, key.rawValue, column) }
    write(cell.cluster, cell.slot, description)
    if description.nullOffset != 0 { Cluster.setBit(cell.cluster, Int(description.nullOffset), cell.slot, false) }
    markDirty(table.index, cell.cluster, cell.slot, column.index)
  }

  @inline(__always)
  func storeInt(_ value: Int64, _ cluster: Block, _ slot: Int, _ description: ColumnLayout) {
    let leaf = Cluster.mutableLeaf(cluster, at: Int(description.offset)).unsafelyUnwrapped
    if store.owns(leaf), IntLeaf.storeInPlace(leaf, slot, value) { return }
    replaceInt(value, cluster, slot, description)
  }

  @inline(never)
  private func replaceInt(_ value: Int64, _ cluster: Block, _ slot: Int, _ description: ColumnLayout) {
    let offset = Int(description.offset)
    let leaf = Cluster.mutableLeaf(cluster, at: offset).unsafelyUnwrapped
    Cluster.setLeaf(
      cluster, at: offset,
      IntLeaf.set(
        leaf, slot, value, slotCount: Cluster.slotCount(cluster), liveMask: Cluster.live(cluster), store: store))
  }

  @inline(__always)
  func storeFixed<T: BitwiseCopyable>(_ value: T, _ cluster: Block, _ slot: Int, _ description: ColumnLayout) {
    let offset = Int(description.offset)
    let leaf = Cluster.mutableLeaf(cluster, at: offset).unsafelyUnwrapped
    if store.owns(leaf) {
      leaf.storeBytes(of: value, toByteOffset: FixedLeaf.valuesOffset &+ slot &* MemoryLayout<T>.size, as: T.self)
      return
    }
    Cluster.setLeaf(
      cluster, at: offset,
      FixedLeaf.set(leaf, slot, value, slotCount: Cluster.slotCount(cluster), store: store))
  }

  func storeLink(
    _ target: RowKey?, _ cluster: Block, _ slot: Int, _ table: TableID, _ column: ColumnID,
    _ description: ColumnLayout, _ key: RowKey
  ) {
    let old = IntLeaf.value(Cluster.leaf(cluster, at: Int(description.offset)), slot)
    let new = target.map { Int64($0.rawValue) + 1 } ?? 0
    if old == new { return }
    if old != 0 {
      addPendingLink(table.index, column.index, target: UInt64(old - 1), source: key.rawValue, delta: -1)
    }
    if new != 0 {
      addPendingLink(table.index, column.index, target: UInt64(new - 1), source: key.rawValue, delta: 1)
    }
    storeInt(new, cluster, slot, description)
  }

  // MARK: Indexes

  private func replacePosting(
    _ value: some ColumnKey, _ cluster: Block, _ slot: Int, _ table: TableID, _ column: ColumnID,
    _ description: ColumnLayout, _ key: RowKey
  ) {
    guard description.isIndexed else {
      if description.isPrimaryKey { fatalError("The primary key '\(name(table, column))' cannot be changed.") }
      return
    }
    if value.matches(cluster, slot, description) { return }
    removeOldPosting(cluster, slot, table, column, description, key)
    addPosting(value, table.index, column.index, description, key.rawValue)
  }

  func removeOldPosting(
    _ cluster: UnsafeRawPointer, _ slot: Int, _ table: TableID, _ column: ColumnID, _ description: ColumnLayout,
    _ key: RowKey
  ) {
    guard description.isIndexed else { return }
    if description.nullOffset != 0, Cluster.bit(cluster, Int(description.nullOffset), slot) { return }
    let offset = Int(description.offset)
    let table = table.index
    let column = column.index
    let source = key.rawValue
    switch description.type {
    case .bool: removePosting(BoolKey(Cluster.bit(cluster, offset, slot)), table, column, description, source)
    case .int:
      removePosting(IntKey(IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)), table, column, description, source)
    case .date, .double:
      let value = FixedLeaf.load(Cluster.leaf(cluster, at: offset), slot, as: Double.self)
      removePosting(DoubleKey(value), table, column, description, source)
    case .objectID:
      let value = FixedLeaf.load(Cluster.leaf(cluster, at: offset), slot, as: Bytes12.self)
      removePosting(Bytes12Key(value), table, column, description, source)
    case .uuid, .decimal128:
      let value = FixedLeaf.load(Cluster.leaf(cluster, at: offset), slot, as: Bytes16.self)
      removePosting(Bytes16Key(value), table, column, description, source)
    case .string, .data:
      let entry = IntLeaf.value(Cluster.leaf(cluster, at: offset), slot)
      if entry != 0 { addPendingLink(table, column, target: UInt64(entry - 1), source: source, delta: -1) }
    case .float, .link, .mixed:
      break
    }
  }

  // MARK: Marks

  @inline(__always)
  func markDirty(_ table: Int, _ cluster: Block, _ slot: Int, _ column: Int) {
    if let record = Cluster.dirtyRecord(cluster), DirtyRecord.isMarked(record, column: column, slot: slot) { return }
    markDirtyFirst(table, cluster, slot, column)
  }

  @inline(never)
  private func markDirtyFirst(_ table: Int, _ cluster: Block, _ slot: Int, _ column: Int) {
    let record: UnsafeMutableRawPointer
    if let existing = Cluster.dirtyRecord(cluster) {
      record = existing
    } else {
      record = DirtyRecord.make(columnCount: layout.tables[table].columnCount, logs: tables[table].touchLog != nil)
      Cluster.setDirtyRecord(cluster, record)
      tables[table].dirtyClusters.append(cluster)
      tables[table].dirtyRecords.append(record)
    }
    DirtyRecord.mark(record, column: column, slot: slot)
    if tables[table].touchLog != nil { tables[table].touchLog?.append(Cluster.key(cluster, slot)) }
  }
}
