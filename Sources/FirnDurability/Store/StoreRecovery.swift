internal import FirnEngine

/// Makes a graph of a store's files.
struct StoreRecovery {
  let files: StoreFiles
  let journal: JournalReader
  let hint: DurableHint?
  let merge: CatalogueMerge
  /// Whether the catalogue has changed, so that the journal has to say so.
  let isCatalogueNew: Bool
  /// Commits after this one are left out.
  var lastVersion = UInt64.max
  private let options: DurableStore.Options
  /// What the journal had to say when it was read for catalogues.
  private let firstReport: JournalReport

  /// Reads what the files say of tables, and brings it together with the application's.
  ///
  /// - Parameter schema: The application's tables; nil takes the store as it is.
  init(
    _ files: StoreFiles, _ paths: StorePaths, hint: DurableHint?, schema: [TableDescription]?,
    options: DurableStore.Options, _ fileSystem: any FileSystem
  ) throws {
    self.files = files
    self.hint = hint
    self.options = options
    journal = try JournalReader(folder: paths.journal, storeID: files.storeID, in: fileSystem)
    var catalogue = files.catalogue
    firstReport = try journal.read(after: files.version, hint: hint) { commit in
      guard commit.kind == .catalogue else { return }
      var reader = ByteReader(commit.payload)
      do {
        catalogue = try Catalogue(decoding: &reader)
        try reader.expectEnd()
      } catch {
        throw StoreError(
          .corrupted, "The catalogue of version \(commit.version) cannot be read: \(error).", path: paths.journal)
      }
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
    var merge = try catalogue.merging(schema: schema ?? [], isReadOnly: options.isReadOnly)
    if schema != nil, options.schemaVersion > catalogue.schemaVersion {
      merge.catalogue.schemaVersion = options.schemaVersion
    }
    self.merge = merge
    isCatalogueNew = merge.catalogue != catalogue
  }

  /// Loads base and deltas and replays the journal.
  ///
  /// - Returns: The graph, at the last version, and what the journal had to say.
  func run(seed: HashSeed) throws -> (graph: Graph, report: JournalReport) {
    let graph = try loadBase(seed)
    for delta in files.deltas {
      let bytes = try delta.effects()
      try replay(on: graph, delta.header.version, "delta") { writer in
        try bytes.withBytes { try apply($0, to: writer, "delta to version \(delta.header.version)") }
      }
    }
    return (graph, try replayJournal(on: graph))
  }

  private func loadBase(_ seed: HashSeed) throws -> Graph {
    let base = files.base
    let loader = GraphLoader(
      schema: merge.graphSchema, seed: seed, poisonsFreedBlocks: options.poisonsFreedBlocks,
      threadCount: options.threadCount)
    // The places of the file's tables and columns in the graph.
    let map = merge.map
    let tables = try base.directory.catalogue.tables.map { table -> (table: TableID, columns: [Int]) in
      guard let id = map.table(table.id) else { throw unknown("table \(table.id)") }
      return (
        id,
        try table.columns.map { column in
          guard let place = map.column(column.id, in: id) else { throw unknown("column \(table.id).\(column.id)") }
          return place.index
        }
      )
    }
    for (state, place) in zip(base.directory.tables, tables) { loader.setNextKey(state.nextKey, of: place.table) }
    do {
      try base.read(threadCount: options.threadCount) { dictionary in
        let place = tables[dictionary.table]
        try loader.setDictionary(dictionary.values, of: ColumnID(place.columns[dictionary.column]), in: place.table)
      } group: { group in
        let place = tables[group.table]
        var columns = [ColumnChunk?](repeating: nil, count: map.tables[place.table.index].columnIDs.count)
        for (index, chunk) in group.columns.enumerated() { columns[place.columns[index]] = chunk }
        try loader.addGroup(place.table, keys: group.keys, columns: columns)
      }
      try loader.finish(version: base.header.version)
    } catch let error as LoadError {
      throw StoreError(.corrupted, "'\(base.file.path)' is damaged: \(error.message).", path: base.file.path)
    }
    return Graph(loaded: loader)
  }

  private func unknown(_ what: String) -> StoreError {
    StoreError(
      .corrupted, "'\(files.base.file.path)' has \(what), which later files do not know.", path: files.base.file.path)
  }

  /// Commits are applied together, since nobody sees the versions in between.
  private func replayJournal(on graph: Graph) throws -> JournalReport {
    if firstReport.commitCount == 0 { return firstReport }
    var open: (writer: Writer, byteCount: Int, version: UInt64)?
    defer {
      if open != nil {
        graph.cancel()
        graph.gate.leave()
      }
    }
    func finish() throws {
      if open == nil { return }
      _ = try graph.commit(as: open?.version)
      open = nil
      graph.gate.leave()
    }
    let report = try journal.read(after: files.version, hint: hint) { commit in
      guard commit.kind == .commit, commit.version <= lastVersion else { return }
      if let current = open, current.byteCount > 8 << 20 { try finish() }
      let writer: Writer
      if let current = open {
        writer = current.writer
      } else {
        graph.enterGateBlocking()
        writer = graph.begin(replaying: commit.version)
        open = (writer, 0, commit.version)
      }
      try apply(commit.payload, to: writer, "commit \(commit.version)")
      open?.byteCount += commit.payload.count
      open?.version = commit.version
    }
    try finish()
    // A catalogue at the end is a commit as well: its number is not given out again.
    let last = min(report.position.version, lastVersion)
    if last > graph.head { try replay(on: graph, last, "catalogue") { _ in } }
    return report
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

  private func apply(_ bytes: UnsafeRawBufferPointer, to writer: Writer, _ what: String) throws {
    do {
      try Effects(decoding: bytes, map: merge.map).apply(to: writer)
    } catch let error as DecodingError {
      throw StoreError(.corrupted, "The \(what) of the store cannot be read: \(error).", path: files.base.file.path)
    } catch let error as EffectsError {
      throw StoreError(
        .corrupted, "The \(what) of the store does not fit what lies before it: \(error.message)",
        path: files.base.file.path)
    }
  }
}
