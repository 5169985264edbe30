internal import Dispatch
internal import FirnEngine

extension Journal {
  /// Gets the next segment ready, so that ``roll()`` has nothing to write.
  package func prepareRoll() {
    appending.withLock { side in
      if side.position > 0 { prepareNext(side) }
    }
    preparingQueue.sync {}
  }

  /// The last version that was appended.
  package var lastVersion: UInt64 { appending.withLock { $0.version } }

  /// Ends the current segment: commits from now on go to the next one. Returns the last version before it.
  ///
  /// Throws when there is no room for another segment; the journal then goes on in the current one.
  package func roll() throws -> UInt64 {
    try appending.withLock { side in
      if side.position > 0 { try enterNext(side) }
      return side.version
    }
  }

  /// Removes the segments whose commits are all at or below `version`, which a checkpoint holds on disk.
  ///
  /// - Parameter firstKept: Gets the oldest segment that is still needed, and may name an older one to be kept as well.
  package func removeSegments(
    through version: UInt64, keepingFrom firstKept: (_ needed: UInt64) -> UInt64 = { $0 }
  ) throws(StoreError) {
    let needed: UInt64? = appending.withLock { side in
      guard let index = side.extents.lastIndex(where: { $0.lastVersion <= version }) else { return nil }
      let sequence = side.extents[index].sequence
      side.extents.removeFirst(index)
      side.replayedByteCount = 0
      return sequence
    }
    guard let needed else { return }
    let first = min(needed, firstKept(needed))
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
  }

  /// Goes on in the next segment, allotting it here if it is not ready.
  func enterNext(_ side: AppendSide) throws(StoreError) {
    var next: Segment?
    if side.isPreparing {
      preparingQueue.sync {}
      side.isPreparing = false
      next = prepared.withLock { prepared in
        defer { prepared = nil }
        return prepared
      }
    }
    do throws(DiskError) {
      if let next { side.enter(next) } else { side.enter(try allot(after: side.segment)) }
    } catch {
      throw StoreError(error)
    }
  }

  /// Allots the next segment in the background. If that fails, it is tried again when the segment is needed.
  func prepareNext(_ side: AppendSide) {
    if side.isPreparing || !configuration.preparesSegments { return }
    side.isPreparing = true
    let segment = side.segment
    preparingQueue.async { [self] in
      let next = try? allot(after: segment)
      prepared.withLock { $0 = next }
    }
  }

  private func allot(after segment: Segment) throws(DiskError) -> Segment {
    try Segment.allot(
      segment.sequence + 1, in: configuration.folder, byteCount: configuration.segmentByteCount,
      fileSystem: fileSystem)
  }
}
