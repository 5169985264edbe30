internal import FirnEngine

/// Makes a graph of a store's files.
struct StoreRecovery {
  let files: StoreFiles
  let journal: JournalReader
  let hint: DurableHint?
  let merge: CatalogueMerge
  /// The catalogue that the files have.
  let stored: Catalogue
  /// The application's tables.
  let schema: [TableDescription]
  /// Whether rows have to be changed before the graph fits the application's tables, or the application wants to change some.
  let wantsMigration: Bool
  /// Whether the catalogue has changed, so that the journal has to say so.
  let isCatalogueNew: Bool
  /// Commits after this one are left out; nil takes all.
  private let limit: UInt64?
  let options: DurableStore.Options
  /// What the journal had to say when it was read for catalogues.
  private let firstReport: JournalReport
  private let progress: OpeningProgress

  /// Reads what the files say of tables, and brings it together with the application's.
  ///
  /// - Parameters:
  ///   - schema: The application's tables; nil takes the store as it is.
  ///   - limit: Commits after this one are left out, because a process may be writing them; nil takes all.
  init(
    _ files: StoreFiles, _ paths: StorePaths, hint: DurableHint?, schema: [TableDescription]?,
    limit: UInt64? = nil, options: DurableStore.Options, _ fileSystem: any FileSystem
  ) throws {
    self.files = files
    self.hint = hint
    self.limit = limit
    self.options = options
    progress = OpeningProgress(options)
    let (journal, firstReport, catalogue) = try Self.secureJournal(
      files, paths, hint, limit, options, fileSystem)
    self.journal = journal
    self.firstReport = firstReport
    try StoreError.paying(paths.base) { () throws(DecodingError) in
      try files.budget.claim(MemoryEstimate.layout(catalogue))
    }
    if schema != nil, options.migration.isRefused, catalogue.schemaVersion != options.schemaVersion {
      throw StoreError(
        .schemaMismatch,
        "The schema version is \(catalogue.schemaVersion), and \(options.schemaVersion) is asked for.", path: paths.base
      )
    }
    if schema != nil, catalogue.schemaVersion > options.schemaVersion {
      throw StoreError(
        .fail,
        "Provided schema version \(options.schemaVersion) is less than last set version \(catalogue.schemaVersion). Open "
          + "the store with the newer models, and with their schemaVersion.", path: paths.base)
    }
    if schema != nil, options.isReadOnly, catalogue.schemaVersion != options.schemaVersion {
      throw StoreError(
        .fail,
        "Provided schema version \(options.schemaVersion) is not the last set version \(catalogue.schemaVersion), and a "
          + "store opened for reading only cannot be migrated. Open it with that version.", path: paths.base)
    }
    let isRaised = schema != nil && options.schemaVersion > catalogue.schemaVersion
    var rules = MergeRules(options.migration, isRaised: isRaised)
    rules.isReadOnly = options.isReadOnly
    var merge = try catalogue.merging(schema: schema ?? [], rules)
    if isRaised { merge.catalogue.schemaVersion = options.schemaVersion }
    stored = catalogue
    self.schema = schema ?? []
    self.merge = merge
    isCatalogueNew = merge.catalogue != catalogue
    wantsMigration =
      !options.isReadOnly && (merge.rewriting.isNeeded || (isRaised && options.migration.block != nil))
  }

  /// Reads how far the journal goes and what it says of tables. For writing, what counts of it is on disk afterwards, and
  /// stays as it was read, whatever the system holds in memory only.
  private static func secureJournal(
    _ files: StoreFiles, _ paths: StorePaths, _ hint: DurableHint?, _ limit: UInt64?,
    _ options: DurableStore.Options, _ fileSystem: any FileSystem
  ) throws -> (JournalReader, JournalReport, Catalogue) {
    var isSecured = false
    for _ in 0..<5 {
      let journal = try JournalReader(
        folder: paths.journal, storeID: files.storeID, key: options.key,
        keepsFilesAfter: options.isReadOnly ? files.version : nil, budget: files.budget, in: fileSystem)
      var catalogue = files.catalogue
      let report = try journal.read(after: files.version, chain: files.chain, hint: hint, through: limit) { commit in
        if commit.kind == .catalogue { catalogue = try Self.catalogue(of: commit, paths, files.budget) }
      }
      if options.isReadOnly || isSecured || report.position.isSecure { return (journal, report, catalogue) }
      isSecured = try report.position.secure(in: fileSystem)
    }
    throw StoreError(
      .fileOperationFailed,
      "The journal '\(paths.journal)' changes while it is read. Look for trouble with the disk in the system's log, and "
        + "open the store again.", path: paths.journal)
  }

  private static func catalogue(
    of commit: JournalCommit, _ paths: StorePaths, _ budget: ExpansionBudget
  ) throws -> Catalogue {
    var reader = ByteReader(commit.payload)
    do throws(DecodingError) {
      // The next one replaces it, and the last one is counted with what is made of it.
      let catalogue = try budget.releasing { () throws(DecodingError) in
        try Catalogue(decoding: &reader, budget: budget)
      }
      try reader.expectEnd()
      return catalogue
    } catch {
      if let byteCountMax = error.budget { throw StoreError.beyondBudget(paths.base, byteCountMax) }
      throw StoreError(
        .corrupted,
        "The catalogue of version \(commit.version) cannot be read: \(error). "
          + StoreError.adviceOnDamage, path: paths.journal)
    }
  }

  /// Loads base and deltas and replays the journal.
  ///
  /// - Returns: The graph, at the last version, and what the journal had to say.
  /// - Throws: Also `UniqueViolation`, when rows agree in a unique index that the files know nothing of.
  func run(seed: HashSeed) throws -> (graph: Graph, report: JournalReport) { try run(merge, seed) }

  /// - Parameter merge: The shape of the graph.
  func run(_ merge: CatalogueMerge, _ seed: HashSeed) throws -> (graph: Graph, report: JournalReport) {
    try checkBuilt(0)
    // The claims for rows count until the rows are there: then the graph is measured.
    let graph = try budget.releasing { try loadBase(merge, seed) }
    try checkBuilt(graph.lastByteCount)
    progress.begin(.readingDeltas, total: files.deltas.count)
    for delta in files.deltas {
      progress.advance(by: 1)
      try budget.releasing {
        let bytes = try delta.open(budget).effects(budget: budget)
        try replay(on: graph, delta.header.version, "delta") { writer in
          try bytes.withBytes { try apply($0, merge.map, to: writer, "delta to version \(delta.header.version)") }
        }
      }
      try checkBuilt(graph.lastByteCount)
    }
    let report = try replayJournal(on: graph, merge.map)
    if let fault = graph.holdHead().withContents({ $0.ownerFault() }) {
      throw StoreError(
        .corrupted, "'\(files.base.file.path)' is damaged: \(fault). \(StoreError.adviceOnDamage)",
        path: files.base.file.path)
    }
    try checkRowCounts(graph)
    progress.begin(.buildingIndexes, total: 1)
    try graph.finishReplaying()
    return (graph, report)
  }

  private func checkRowCounts(_ graph: Graph) throws(StoreError) {
    let most = graph.limits.rowCountMax
    let head = graph.holdHead()
    for table in 0..<graph.layout.visibleCount {
      let count = head.withContents { $0.rowCount(TableID(table)) }
      if count <= most { continue }
      throw StoreError(
        .corrupted,
        "'\(files.base.file.path)' has \(count) rows of '\(graph.layout.tables[table].name)', and \(most) is the most. "
          + StoreError.adviceOnDamage, path: files.base.file.path)
    }
  }

  /// What the files took in memory, as the budget counts it.
  var expandedByteCount: Int { budget.byteCount }

  /// The bytes that they take beside the graph, once it is made.
  var claimedByteCount: Int { budget.claimedByteCount }

  private var budget: ExpansionBudget { files.budget }

  /// Counts what a graph takes in place of what was claimed for it. Throws when that is too much.
  private func checkBuilt(_ byteCount: Int) throws(StoreError) {
    try StoreError.paying(files.base.file.path) { () throws(DecodingError) in try budget.didBuild(byteCount) }
  }

  private func loadBase(_ merge: CatalogueMerge, _ seed: HashSeed) throws -> Graph {
    let base = files.base
    let loader = GraphLoader(
      schema: merge.graphSchema, seed: seed, poisonsFreedBlocks: options.poisonsFreedBlocks,
      threadCount: options.threadCount, willExpand: { [budget] in try budget.claim($0) })
    // The positions of the file's tables and columns in the graph.
    let map = merge.map
    let tables = try base.directory.catalogue.tables.map { table -> (table: TableID, columns: [Int?]) in
      guard let id = map.table(table.id) else { throw unknown("table \(table.id)") }
      return (
        id,
        try table.columns.map { column in
          if let place = map.column(column.id, in: id) { return place.index }
          if map.dropped(column.id, of: id) != nil { return nil }
          throw unknown("column \(table.id).\(column.id)")
        }
      )
    }
    let estimates = tables.map { RowEstimate(loader.layout.tables[$0.table.index]) }
    try base.claimRows(budget, estimates)
    progress.begin(.readingBase, total: base.directory.tables.reduce(0) { $0 &+ $1.rowCount })
    for (state, place) in zip(base.directory.tables, tables) { loader.setNextKey(state.nextKey, of: place.table) }
    do {
      try base.read(threadCount: options.threadCount, estimates: estimates, budget: budget) { dictionary in
        let place = tables[dictionary.table]
        guard let column = place.columns[dictionary.column] else { return }
        try loader.setDictionary(dictionary.values, of: ColumnID(column), in: place.table)
      } group: { [budget, progress] group in
        progress.advance(by: group.keys.count)
        let place = tables[group.table]
        let table = map.tables[place.table.index]
        var columns = [ColumnChunk?](repeating: nil, count: table.columnIDs.count)
        for (index, chunk) in group.columns.enumerated() {
          if let column = place.columns[index] { columns[column] = chunk }
        }
        for (index, value) in table.defaults.enumerated() where value != nil && columns[index] == nil {
          try budget.claim(group.keys.count, each: MemoryEstimate.constant(value))
          columns[index] = .constant(value, table.description.columns[index], count: group.keys.count)
        }
        try loader.addGroup(place.table, keys: group.keys, columns: columns)
      }
      try loader.finish(version: base.header.version)
    } catch let error as DecodingError where error.budget != nil {
      throw StoreError.beyondBudget(base.file.path, budget.byteCountMax)
    } catch let error as LoadError {
      throw StoreError(
        .corrupted, "'\(base.file.path)' is damaged: \(error.message). \(StoreError.adviceOnDamage)",
        path: base.file.path)
    }
    return Graph(loaded: loader)
  }

  private func unknown(_ what: String) -> StoreError {
    StoreError(
      .corrupted,
      "'\(files.base.file.path)' has \(what), which later files do not know. \(StoreError.adviceOnDamage)",
      path: files.base.file.path)
  }

  /// Commits are applied together, since nobody sees the versions in between.
  private func replayJournal(on graph: Graph, _ map: CatalogueMap) throws -> JournalReport {
    if firstReport.commitCount == 0 { return firstReport }
    progress.begin(.replayingJournal, total: firstReport.commitCount)
    var open: (writer: Writer, byteCount: Int, version: UInt64)?
    defer {
      if open != nil {
        graph.cancel()
        graph.gate.leave()
      }
    }
    func finish() throws {
      guard let version = open?.version else { return }
      open = nil
      defer { graph.gate.leave() }
      do { _ = try graph.commit(as: version) } catch let error as LimitExceeded {
        throw StoreError(
          .corrupted, "The journal '\(journal.folder)' leads to what no store can hold: \(error.description)",
          path: journal.folder)
      }
      try checkBuilt(graph.lastByteCount)
    }
    let report = try journal.read(after: files.version, chain: files.chain, hint: hint, through: limit) { commit in
      guard commit.kind == .commit else { return }
      progress.advance(by: 1)
      if let current = open, current.byteCount > 8 << 20 || !budget.hasRoom(for: current.writer.allocatedByteCount) {
        try finish()
      }
      let writer: Writer
      if let current = open {
        writer = current.writer
      } else {
        graph.enterGateBlocking()
        writer = graph.begin(replaying: commit.version)
        open = (writer, 0, commit.version)
      }
      try apply(
        commit.payload, map, to: writer, "commit \(commit.version)",
        oldValues: commit.hasOldValues ? .skipped : .missing)
      budget.didReach(writer.allocatedByteCount)
      open?.byteCount += commit.payload.count
      open?.version = commit.version
    }
    try finish()
    if report.position.version < firstReport.position.version {
      throw StoreError(
        .corrupted,
        "The journal '\(journal.folder)' led to version \(firstReport.position.version) at first, and to version "
          + "\(report.position.version) when it was read again. Look for trouble with the disk in the system's log.",
        path: journal.folder)
    }
    // A catalogue at the end is a commit as well: its number is not given out again.
    let last = report.position.version
    if last > graph.head { try replay(on: graph, last, "catalogue") { _ in } }
    return report
  }

  /// Calls `body` with the commits of the journal that count.
  func readCommits(_ body: (JournalCommit) throws -> Void) throws {
    _ = try journal.read(after: files.version, chain: files.chain, hint: hint, through: limit) { commit in
      if commit.kind == .commit { try body(commit) }
    }
  }

  private func replay(on graph: Graph, _ version: UInt64, _ what: String, _ body: (Writer) throws -> Void) throws {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    let writer = graph.begin(replaying: version)
    do {
      try body(writer)
    } catch {
      graph.cancel()
      throw error
    }
    _ = try graph.commit()
  }

  private func apply(
    _ bytes: UnsafeRawBufferPointer, _ map: CatalogueMap, to writer: Writer, _ what: String,
    oldValues: Effects.OldValues = .missing
  ) throws {
    do {
      try budget.releasing {
        try Effects(decoding: bytes, map: map, budget: budget, oldValues: oldValues)
          .apply(to: writer, byteCountMax: budget.builtByteCountMax)
      }
    } catch let error as DecodingError where error.budget != nil {
      throw StoreError.beyondBudget(files.base.file.path, budget.byteCountMax)
    } catch let error as EffectsError where error.isBeyondBudget {
      throw StoreError.beyondBudget(files.base.file.path, budget.byteCountMax)
    } catch let error as DecodingError {
      throw StoreError(
        .corrupted,
        "The \(what) of the store '\(files.base.file.path)' cannot be read: \(error). \(StoreError.adviceOnDamage)",
        path: files.base.file.path)
    } catch let error as EffectsError {
      throw StoreError(
        .corrupted,
        "The \(what) of the store '\(files.base.file.path)' does not fit what lies before it: \(error.message) "
          + StoreError.adviceOnDamage,
        path: files.base.file.path)
    }
  }
}
