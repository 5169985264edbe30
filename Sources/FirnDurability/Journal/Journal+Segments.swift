internal import Dispatch
internal import FirnEngine

extension Journal {
  // MARK: Rolling

  /// Gets the next segment ready, so that the first commit after ``roll()`` need not wait for it. Without room it is not.
  package func prepareRoll() {
    appending.withLock { side in
      if side.position > 0 { prepareNext(side) }
    }
    preparingQueue.sync {}
  }

  /// The segments with commits that no checkpoint has, as far as they hold any, oldest first. Only checkpoints remove
  /// them.
  var neededSequences: [UInt64] {
    appending.withLock { side in
      side.extents.map(\.sequence).filter { $0 >= side.firstNeeded }
    }
  }

  /// The segments that are kept, oldest first, and the last version that was appended.
  var extents: (kept: [SegmentExtent], lastVersion: UInt64) {
    appending.withLock { side in (side.extents.filter { $0.sequence >= side.firstKept }, side.version) }
  }

  /// The last version that was appended.
  package var lastVersion: UInt64 { appending.withLock { $0.version } }

  /// Ends the current segment: commits from now on go to another one, which the first of them allots. Returns the last
  /// version before it.
  ///
  /// - Parameter onlyIfShortOfRoom: Goes on in the current segment, unless there was no room for a whole one: then a
  ///   checkpoint is to free this one.
  @discardableResult
  package func roll(onlyIfShortOfRoom: Bool = false) -> UInt64 {
    appending.withLock { side in
      if side.position > 0, !onlyIfShortOfRoom || side.isShortOfRoom { side.leave() }
      side.noteRoll()
      return side.version
    }
  }

  /// Ends the current segment unless it was begun in a span of time: at once when it is known that its last commit is on
  /// disk, else with the next commit, whose header says so. Goes on in it while there is no room for another one.
  func roll(unlessBegunIn times: ClosedRange<UInt64>) {
    func isToBeLeft(_ side: AppendSide) -> Bool { side.beganAt.map { !times.contains($0) } ?? false }
    if !appending.withLock({ isToBeLeft($0) }) { return }
    proveDurable()
    prepareRoll()
    appending.withLock { side in
      if !isToBeLeft(side) { return }
      side.isToBeLeft = true
      if side.version <= side.provenThrough { leaveOld(side) }
    }
  }

  /// Leaves the current segment unless that may have commits refused that it has room for.
  func leaveOld(_ side: AppendSide) {
    if !configuration.preparesSegments || prepared.withLock({ $0 != nil }) { side.leaveUncut() }
  }

  /// Goes on in the next segment, allotting it here if it is not ready. If there is no room for it, the journal goes on in
  /// the current one.
  func enterNext(_ side: AppendSide) throws(StoreError) {
    if let prepared = takePrepared(side) { return side.enter(prepared) }
    // Whoever opens a store on a full disk wants to make room in it, and so do those who have just checkpointed it.
    let shortage = side.segment == nil ? Segment.Shortage.shorten : refusal
    do throws(DiskError) {
      let segment = try allot(side.takeSequence(), shortage)
      side.isShortOfRoom = segment.byteCount < configuration.segmentByteCount
      side.enter(segment)
    } catch {
      if let storeLock, error.code == .exists {
        stop(storeLock.removed)
        throw storeLock.removed
      }
      side.isShortOfRoom = error.isLackOfRoom
      throw refused(error)
    }
  }

  /// Why a commit that wants another segment is not taken.
  func refused(_ error: DiskError) -> StoreError {
    if !error.isLackOfRoom { return StoreError(error) }
    return StoreError(
      .outOfDiskSpace,
      "\(error.description). The commit was not taken; nothing else is lost. Make room on the disk, or make a checkpoint, "
        + "which gives back the room of the journal, and write again.", path: error.path)
  }

  // MARK: Allotting ahead

  /// Allots the next segment in the background. If that fails, it is tried again when the segment is needed.
  func prepareNext(_ side: AppendSide) {
    if side.preparedSequence != nil || !configuration.preparesSegments { return }
    let sequence = side.takeSequence()
    side.preparedSequence = sequence
    preparingQueue.async { [self] in
      do throws(DiskError) {
        let next = try allot(sequence, refusal)
        prepared.withLock { $0 = next }
      } catch {
        if let storeLock, error.code == .exists { stop(storeLock.removed) }
      }
    }
  }

  private func takePrepared(_ side: AppendSide) -> Segment? {
    if side.preparedSequence == nil { return nil }
    preparingQueue.sync {}
    side.preparedSequence = nil
    return prepared.withLock { prepared in
      defer { prepared = nil }
      return prepared
    }
  }

  /// Gives back the room of a segment that was allotted ahead. False when there is none.
  @discardableResult
  package func discardPrepared() -> Bool {
    guard let segment = appending.withLock({ takePrepared($0) }) else { return false }
    if !isLost { try? fileSystem.remove(segment.file.path) }
    return true
  }

  /// So much room is left for those who make room.
  private var refusal: Segment.Shortage {
    .refuse(spareByteCount: configuration.segmentByteCount / 16)
  }

  private func allot(_ sequence: UInt64, _ shortage: Segment.Shortage) throws(DiskError) -> Segment {
    try Segment.allot(
      sequence, salt: configuration.key == nil ? configuration.salt : .random(), in: configuration.folder,
      byteCount: configuration.segmentByteCount, shortage, fileSystem: fileSystem)
  }

  // MARK: Giving room back

  /// Whether the files may be somebody else's.
  var isLost: Bool {
    if storeLock == nil { return false }
    do { try storeLock?.checkPlace() } catch { return true }
    return flushing.withLock { $0.failure?.code == .ownedByOtherProcess }
  }

  /// Cuts the segments that nothing more is written to, to what they hold. What fails is tried again the next time.
  func cutSegments() {
    if isLost { return }
    let durable = durableThrough
    let folder = configuration.folder
    let cuts: [SegmentExtent] = appending.withLock { side in
      side.extents.enumerated().compactMap { index, extent in
        let last = index + 1 < side.extents.count ? side.extents[index + 1].lastVersion : side.version
        return extent.sequence == side.segment?.sequence || last > durable
          || extent.cutByteCount >= extent.allottedByteCount ? nil : extent
      }
    }
    for extent in cuts {
      let path = "\(folder)/\(JournalFormat.segmentName(extent.sequence))"
      do throws(DiskError) {
        if extent.cutByteCount == 0 {
          try fileSystem.remove(path)
        } else {
          try fileSystem.open(path, .readWrite).truncate(to: extent.cutByteCount)
        }
      } catch {
        continue
      }
      appending.withLock { side in
        guard let index = side.extents.firstIndex(where: { $0.sequence == extent.sequence }) else { return }
        if extent.cutByteCount == 0 {
          side.extents.remove(at: index)
        } else {
          side.extents[index].allottedByteCount = extent.cutByteCount
        }
      }
    }
  }

  /// Removes the segments whose commits are all at or below `version`, which a checkpoint holds on disk.
  ///
  /// - Parameter firstKept: Gets all segments and the number of the oldest one that is still needed, and may name an
  ///   older one to be kept as well.
  package func removeSegments(
    through version: UInt64, keepingFrom firstKept: ([SegmentExtent], _ needed: UInt64) -> UInt64 = { $1 }
  ) throws(StoreError) {
    try storeLock?.checkPlace()
    let first = appending.withLock { side in
      // The bytes of a failed sync can be read as long as the system has them in memory, and are not on the disk.
      if hasFailed { side.leave() }
      side.provenThrough = max(side.provenThrough, version)
      let needed = side.drop(through: version)
      // Nobody begins to read what is about to go.
      side.keep(from: min(needed, firstKept(side.extents, needed)))
      return side.firstKept
    }
    do throws(DiskError) {
      var isChanged = false
      for name in try fileSystem.list(configuration.folder) {
        guard let sequence = JournalFormat.sequence(ofSegmentNamed: name), sequence < first else { continue }
        try fileSystem.remove("\(configuration.folder)/\(name)")
        isChanged = true
      }
      if isChanged { try fileSystem.synchronizeFolder(configuration.folder) }
    } catch {
      throw StoreError(error)
    }
    appending.withLock { $0.extents.removeAll { $0.sequence < first } }
    cutSegments()
  }
}
