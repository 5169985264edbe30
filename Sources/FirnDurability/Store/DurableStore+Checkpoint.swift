internal import FirnEngine

/// What the files hold, as far as checkpoints have to know.
struct CheckpointState {
  /// The version that base and deltas lead to.
  var version: UInt64
  var baseByteCount: Int
  var deltaByteCount: Int
  var deltaPaths: [String]
  var history: JournalHistory
  /// Whether a checkpoint failed when its file may have got its name. Nothing may lead on from the files then, as nobody
  /// knows where they lead to: the next checkpoint is a base, which replaces them all.
  var isUncertain = false
  /// Whether the files were let go.
  var isClosed = false

  /// - Parameter firstSegment: The oldest segment of the journal.
  init(_ files: StoreFiles, firstSegment: UInt64) {
    history = JournalHistory(start: firstSegment)
    version = files.version
    baseByteCount = files.base.byteCount
    deltaByteCount = files.deltaByteCount
    deltaPaths = files.deltas.map(\.file.path)
  }
}

extension DurableStore {
  /// Folds the journal into base or delta. Reading and writing go on; one checkpoint runs at a time.
  ///
  /// - Returns: What was written; with 0 bytes when there was nothing to write.
  package func checkpoint() throws -> CheckpointRecord {
    guard let journal else { throw StoreError(.fail, "The store was opened for reading only.") }
    return try StoreError.wrapping { try checkpoints.withLock { try checkpoint(journal, &$0) } }
  }

  private func checkpoint(_ journal: Journal, _ state: inout CheckpointState) throws -> CheckpointRecord {
    if state.isClosed { throw StoreError(.storeClosed, "The store was closed. Open it again to use it.") }
    let start = StoreClock.nanoseconds
    trigger.didStart()
    let journalByteCount = journal.statistics.byteCount
    let isDelta = !state.isUncertain && state.deltaByteCount + journalByteCount / 8 < state.baseByteCount / 2
    // A base frees the journal that it covers. After a delta the segment goes on, which saves allotting another one.
    if !isDelta { journal.prepareRoll() }
    // In the gate the tip, the keys given out and the end of the journal belong together.
    graph.enterGateBlocking()
    let version = graph.holdTip()
    let nextKeys = graph.nextKeys
    let last = Result { isDelta ? journal.lastVersion : try journal.roll() }
    graph.gate.leave()
    try journal.flush(through: try last.get())
    if version.number == state.version, !state.isUncertain {
      return CheckpointRecord(
        secondsSince1970: StoreClock.secondsSince1970, nanoseconds: StoreClock.nanoseconds - start, byteCount: 0,
        isBase: false, version: version.number)
    }
    let deltaByteCount = isDelta ? try writeDelta(version, nextKeys, &state) : nil
    let isBase = deltaByteCount == nil
    if isDelta, isBase {
      journal.prepareRoll()
      _ = try journal.roll()
    }
    let written = try deltaByteCount ?? writeBase(version, nextKeys, &state)
    try journal.removeSegments(through: version.number) { needed in
      state.history.advance(
        to: needed, byteCount: journalByteCount, now: StoreClock.nanoseconds, keeping: options)
    }
    let record = CheckpointRecord(
      secondsSince1970: StoreClock.secondsSince1970, nanoseconds: StoreClock.nanoseconds - start, byteCount: written,
      isBase: isBase, version: version.number)
    trigger.didFinish(record, byteCount: state.baseByteCount + state.deltaByteCount)
    return record
  }

  private func writeBase(_ version: Version, _ nextKeys: [UInt64], _ state: inout CheckpointState) throws -> Int {
    let header = SnapshotHeader(kind: .base, storeID: storeID, epoch: epoch, version: version.number)
    let tables = catalogue.tables.map { table in
      guard let id = map.table(table.id) else { fatalError("Table \(table.id) of the catalogue is not in the graph.") }
      return SnapshotTable(
        version.snapshot, table: id, columns: table.columns.compactMap { map.column($0.id, in: id) },
        nextKey: nextKeys[id.index])
    }
    let willRename = { state.isUncertain = true }
    let written = try fileSystem.install(paths.base, by: paths.temporaryBase, willRename: willRename) { file in
      try SnapshotWriter(file, header: header, catalogue: catalogue)
        .writeBase(tables: tables, threadCount: options.threadCount)
    }
    let stale = state.deltaPaths
    state.isUncertain = false
    state.version = version.number
    state.baseByteCount = written.byteCount
    state.deltaByteCount = 0
    state.deltaPaths = []
    for path in stale where try fileSystem.exists(path) { try fileSystem.remove(path) }
    return written.byteCount
  }

  /// Writes what changed since the last checkpoint, put together from the journal; nil when a base is better.
  private func writeDelta(_ version: Version, _ nextKeys: [UInt64], _ state: inout CheckpointState) throws -> Int? {
    var net = NetEffects(map: map)
    do {
      let journal = try JournalReader(folder: paths.journal, storeID: storeID, in: fileSystem)
      _ = try journal.read(after: state.version) { commit in
        if commit.version > version.number { throw EndOfSpan() }
        if commit.kind == .commit { try net.add(Effects(decoding: commit.payload, map: map)) }
        if commit.version == version.number { throw EndOfSpan() }
      }
    } catch is EndOfSpan {}
    var bytes = ByteWriter()
    try net.encode(snapshot: version.snapshot, into: &bytes)
    let header = SnapshotHeader(
      kind: .delta, storeID: storeID, epoch: epoch, version: version.number, startVersion: state.version)
    let tables = catalogue.tables.map { table in
      guard let id = map.table(table.id) else { fatalError("Table \(table.id) of the catalogue is not in the graph.") }
      return SnapshotDirectory.TableState(
        id: table.id, nextKey: nextKeys[id.index], rowCount: version.snapshot.rowCount(id))
    }
    let limit = state.baseByteCount / 2 - state.deltaByteCount
    let path = paths.delta(to: version.number)
    do {
      let temporaryPath = paths.temporaryDelta(to: version.number)
      let willRename = {
        state.isUncertain = true
        state.deltaPaths.append(path)
      }
      let written = try fileSystem.install(path, by: temporaryPath, kind: .delta, willRename: willRename) { file in
        let written = try bytes.withBytes {
          try SnapshotWriter(file, header: header, catalogue: catalogue).writeDelta(effects: $0, tables: tables)
        }
        if written.byteCount >= limit { throw DeltaTooLarge() }
        return written
      }
      state.isUncertain = false
      state.version = version.number
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
