internal import FirnEngine

/// What the files hold, as far as checkpoints have to know.
struct CheckpointState {
  /// The version that base and deltas lead to.
  var version: UInt64
  var baseByteCount: Int
  var deltaByteCount: Int
  /// What opening the base took in memory; 0 as long as it is not known.
  var expandedByteCount = 0
  var deltaPaths: [String]
  /// Deltas that a base has replaced and that could not be removed yet.
  var stalePaths: [String]
  /// How many rows had been deleted at that version since the store was opened.
  var deletionCount: UInt64 = 0
  /// The version of the base.
  var baseVersion: UInt64
  /// When what the base lacks began to be committed, if the segment that tells it is gone.
  var baseFollowedAt: UInt64?
  /// Whether a checkpoint failed when its file may have got its name. Nothing may lead on from the files then, as nobody
  /// knows where they lead to: the next checkpoint is a base, which replaces them all.
  var isUncertain = false
  /// Whether the files were let go.
  var isClosed = false

  init(_ files: StoreFiles) {
    version = files.version
    baseVersion = files.base.header.version
    baseByteCount = files.base.byteCount
    deltaByteCount = files.deltaByteCount
    deltaPaths = files.deltas.map(\.path)
    stalePaths = files.staleDeltas
  }

  /// Removes what does not count any more. What cannot be removed is left for the next time: it does no harm.
  mutating func removeStaleFiles(_ fileSystem: any FileSystem) {
    stalePaths.removeAll { path in
      do throws(DiskError) {
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        return true
      } catch {
        return false
      }
    }
  }
}

extension DurableStore {
  /// Folds the journal into base or delta. Reading and writing go on; one checkpoint runs at a time.
  ///
  /// - Returns: What was written; with 0 bytes when there was nothing to write.
  package func checkpoint() throws -> CheckpointRecord {
    try checkpoint(isLast: false)
  }

  /// The same without blocking the caller's thread. Who asks at the same time as others shares a checkpoint with them.
  package func checkpointInTurn() async throws -> CheckpointRecord {
    try await withCheckedThrowingContinuation { continuation in line.ask(self) { continuation.resume(with: $0) } }
  }

  /// - Parameters:
  ///   - isLast: Nothing is committed any more, so that no segment is needed afterwards.
  ///   - wantsBase: It is to be a base, also when nothing was committed since the last checkpoint.
  func checkpoint(isLast: Bool, wantsBase: Bool = false) throws -> CheckpointRecord {
    guard let journal else { throw StoreError(.fail, "The store was opened for reading only.") }
    return try checkpoints.withLock { state in
      if state.isClosed { throw StoreError(.storeClosed, "The store was closed. Open it again to use it.") }
      let journalByteCount = trigger.didStart()
      do {
        let record = try checkpoint(journal, &state, isLast: isLast, wantsBase: wantsBase)
        if record.byteCount > 0 { warnOfExpansion(record, state) }
        trigger.didFinish(record, byteCount: state.baseByteCount + state.deltaByteCount)
        if record.byteCount > 0 { options.tell(.checkpoint(record)) }
        return record
      } catch {
        let error = StoreError.wrapped(error)
        if let error = error as? StoreError { trigger.didFail(error, journalByteCount) }
        throw error
      }
    }
  }

  private func checkpoint(
    _ journal: Journal, _ state: inout CheckpointState, isLast: Bool, wantsBase: Bool
  ) throws -> CheckpointRecord {
    try lock?.checkPlace()
    if journal.hasFailed { return try saveHead(journal, &state) }
    let start = StoreClock.nanoseconds
    let journalByteCount = journal.statistics.byteCount
    let isDelta =
      !wantsBase && !state.isUncertain && state.deltaPaths.count < options.deltaCountMax
      && state.deltaByteCount + journalByteCount / 8 < state.baseByteCount / 2
      && !isMostlyDeletions(since: state)
    // A base frees the journal that it covers. After a delta the segment goes on, which saves allotting another one.
    if !isDelta, !isLast { journal.prepareRoll() }
    // In the gate the tip, the keys given out and the end of the journal belong together.
    WorkThreads.lending { graph.enterGateBlocking() }
    let version = graph.holdTip()
    let nextKeys = graph.nextKeys
    let last = journal.roll(onlyIfShortOfRoom: isDelta && !isLast)
    let peak = graph.restartPeak()
    graph.gate.leave()
    // Opening a base with deltas comes past what the graph was between them.
    var isBaseWritten = false
    defer { if !isBaseWritten { graph.raisePeak(to: peak) } }
    do {
      try journal.flush(through: last)
    } catch let error as StoreError where error.code == .durabilityLost {
      return try saveHead(journal, &state)
    }
    if version.number == state.version, !state.isUncertain, !wantsBase {
      try removeSuperfluousFiles(journal, &state)
      return .nothing(version, state, since: start)
    }
    let (written, isBase) = try makingRoom(journal, &state) { state in
      if isDelta, let written = try writeDelta(journal, version, nextKeys, &state) { return (written, false) }
      if isDelta, !isLast {
        journal.prepareRoll()
        journal.roll()
      }
      return (try writeBase(version, nextKeys, &state), true)
    }
    isBaseWritten = isBase
    try removeSuperfluousFiles(journal, &state)
    return CheckpointRecord(
      secondsSince1970: StoreClock.secondsSince1970, nanoseconds: StoreClock.nanoseconds - start, byteCount: written,
      isBase: isBase, version: version.number, expandedByteCount: state.expandedByteCount)
  }

  /// Writes a base of what readers see although the journal takes nothing any more: under `.interval` and `.onCheckpoint`
  /// that may be more than the journal has on disk. The store takes no commits afterwards either.
  private func saveHead(_ journal: Journal, _ state: inout CheckpointState) throws -> CheckpointRecord {
    let start = StoreClock.nanoseconds
    WorkThreads.lending { graph.enterGateBlocking() }
    // Above the head there is what the loss takes back, or has taken back. The first commit that the journal refused may be
    // on disk as a whole: the keys have to be such that it can follow the base.
    let version = graph.holdHead()
    let nextKeys = graph.nextKeysBeforeRefusal ?? graph.nextKeys
    graph.gate.leave()
    if version.number == state.version, !state.isUncertain { return .nothing(version, state, since: start) }
    let written = try writeBase(version, nextKeys, &state)
    try lock?.checkPlace()
    journal.didSave(through: version.number)
    graph.didSave(version.number)
    // Between what the journal has and the base there may be commits that it has not, and a part of one.
    try removeSuperfluousFiles(journal, &state, keepsHistory: false)
    return CheckpointRecord(
      secondsSince1970: StoreClock.secondsSince1970, nanoseconds: StoreClock.nanoseconds - start, byteCount: written,
      isBase: true, version: version.number, expandedByteCount: state.expandedByteCount)
  }

  /// Removes what checkpoints have made superfluous, unless it is kept as history, and what earlier ones could not
  /// remove. The checkpoints count whether that works or not.
  func removeSuperfluousFiles(
    _ journal: Journal, _ state: inout CheckpointState, keepsHistory: Bool = true
  ) throws {
    state.removeStaleFiles(fileSystem)
    state.noteBaseFollowed(journal, history)
    do throws(StoreError) {
      try journal.removeSegments(through: state.version) { keepsHistory ? history.firstKept($0, needed: $1) : $1 }
    } catch {
      if error.code == .ownedByOtherProcess { throw error }
      options.log(
        "Files that a checkpoint has replaced could not be removed; the next one tries again: \(error.message)")
    }
  }

  /// The checkpoint is good, but the next opening needs another limit.
  private func warnOfExpansion(_ record: CheckpointRecord, _ state: CheckpointState) {
    let most = ExpansionBudget.limit(
      options.expandedByteCountMax, fileByteCount: state.baseByteCount + state.deltaByteCount)
    let byteCount = max(record.expandedByteCount, peakExpandedByteCount)
    if byteCount <= most { return }
    options.log(
      "Opening the files takes up to \(byteCount) bytes of memory, more than the limit of \(most). Raise "
        + "Realm.Configuration.expandedByteCountMax before the next opening.")
  }

  /// On a full disk, the segment that was allotted ahead may be what is in the way.
  private func makingRoom<Result>(
    _ journal: Journal, _ state: inout CheckpointState, _ write: (inout CheckpointState) throws -> Result
  ) throws -> Result {
    do {
      return try write(&state)
    } catch let error as DiskError where error.isLackOfRoom && !state.isUncertain {
      if !journal.discardPrepared() { throw error }
      return try write(&state)
    }
  }

  /// Whether more rows were deleted since the last checkpoint than are left: then writing what is left costs less than
  /// writing what is gone.
  private func isMostlyDeletions(since state: CheckpointState) -> Bool {
    graph.holdHead().withContents { head in
      let deletionCount = head.deletionCount
      return deletionCount > state.deletionCount && deletionCount - state.deletionCount > UInt64(head.rowCount)
    }
  }

  private func writeBase(_ version: Version, _ nextKeys: [UInt64], _ state: inout CheckpointState) throws -> Int {
    let header = SnapshotHeader(kind: .base, storeID: storeID, epoch: epoch, version: version.number)
    let (written, expandedByteCount) = try version.withContents { contents in
      let tables = catalogue.snapshotTables(contents, map) { nextKeys[$0.index] }
      return try fileSystem.install(
        paths.base, by: paths.temporaryBase, key: options.key, limits: options.limits,
        threadCount: options.threadCount, willRename: { state.isUncertain = true }
      ) { file in
        let written = try SnapshotWriter(
          file, header: header, catalogue: catalogue.withoutDropped, key: options.key, limits: options.limits
        )
        .writeBase(tables: tables, threadCount: options.threadCount)
        try lock?.checkPlace()
        return written
      }
    }
    state.isUncertain = false
    state.version = version.number
    state.baseVersion = version.number
    state.baseFollowedAt = nil
    state.expandedByteCount = expandedByteCount
    state.deletionCount = version.withContents { $0.deletionCount }
    state.baseByteCount = written.byteCount
    state.deltaByteCount = 0
    state.stalePaths += state.deltaPaths
    state.deltaPaths = []
    return written.byteCount
  }

  /// Writes what changed since the last checkpoint, put together from the journal; nil when a base is better. That is so
  /// too when the journal does not give all that was committed, for whatever reason: the graph has it, and a base is
  /// made of that.
  private func writeDelta(
    _ journal: Journal, _ version: Version, _ nextKeys: [UInt64], _ state: inout CheckpointState
  ) throws -> Int? {
    var net = NetEffects(map: map)
    do {
      let segments = try JournalReader(
        folder: paths.journal, storeID: storeID, key: options.key, sequences: journal.neededSequences, in: fileSystem)
      // Throws where it comes to the version.
      _ = try segments.read(after: state.version) { commit in
        if commit.version > version.number { throw EndOfSpan() }
        if commit.kind == .commit {
          try net.add(
            Effects(decoding: commit.payload, map: map, oldValues: commit.hasOldValues ? .skipped : .missing))
        }
        if commit.version == version.number { throw EndOfSpan() }
      }
      options.log("The journal ends before version \(version.number): a base is written instead of a delta.")
      return nil
    } catch is EndOfSpan {
    } catch {
      options.log("The journal cannot be read, a base is written instead of a delta: \(error)")
      return nil
    }
    var bytes = ByteWriter()
    do throws(EffectsError) {
      try version.withContents { contents throws(EffectsError) in try net.encode(contents: contents, into: &bytes) }
    } catch {
      options.log("The journal does not lead to what is in memory, a base is written instead of a delta: \(error)")
      return nil
    }
    if bytes.count > options.limits.deltaByteCountMax { return nil }
    let header = SnapshotHeader(
      kind: .delta, storeID: storeID, epoch: epoch, version: version.number, startVersion: state.version)
    let tables = catalogue.tables.map { table in
      guard let id = map.table(table.id) else { fatalError("Table \(table.id) of the catalogue is not in the graph.") }
      return SnapshotDirectory.TableState(
        id: table.id, nextKey: nextKeys[id.index], rowCount: version.withContents { $0.rowCount(id) })
    }
    let limit = state.baseByteCount / 2 - state.deltaByteCount
    let path = paths.delta(to: version.number)
    do {
      let temporaryPath = paths.temporaryDelta(to: version.number)
      let willRename = {
        state.isUncertain = true
        state.deltaPaths.append(path)
      }
      let (written, _) = try fileSystem.install(
        path, by: temporaryPath, kind: .delta, key: options.key, limits: options.limits, threadCount: 1,
        willRename: willRename
      ) { file in
        let written = try bytes.withBytes {
          try SnapshotWriter(
            file, header: header, catalogue: catalogue, key: options.key, limits: options.limits
          )
          .writeDelta(effects: $0, tables: tables)
        }
        if written.byteCount >= limit { throw DeltaTooLarge() }
        try lock?.checkPlace()
        return written
      }
      state.isUncertain = false
      state.version = version.number
      state.deletionCount = version.withContents { $0.deletionCount }
      state.deltaByteCount += written.byteCount
      return written.byteCount
    } catch is DeltaTooLarge {
      return nil
    }
  }
}

/// Ends the reading of the journal where the checkpoint ends.
private struct EndOfSpan: Error {}

private struct DeltaTooLarge: Error {}

extension CheckpointRecord {
  /// There was nothing to write.
  fileprivate static func nothing(_ version: Version, _ state: CheckpointState, since start: UInt64) -> CheckpointRecord
  {
    CheckpointRecord(
      secondsSince1970: StoreClock.secondsSince1970, nanoseconds: StoreClock.nanoseconds - start, byteCount: 0,
      isBase: false, version: version.number, expandedByteCount: state.expandedByteCount)
  }
}
