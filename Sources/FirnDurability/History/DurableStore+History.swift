internal import FirnEngine

/// Reads the commits of the past from the journal, beside the writers and the checkpoints.
///
/// Commits up to the head lie in files, complete. A checkpoint may remove or cut segments meanwhile: those that are open stay
/// readable, and where one is gone before it was opened, all is looked up anew.
extension DurableStore {
  /// How often files are looked up anew.
  private static var attemptCountMax: Int { 100 }

  /// About how many bytes of effects are read at once.
  package static var historyPageByteCount: Int { 1 << 20 }

  /// The commits after version `start`, at least one and as many as fill a page. Empty at `end`.
  ///
  /// - Parameter end: A version that readers see.
  /// - Throws: `StoreError` `.historyUnavailable` when not all of them are known; `.corrupted` when they cannot be read.
  package func historyPage(after start: UInt64, through end: UInt64) throws -> [HistoryCommit] {
    try StoreError.wrapping {
      let end = try readableEnd(end)
      if start >= end { return [] }
      if start < oldestReadable(through: end) { throw StoreError.historyUnavailable(paths.base, after: start) }
      do {
        return try lookingUpAnew(after: start) { try readPage($0, start, end) }
      } catch is JournalGap {
        throw StoreError.historyUnavailable(paths.base, after: start)
      }
    }
  }

  /// The oldest version after which all commits up to `end` are known; `end` if there is none.
  ///
  /// - Complexity: O(bytes of the journal).
  package func historyStart(through end: UInt64) throws -> UInt64 {
    try StoreError.wrapping {
      let end = try readableEnd(end)
      return try lookingUpAnew(after: 0) { journal in
        var start = max(journal.firstVersion ?? end, oldestReadable(through: end))
        while start < end {
          do {
            let report = try journal.readHistory(after: start, through: end) { _ in }
            return report.position.version < end ? end : start
          } catch let gap as JournalGap where gap.next > start {
            start = gap.next
          }
        }
        return min(start, end)
      }
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

  /// The version before the oldest commit that is not too old; `end` where all are.
  private func oldestReadable(through end: UInt64) -> UInt64 {
    if history.oldestTime == nil { return 0 }
    return history.firstReadable(journal?.extents.kept ?? openingPosition.extents)?.lastVersion ?? end
  }

  /// Behind a failed disk the files do not say for certain what readers see.
  private func readableEnd(_ end: UInt64) throws(StoreError) -> UInt64 {
    guard let journal, journal.hasFailed, end > journal.durableThrough else { return end }
    if options.durability == .everyCommit { return journal.durableThrough }
    throw .historyUnavailable(paths.base, after: journal.durableThrough)
  }

  /// A segment that was begun while others were removed may look like damage: but not twice like the same.
  private func lookingUpAnew<Result>(after start: UInt64, _ body: (JournalReader) throws -> Result) throws -> Result {
    var lastDamage: String?
    for _ in 1..<Self.attemptCountMax {
      do {
        return try body(openJournal(after: start))
      } catch let error as StoreError where error.code == .fileNotFound {
        continue
      } catch let error as StoreError where error.code == .corrupted && error.message != lastDamage {
        lastDamage = error.message
      }
    }
    return try body(openJournal(after: start))
  }

  private func openJournal(after start: UInt64) throws(StoreError) -> JournalReader {
    try JournalReader(
      folder: paths.journal, storeID: storeID, key: options.key, keepsFilesAfter: start,
      budget: ExpansionBudget(byteCountMax: options.expandedByteCountMax), in: fileSystem)
  }

  private func readPage(_ journal: JournalReader, _ start: UInt64, _ end: UInt64) throws -> [HistoryCommit] {
    var commits: [HistoryCommit] = []
    var byteCount = 0
    do {
      _ = try journal.readHistory(after: start, through: end) { commit in
        commits.append(try decode(commit, journal.budget))
        byteCount += commit.payload.count
        if byteCount >= Self.historyPageByteCount || commit.version >= end { throw EndOfPage() }
      }
    } catch is EndOfPage {
      return commits
    }
    // The journal ends before.
    throw StoreError.historyUnavailable(paths.base, after: start)
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

/// Ends the reading of the journal where a page ends.
private struct EndOfPage: Error {}

extension JournalReader {
  /// The version before the oldest commit that there may be; nil without segments.
  fileprivate var firstVersion: UInt64? { firstHeader?.lastVersion }
}

extension AppendSide {
  /// See ``SegmentExtent``.
  fileprivate func mark(of version: UInt64) -> UInt64? { extents.mark(of: version, last: self.version, chain: chain) }
}
