internal import FirnEngine

/// Reads the commits of the past from the journal, beside the writers and the checkpoints.
///
/// Commits up to the head lie in files, complete, and the journal knows in which: so one segment is open at a time, and
/// none between two pages. A checkpoint may remove segments meanwhile. The journal says so before it begins, and where
/// one is gone before it was opened, the rest is looked up anew.
extension DurableStore {
  /// About how many bytes of effects are read at once.
  package static var historyPageByteCount: Int { 1 << 20 }

  /// About how many bytes are gone through at once to find out where history begins.
  private static var searchByteCount: Int { 8 << 20 }

  /// So many segments are looked at together.
  private static var chunkCount: Int { 8 }

  /// The commits after version `start`, at least one and as many as fill a page. Empty at `end`.
  ///
  /// - Parameter end: A version that readers see.
  /// - Throws: `StoreError` `.historyUnavailable` when not all of them are known; `.corrupted` when they cannot be read.
  package func historyPage(after start: UInt64, through end: UInt64) throws -> [HistoryCommit] {
    try StoreError.wrapping {
      let end = try readableEnd(end)
      if start >= end { return [] }
      let budget = ExpansionBudget(byteCountMax: options.expandedByteCountMax)
      var commits: [HistoryCommit] = []
      var byteCount = 0
      do {
        let reached = try read(after: start, through: end, budget) { commit in
          commits.append(try decode(commit, budget))
          byteCount += commit.payload.count
          return byteCount < Self.historyPageByteCount
        }
        if !commits.isEmpty, reached == end || byteCount >= Self.historyPageByteCount { return commits }
      } catch is JournalGap {}
      throw StoreError.historyUnavailable(paths.base, after: start)
    }
  }

  /// The oldest version after which all commits up to `end` are known; `end` if there is none.
  ///
  /// - Complexity: O(bytes of the journal).
  package func historyStart(through end: UInt64) throws -> UInt64 {
    var search = HistorySearch()
    while !search.isOver { search = try goOn(search, through: end) }
    return search.start
  }

  /// Goes on looking for the oldest version after which all commits up to `end` are known, some megabytes at a time.
  package func goOn(_ search: HistorySearch, through end: UInt64) throws -> HistorySearch {
    try StoreError.wrapping {
      let end = try readableEnd(end)
      let first = search.reached ?? readableExtents.first?.lastVersion ?? end
      var search = HistorySearch(start: search.reached == nil ? first : search.start, reached: first)
      var byteCount = 0
      do {
        let budget = ExpansionBudget(byteCountMax: options.expandedByteCountMax)
        let reached = try read(after: first, through: end, budget) { commit in
          byteCount += commit.payload.count
          return byteCount < Self.searchByteCount
        }
        search.reached = reached
        // Commits that are missing behind the last one will not come.
        if byteCount < Self.searchByteCount, reached < end { (search.start, search.reached) = (end, end) }
      } catch let gap as JournalGap {
        let next = gap.next > first ? min(gap.next, end) : end
        (search.start, search.reached) = (next, next)
      }
      search.isOver = search.reached.map { $0 >= end } ?? true
      if search.isOver { search.start = min(search.start, end) }
      return search
    }
  }

  /// Which commit a version stands for; nil where that is not known any more. Blocks the thread while a commit is written to
  /// the journal, which may take as long as the disk does.
  package func historyPosition(of version: UInt64) -> HistoryPosition? {
    position(of: version) { $0.appending.withLock { $0.mark(of: version) } }
  }

  /// The same without blocking the caller's thread. Nil also when the system gives no thread.
  package func historyPositionInTurn(of version: UInt64) async -> HistoryPosition? {
    guard let journal else { return historyPosition(of: version) }
    if let mark = journal.appending.withLockIfFree({ $0.mark(of: version) }) {
      return position(of: version) { _ in mark }
    }
    return try? await WorkThreads.files.run { self.historyPosition(of: version) }
  }

  private func position(of version: UInt64, _ mark: (Journal) -> UInt64?) -> HistoryPosition? {
    let mark =
      if let journal { mark(journal) } else {
        openingPosition.extents.mark(of: version, last: opening.version, chain: openingPosition.chain)
      }
    return mark.map { HistoryPosition(storeID: storeID, version: version, mark: $0) }
  }

  /// Behind a failed disk the files do not say for certain what readers see.
  private func readableEnd(_ end: UInt64) throws(StoreError) -> UInt64 {
    guard let journal, journal.hasFailed, end > journal.durableThrough else { return end }
    if options.durability == .everyCommit { return journal.durableThrough }
    throw .historyUnavailable(paths.base, after: journal.durableThrough)
  }

  /// The segments that hold anything, are not about to be removed, and are not too old.
  private var readableExtents: ArraySlice<SegmentExtent> {
    let extents = (journal?.extents.kept ?? openingPosition.extents).filter { $0.mark != 0 && $0.end > 0 }
    guard let first = history.firstReadable(extents) else { return [] }
    return extents.drop { $0.sequence < first.sequence }
  }

  /// Reads the commits after version `start` until `body` says that it has enough.
  ///
  /// - Returns: The last version that was read; less than `end` also where the journal ends before.
  /// - Throws: ``JournalGap`` where commits are missing.
  private func read(
    after start: UInt64, through end: UInt64, _ budget: ExpansionBudget, _ body: (JournalCommit) throws -> Bool
  ) throws -> UInt64 {
    var reached = start
    var extents = readableExtents
    while reached < end {
      guard let first = extents.lastIndex(where: { $0.lastVersion <= reached }) else {
        throw gap(before: extents.first, end)
      }
      // The header of the last one tells where those before it have to lead.
      let chunk = extents[first...].prefix(Self.chunkCount)
      let isLast = chunk.endIndex == extents.endIndex
      let limit = isLast ? end : min(end, chunk[chunk.endIndex - 1].lastVersion)
      do {
        let journal = try JournalReader(
          folder: paths.journal, storeID: storeID, key: options.key, sequences: chunk.map(\.sequence), budget: budget,
          in: fileSystem)
        let report = try journal.readHistory(after: reached, through: limit) { commit in
          let isEnough = try !body(commit)
          reached = commit.version
          if isEnough { throw EnoughRead() }
        }
        if report.position.version < limit { return reached }
        if !isLast { try journal.expectLast(toGoOnFrom: report.position) }
        reached = limit
      } catch is EnoughRead {
        return reached
      } catch let error as StoreError where error.code == .fileNotFound {
        let now = readableExtents
        // Nobody but a process that writes takes any away; beside that one, nobody says so.
        if now == extents { throw gap(before: extents.first { $0.sequence > chunk[first].sequence }, end) }
        extents = now
      }
    }
    return reached
  }

  private func gap(before extent: SegmentExtent?, _ end: UInt64) -> JournalGap {
    JournalGap(next: extent?.lastVersion ?? end, damage: .historyUnavailable(paths.base, after: 0))
  }

  private func decode(_ commit: JournalCommit, _ budget: ExpansionBudget) throws(StoreError) -> HistoryCommit {
    let effects: Effects?
    do throws(DecodingError) {
      effects = try commit.effects(map, budget)
    } catch {
      if let byteCountMax = error.budget { throw .historyBeyondBudget(paths.base, commit.version, byteCountMax) }
      // Its checksums are right: the classes were others then.
      throw StoreError(
        .historyUnavailable,
        "Commit \(commit.version) of '\(paths.base)' cannot be read with the present classes: \(error). History does not "
          + "reach back beyond a migration that changed properties.", path: paths.base)
    }
    return HistoryCommit(
      version: commit.version, note: CommitNote(author: commit.author, metadata: commit.metadata), effects: effects)
  }
}

/// How far the search for the beginning of history got.
package struct HistorySearch: Sendable {
  /// The oldest version after which all commits up to `reached` are known.
  package fileprivate(set) var start: UInt64 = 0
  /// Nil before it began.
  fileprivate var reached: UInt64?
  package fileprivate(set) var isOver = false

  package init() {}

  fileprivate init(start: UInt64, reached: UInt64) {
    self.start = start
    self.reached = reached
  }
}

extension JournalCommit {
  /// What it did and, if that is there, what was before; nil when it changed nothing but classes and properties.
  fileprivate func effects(_ map: CatalogueMap, _ budget: ExpansionBudget) throws(DecodingError) -> Effects? {
    if kind != .commit { return nil }
    return try Effects(decoding: payload, map: map, budget: budget, oldValues: hasOldValues ? .read : .missing)
  }
}

extension JournalReader {
  /// Reads all commits that are kept up to `end`, also those that opening does not need, and what rows were before them.
  ///
  /// - Parameters:
  ///   - base: The version of base and deltas: commits after it can be read with the present classes.
  /// - Returns: How many commits there are.
  /// - Throws: `StoreError` `.corrupted` when one cannot be read.
  func verifyHistory(through end: UInt64, base: UInt64, _ map: CatalogueMap) throws -> Int {
    guard var start = firstVersion else { return 0 }
    var count = 0
    while start < end {
      do {
        _ = try readHistory(after: start, through: end) { commit in
          start = commit.version
          count += 1
          do throws(DecodingError) {
            _ = try budget.releasing { () throws(DecodingError) in try commit.effects(map, budget) }
          } catch {
            if let byteCountMax = error.budget { throw StoreError.beyondBudget(folder, byteCountMax) }
            // Before a migration they may have been others.
            if commit.version <= base { return }
            throw StoreError(
              .corrupted, "Commit \(commit.version) of '\(folder)' cannot be read: \(error).", path: folder)
          }
        }
        return count
      } catch let gap as JournalGap where gap.next > start {
        start = gap.next
      }
    }
    return count
  }
}

/// Ends the reading of the journal.
private struct EnoughRead: Error {}

extension JournalReader {
  /// The version before the oldest commit that there may be; nil without segments.
  fileprivate var firstVersion: UInt64? { firstHeader?.lastVersion }
}

extension AppendSide {
  /// See ``SegmentExtent``.
  fileprivate func mark(of version: UInt64) -> UInt64? { extents.mark(of: version, last: self.version, chain: chain) }
}
