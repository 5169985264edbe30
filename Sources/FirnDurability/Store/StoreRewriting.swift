internal import FirnEngine

/// Brings the rows of a store to an application's tables: in a graph of its own, which is written as a new base.
///
/// Until the base has its name the store is what it was, and after that it is the new one.
struct StoreRewriting {
  let recovery: StoreRecovery
  let paths: StorePaths
  let lock: StoreLock
  let options: DurableStore.Options
  let fileSystem: any FileSystem

  struct Result {
    /// Whether a base was written. If not, the catalogue is all that has to change.
    let isNewBase: Bool
    /// Values that are lost unless the block took them over.
    let losses: [LostValues]
  }

  func run(seed: HashSeed) throws -> Result {
    var merge = recovery.merge
    let isRaised = merge.catalogue.schemaVersion > recovery.stored.schemaVersion
    let block = isRaised ? options.migration.block : nil
    merge.rewriting = merge.rewriting.withoutUnread(hasBlock: block != nil)
    try checkWidth(merge)
    let places = merge.map.tables.map { table in
      guard let place = merge.catalogue.index(of: table.id) else { fatalError("Table \(table.id) is lost.") }
      return place
    }
    let shape = CatalogueMerge(
      catalogue: merge.catalogue, places: places, schema: recovery.schema,
      migrating: MigratingShape(old: recovery.stored, rewriting: merge.rewriting))
    options.migration.progress(.reading, 0, 1)
    let (graph, report) = try recovery.run(shape, seed)
    options.migration.progress(.reading, 1, 1)
    let store = MigratingStore(graph, recovery, shape)
    try write(graph) { writer in
      for column in merge.rewriting.gone where column.keepsValues { move(column, shape.map, writer) }
      for column in merge.rewriting.filled { store.before.withContents { fill(column, shape.map, writer, $0) } }
    }
    try block?(store)
    if !merge.rewriting.isNeeded, graph.head == store.before.number, store.removedTables.withLock({ $0.isEmpty }) {
      return Result(isNewBase: false, losses: store.losses)
    }
    try write(graph) { writer in
      for column in merge.rewriting.gone { clear(column, shape.map, writer) }
      try EmbeddedRows(old: recovery.stored, new: merge.catalogue, map: shape.map).settle(writer)
      for table in store.removedTables.withLock({ $0 }) { writer.deleteAll(from: TableID(table)) }
    }
    try checkPrimaryKeys(graph, shape.map)
    // What opening refuses must not be written.
    try graph.holdHead().withContents { contents in
      if let fault = contents.ownerFault() {
        throw StoreError(.fail, "After the migration \(fault). The store was not changed.", path: paths.base)
      }
      try checkUniqueness(contents)
    }
    try install(graph, shape.map, removing: store.removedTables.withLock { $0 }, report)
    return Result(isNewBase: true, losses: store.losses)
  }

  /// Runs a transaction.
  private func write(_ graph: Graph, _ body: (Writer) throws -> Void) throws {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin()
    do {
      try body(writer)
    } catch {
      graph.cancel()
      throw error
    }
    if graph.endUnchanged() { return }
    do {
      _ = try graph.commit()
    } catch let error as LimitExceeded {
      throw StoreError(
        .fail, "\(error.description) The migration was not made, and the store was not changed.", path: paths.base)
    }
  }

  private func move(_ column: Rewriting.GoneColumn, _ map: CatalogueMap, _ writer: Writer) {
    guard let table = map.table(column.table), let source = map.column(column.column.id, in: table),
      let target = column.successor.flatMap({ map.column($0, in: table) })
    else { return }
    guard let late = column.late else { return writer.moveValues(of: source, to: target, in: table) }
    writer.moveValues(of: source, to: target, in: table) { key in
      if late.hasOneDefault, writer.contents.isWritten(late.successor, target, of: key, in: table) { return false }
      return writer.contents.isWritten(column.column, source, of: key, in: table)
    }
  }

  private func fill(
    _ column: Rewriting.FilledColumn, _ map: CatalogueMap, _ writer: Writer, _ contents: GraphContents
  ) {
    guard let table = map.table(column.table), let target = map.column(column.column, in: table) else { return }
    contents.forEachKey(in: table) { key in
      let value = options.migration.nextDefault(column.place.table, column.place.column)
      writer.set(target, of: key, in: table, to: value)
    }
  }

  /// What belongs to a column that is gone goes as well.
  private func clear(_ column: Rewriting.GoneColumn, _ map: CatalogueMap, _ writer: Writer) {
    guard column.column.ownsRows, let table = map.table(column.table),
      let source = map.column(column.column.id, in: table)
    else { return }
    writer.clearValues(of: source, in: table)
  }

  /// The graph has the columns of both sides.
  private func checkWidth(_ merge: CatalogueMerge) throws {
    guard let fault = merge.catalogue.adding(merge.rewriting.gone).widthFault else { return }
    throw StoreError(
      .fail,
      "\(fault), during the migration, with those that are gone, and there is no room for so many. Go there in steps: "
        + "with a version in between that changes only some. The store was not changed.", path: paths.base)
  }

  private func checkPrimaryKeys(_ graph: Graph, _ map: CatalogueMap) throws {
    let version = graph.holdHead()
    for table in recovery.merge.catalogue.tables {
      guard let id = map.table(table.id), let column = table.columns.first(where: { $0.isPrimaryKey }),
        let place = map.column(column.id, in: id), let value = version.withContents({ duplicate(place, in: id, $0) })
      else { continue }
      throw StoreError(
        .fail,
        "Primary key property '\(table.name).\(column.name)' has duplicate values after migration, '\(value)' among "
          + "them. Make them unique in the migrationBlock. The store was not changed.", path: paths.base)
    }
  }

  /// A value that several rows have.
  ///
  /// Sorts hashes, which take eight bytes for each row, and looks at the values only where two are the same.
  private func duplicate(_ column: ColumnID, in table: TableID, _ contents: GraphContents) -> Value? {
    var hashes: [Int] = []
    hashes.reserveCapacity(contents.rowCount(table))
    contents.forEachKey(in: table) { hashes.append(contents.value(column, of: $0, in: table).asKey.hashValue) }
    hashes.sort()
    let shared = Set(zip(hashes, hashes.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    if shared.isEmpty { return nil }
    var seen: Set<Value> = []
    var duplicate: Value?
    contents.forEachKey(in: table) { key in
      if duplicate != nil { return }
      let value = contents.value(column, of: key, in: table).asKey
      if shared.contains(value.hashValue), !seen.insert(value).inserted { duplicate = value }
    }
    return duplicate
  }

  /// The graph has no indexes yet; its tables begin with the application's columns.
  private func checkUniqueness(_ contents: GraphContents) throws {
    for (table, description) in recovery.schema.enumerated() {
      let primaryKey = description.columns.firstIndex(where: \.isPrimaryKey).map { ColumnID($0) }
      for index in description.indexes where index.isUnique {
        if let violation = contents.uniqueViolation(of: index, in: TableID(table), primaryKey: primaryKey) {
          throw violation
        }
      }
    }
  }

  private func install(
    _ graph: Graph, _ map: CatalogueMap, removing removed: Set<Int>, _ report: JournalReport
  ) throws {
    var catalogue = recovery.merge.catalogue.withoutDropped
    // A class that only links had that are gone has no rows any more, and cannot get any.
    let lost = recovery.stored.ownedTables.subtracting(catalogue.ownedTables)
      .subtracting(recovery.merge.rewriting.becameTopLevel)
    let emptied = (recovery.schema.count..<map.tables.count).filter { lost.contains(map.tables[$0].id) }
    catalogue.removeTables(removed.union(emptied).map { map.tables[$0].id })
    let version = graph.holdHead()
    let nextKeys = graph.nextKeys
    let header = SnapshotHeader(
      kind: .base, storeID: recovery.files.storeID, epoch: max(recovery.files.epoch, report.epoch),
      version: max(version.number, report.position.version + 1))
    options.migration.progress(.writing, 0, 1)
    try version.withContents { contents in
      let tables = catalogue.snapshotTables(contents, map) { nextKeys[$0.index] }
      _ = try fileSystem.install(
        paths.base, by: paths.temporaryBase, key: options.key, limits: options.limits,
        threadCount: options.threadCount, check: { try checkExpansion($0, $1) }
      ) { file in
        let written = try SnapshotWriter(
          file, header: header, catalogue: catalogue, key: options.key, limits: options.limits
        )
        .writeBase(tables: tables, threadCount: options.threadCount)
        try lock.checkPlace()
        return written
      }
    }
    options.migration.progress(.writing, 1, 1)
  }

  /// Throws when the next opening would refuse the new base.
  private func checkExpansion(_ written: SnapshotStatistics, _ expandedByteCount: Int) throws(StoreError) {
    let most = ExpansionBudget.limit(options.expandedByteCountMax, fileByteCount: written.byteCount)
    if expandedByteCount <= most { return }
    throw StoreError(
      .fail,
      "After the migration opening '\(paths.base)' takes \(expandedByteCount) bytes of memory, more than the limit of "
        + "\(most). Raise Realm.Configuration.expandedByteCountMax. The store was not changed.", path: paths.base)
  }
}

extension Value {
  /// The same for all values that are one primary key: the zeros are, and so is every NaN.
  fileprivate var asKey: Value {
    guard case .date(let seconds) = self else { return self }
    return .date(seconds.isNaN ? .greatestFiniteMagnitude : seconds == 0 ? 0 : seconds)
  }
}
