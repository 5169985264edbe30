internal import Dispatch
package import FirnEngine

/// A graph that outlives the process: its base, deltas and journal, and the lock on them.
///
/// State          guarded by
/// checkpoints    its lock, held during a checkpoint
/// everything else is immutable, or guards itself
package final class DurableStore: @unchecked Sendable {
  package let graph: Graph
  package let opening: OpenRecord
  let paths: StorePaths
  /// Holds the folders.
  let fileSystem: any FileSystem
  let options: Options
  let storeID: StoreID
  let epoch: UInt64
  let catalogue: Catalogue
  let map: CatalogueMap
  /// Nil when the store was opened for reading only.
  package let journal: Journal?
  let checkpoints: Guarded<CheckpointState>
  let trigger: CheckpointTrigger
  let line = CheckpointLine()
  let lock: StoreLock?
  let history: JournalHistory
  /// The bytes that the files took in memory beside the graph when they were opened.
  private let claimedByteCount: Int
  /// How far the journal went when the store was opened.
  let openingPosition: JournalPosition

  /// Opens the store at `path`, or makes one.
  ///
  /// - Parameters:
  ///   - schema: The application's tables. Tables that the store has and they lack stay; new ones are added.
  ///   - seed: Random and secret in a server; see ``HashSeed``.
  /// - Throws: `StoreError`; see the format page for what kind of damage leads to which.
  /// - Complexity: O(bytes of the files).
  package static func open(
    _ path: String, schema: [TableDescription], options: Options, seed: HashSeed, fileSystem: any FileSystem
  ) throws -> DurableStore {
    try StoreError.wrapping {
      options.isReadOnly
        ? try openForReading(path, schema, options, seed, fileSystem)
        : try DurableStore(path, schema, options, seed, fileSystem)
    }
  }

  private init(
    _ path: String, _ schema: [TableDescription], _ options: Options, _ seed: HashSeed, _ disk: any FileSystem
  ) throws {
    let start = StoreClock.nanoseconds
    var folders = try StoreFolders(of: path, disk)
    paths = folders.paths
    try paths.checkName()
    self.options = options
    let history = JournalHistory(options)
    self.history = history
    // A file that is no store is left as it is, without a lock beside it. One that must not be written would be replaced by the
    // next checkpoint, so it is refused here, and so is a wrong key.
    if try folders.fileSystem.exists(paths.base) {
      try SnapshotReader.checkBase(folders.fileSystem.open(paths.base, .readWrite), key: options.key)
    }
    let lock = try StoreLock.take(paths.lock, by: .current(), in: folders.fileSystem)
    if try !folders.fileSystem.exists(paths.journal) { try folders.fileSystem.createFolder(paths.journal) }
    try folders.holdJournal()
    try lock.lockFolders(folders)
    let fileSystem = folders.fileSystem
    self.fileSystem = fileSystem
    try Self.removeTemporaryFiles(paths, fileSystem)
    let isNew = try !fileSystem.exists(paths.base)
    if isNew {
      try Self.expectNoJournal(paths, fileSystem)
      if let seedPath = options.seedPath {
        try Self.installSeed(seedPath, on: disk, at: folders, options, seed)
      } else {
        try Self.createBase(paths, schema, options, fileSystem)
      }
    }
    var files = try StoreFiles(paths, fileSystem, options)
    var recovery = try StoreRecovery(files, paths, hint: lock.hint, schema: schema, options: options, fileSystem)
    let storedVersion = recovery.stored.schemaVersion
    var losses: [LostValues]?
    if recovery.wantsMigration {
      let rewriting = StoreRewriting(
        recovery: recovery, paths: paths, lock: lock, options: options, fileSystem: fileSystem)
      let written = try rewriting.run(seed: seed)
      losses = written.losses
      if written.isNewBase {
        files = try StoreFiles(paths, fileSystem, options)
        recovery = try StoreRecovery(files, paths, hint: lock.hint, schema: schema, options: options, fileSystem)
      }
    }
    let (graph, report) = try recovery.run(seed: seed)
    self.graph = graph
    claimedByteCount = recovery.claimedByteCount
    storeID = files.storeID
    epoch = max(files.epoch, report.epoch) + 1
    try Self.checkRoom(epoch: epoch, report, graph, paths)
    catalogue = recovery.merge.catalogue
    map = recovery.merge.map
    var opening = Self.record(isNew: isNew && options.seedPath == nil, files, report, graph, start)
    if catalogue.schemaVersion > storedVersion { opening.migratedFrom = storedVersion }
    opening.losses = losses ?? recovery.losses(graph.holdHead())
    self.opening = opening

    let map = map
    let recordsOldValues = options.recordsOldValues
    let trigger = CheckpointTrigger(options, log: options.log)
    self.trigger = trigger
    var configuration = JournalConfiguration(
      folder: paths.journal, storeID: storeID, epoch: epoch, durability: options.durability)
    configuration.key = options.key
    configuration.hasOldValues = options.recordsOldValues
    configuration.clock = options.clock
    configuration.segmentByteCount = options.segmentByteCount
    configuration.preparesSegments = options.preparesSegments
    configuration.idleNanoseconds = options.idleNanoseconds
    let journal = try Journal(
      configuration, after: report.position, in: fileSystem, storeLock: lock,
      didGrow: { trigger.journalDidGrow(by: $0) },
      encode: { commit, writer in
        EffectsEncoder.encode(commit, map: map, into: &writer)
        if recordsOldValues { OldValuesEncoder.encode(commit, map: map, into: &writer) }
      })
    self.journal = journal
    openingPosition = report.position
    try lock.claim(storeID, durableThrough: report.position.version)
    self.lock = lock
    var state = CheckpointState(files)
    state.expandedByteCount =
      report.commitCount > 0
      ? Self.withRoomForReplaying(recovery.expandedByteCount) : recovery.expandedByteCount
    // Before the segments go that tell.
    state.noteBaseFollowed(journal, history, otherwise: files.base.file.modificationTime())
    do throws(StoreError) {
      try journal.removeSegments(through: files.version) { history.firstKept($0, needed: $1) }
    } catch {
      if error.code == .ownedByOtherProcess { throw error }
      options.log("Segments that count for nothing could not be removed; a checkpoint tries again: \(error.message)")
    }
    checkpoints = Guarded(state)
    // They have been replaced by files that are on disk with their names now.
    checkpoints.withLock { $0.removeStaleFiles(fileSystem) }
    journal.connect { [graph] in
      graph.didBecomeDurable(through: $0)
    } didLoseDurability: { [graph, options] error in
      options.log(error.message)
      WorkThreads.lending { graph.didLoseDurability(error) }
    }
    if recovery.isCatalogueNew { try recordCatalogue(journal, after: report.position.version) }
    try lock.checkPlace()
    graph.enterGateBlocking()
    graph.setLog(journal)
    graph.gate.leave()
    checkpointManySegments(journal)
    trigger.start(self, journalByteCount: journal.statistics.neededAllottedByteCount)
  }

  /// Numbers of an honest store never come near their limits, and beyond half of them nobody can write without reaching them.
  private static func checkRoom(
    epoch: UInt64, _ report: JournalReport, _ graph: Graph, _ paths: StorePaths
  ) throws(StoreError) {
    let greatest = max(epoch, report.position.version, report.position.nextSequence)
    let greatestKey = graph.nextKeys.max() ?? 0
    if greatest <= JournalFormat.numberMax / 2, greatestKey <= GraphLimits().keyMax { return }
    throw StoreError(
      .corrupted,
      "'\(paths.base)' has numbers of versions, process starts, segments or rows that no store can reach. Restore it from a "
        + "backup, or open it for reading only and copy what is in it.", path: paths.base)
  }

  /// A store of its own that reads the files and touches nothing.
  init(
    readOnly folders: StoreFolders, _ recovery: StoreRecovery, _ options: Options, _ seed: HashSeed, start: UInt64
  ) throws {
    paths = folders.paths
    fileSystem = folders.fileSystem
    self.options = options
    history = JournalHistory(options)
    let (graph, report) = try recovery.run(seed: seed)
    self.graph = graph
    claimedByteCount = recovery.claimedByteCount
    storeID = recovery.files.storeID
    epoch = max(recovery.files.epoch, report.epoch)
    catalogue = recovery.merge.catalogue
    map = recovery.merge.map
    opening = Self.record(isNew: false, recovery.files, report, graph, start)
    journal = nil
    openingPosition = report.position
    checkpoints = Guarded(CheckpointState(recovery.files))
    trigger = CheckpointTrigger(options, log: options.log)
    lock = nil
  }

  deinit { journal?.disconnect() }

  private static func record(
    isNew: Bool, _ files: StoreFiles, _ report: JournalReport, _ graph: Graph, _ start: UInt64
  ) -> OpenRecord {
    let version = graph.holdHead()
    var record = OpenRecord()
    record.isNew = isNew
    record.version = version.number
    record.rowCount = version.withContents { contents in
      (0..<graph.layout.visibleCount).reduce(0) { $0 + contents.rowCount(TableID($1)) }
    }
    record.recoveredCommitCount = report.commitCount
    record.cutByteCount = report.cut?.byteCount ?? 0
    record.byteCount = files.base.byteCount + files.deltaByteCount + report.position.replayedByteCount
    record.nanoseconds = StoreClock.nanoseconds - start
    return record
  }

  // MARK: Making a store

  /// Removes what a crash left half written.
  private static func removeTemporaryFiles(_ paths: StorePaths, _ fileSystem: any FileSystem) throws {
    try fileSystem.removeLeftover(paths.temporaryBase)
    guard try fileSystem.exists(paths.journal) else { return }
    for name in try fileSystem.list(paths.journal) where StorePaths.isTemporary(name) {
      try fileSystem.removeLeftover("\(paths.journal)/\(name)")
    }
  }

  /// Throws when there is a journal whose base is gone: what it holds is not to be lost silently.
  private static func expectNoJournal(_ paths: StorePaths, _ fileSystem: any FileSystem) throws {
    if try fileSystem.exists(paths.journal), try fileSystem.list(paths.journal).contains(where: StorePaths.isOwn) {
      throw StoreError(
        .corrupted,
        "The store '\(paths.base)' is missing, but its journal '\(paths.journal)' is there. Restore the file, or delete "
          + "the journal to start anew.", path: paths.base)
    }
  }

  /// Writes the base of an empty store.
  private static func createBase(
    _ paths: StorePaths, _ schema: [TableDescription], _ options: Options, _ fileSystem: any FileSystem
  ) throws {
    var rules = MergeRules()
    rules.defaultValue = options.migration.defaultValue
    var catalogue = try Catalogue().merging(schema: schema, rules).catalogue
    catalogue.schemaVersion = options.schemaVersion
    let header = SnapshotHeader(kind: .base, storeID: .random(), epoch: 0, version: 1)
    let tables = catalogue.tables.map { _ in SnapshotTable(nextKey: 0, source: NoRows()) }
    _ = try fileSystem.install(
      paths.base, by: paths.temporaryBase, key: options.key, limits: options.limits, threadCount: 1, replaces: false
    ) { file in
      try SnapshotWriter(file, header: header, catalogue: catalogue, key: options.key, limits: options.limits)
        .writeBase(tables: tables, threadCount: 1)
    }
  }

  /// Records which tables there are now, as a commit of its own, which is on disk when this returns: readers see it.
  private func recordCatalogue(_ journal: Journal, after version: UInt64) throws {
    try appendCatalogue(journal, after: version)
    try journal.flush(through: version + 1)
  }

  private func appendCatalogue(_ journal: Journal, after version: UInt64) throws {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    _ = graph.begin(replaying: version + 1)
    do {
      _ = try journal.append(version + 1, kind: .catalogue) { catalogue.encode(into: &$0) }
    } catch {
      graph.cancel()
      throw error
    }
    _ = try graph.commit()
  }

  // MARK: Commits

  /// Makes everything up to `version` durable, on the calling thread if nobody does it already. What became of it tells
  /// ``Graph/whenDurable(_:_:)``.
  package func flush(through version: UInt64) {
    // The graph is told of a failure, perhaps by another thread, and then shortly after this.
    try? journal?.flush(through: version)
  }

  /// Makes everything that was committed durable, on another thread.
  package func flushSoon() { journal?.flushSoon() }

  /// Every opening that commits something begins a segment. Before they become many, they are made one with base or deltas;
  /// not in the background, because a process that opens a store often may not have it open for long.
  private func checkpointManySegments(_ journal: Journal) {
    if journal.statistics.neededSegmentCount < options.segmentCountMax { return }
    do {
      _ = try checkpoint()
    } catch {
      options.log("The segments of the journal could not be made fewer, they are kept: \(error)")
    }
  }

  // MARK: Closing

  /// Makes a checkpoint if anything was committed since the last one, and lets the files go. Nobody writes any more.
  package func close() throws {
    trigger.stop()
    var failure: (any Error)?
    if journal != nil {
      do { _ = try checkpoint(isLast: true, wantsBase: isBaseOverdue) } catch { failure = error }
    }
    if let error = letGo(), failure == nil { failure = error }
    if let failure { throw StoreError.wrapped(failure) }
  }

  /// Brings everything onto the disk and lets the files go. Why that failed, if it did; nil on a closed store.
  ///
  /// The last reference to the store may go in a call that tells that a commit is durable, or lost. The journal cannot
  /// be closed inside such a call. Another thread closes it then, shortly afterwards, and logs the error if that fails.
  package func release() -> (any Error)? {
    trigger.stop()
    guard journal?.isTellingHere == true else { return letGo() }
    DispatchQueue(label: "firn.release").async { [self] in
      if let error = letGo() { options.log("A released store could not bring everything onto the disk: \(error)") }
    }
    return nil
  }

  /// Waits for a checkpoint that runs.
  private func letGo() -> (any Error)? {
    checkpoints.withLock { state in
      if state.isClosed { return nil }
      state.isClosed = true
      defer { lock?.release() }
      do {
        try journal?.close()
        return nil
      } catch {
        return error
      }
    }
  }

  // MARK: Statistics

  /// The memory that opening takes for the graph at its largest since the last base.
  var peakExpandedByteCount: Int { claimedByteCount + Self.withRoomForReplaying(graph.peakByteCount) }

  /// Adds an eighth and a little to the bytes of a graph: for the commit that is being replayed, and for the blocks of
  /// the version before, since a lower limit has the replayed commits published in smaller groups.
  private static func withRoomForReplaying(_ byteCount: Int) -> Int { byteCount + byteCount / 8 + 16_384 }

  package var statistics: DurabilityStatistics {
    var statistics = DurabilityStatistics()
    if let journal {
      let counts = journal.statistics
      statistics.journalByteCount = counts.byteCount
      statistics.journalAllottedByteCount = counts.allottedByteCount
      statistics.segmentCount = counts.segmentCount
      statistics.syncCount = counts.syncCount
      statistics.durableVersion = journal.durableThrough
    } else {
      statistics.durableVersion = opening.version
    }
    let known = trigger.lastState
    statistics.expandedByteCount = max(known.expandedByteCount, peakExpandedByteCount)
    statistics.totalByteCount = known.byteCount + statistics.journalByteCount
    statistics.lastCheckpoint = known.record
    statistics.failedCheckpointCount = known.failureCount
    statistics.lastCheckpointFailure = known.failure
    return statistics
  }
}

/// A table without rows.
private struct NoRows: SnapshotSource {
  func dictionary(_ column: Int) -> ByteStrings? { nil }

  mutating func nextGroup() -> SnapshotRows? { nil }
}
