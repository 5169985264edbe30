internal import Dispatch
internal import FirnEngine

extension Journal {
  /// Writes down in the journal that the last commit is on disk: without it only the next group of commits says so, and
  /// the lock file, which is not synchronized. Does nothing unless the journal is at rest and has something to prove.
  ///
  /// Commits may be appended meanwhile; they wait for this sync as for that of others. If writing fails nothing is lost:
  /// the frame counts for nothing, and the next commit goes to a new segment, as nobody knows what is behind the last one
  /// in this one. Only commits that were appended behind the frame are lost then.
  package func proveDurable(isClosing: Bool = false) {
    guard let proof = writeProof(isClosing) else { return }
    do throws(DiskError) {
      try proof.segment.file.synchronizeData()
    } catch {
      // The segment may have ended meanwhile: what matters is whether a frame was added to it behind the proof.
      let isAlone = appending.withLock { side in
        let isLast = side.isEnd(proof.end, of: proof.segment)
        if isLast, side.segment === proof.segment { side.leave() }
        return isLast
      }
      if !isAlone {
        _ = fail(.durabilityLost(error))
        return
      }
      passOn()
      return
    }
    flushing.withLock { $0.statistics.proofCount += 1 }
    passOn()
  }

  /// Puts the frame behind the last commit. The caller has the leadership afterwards if this returns anything.
  private func writeProof(_ isClosing: Bool) -> (segment: Segment, end: Int)? {
    if isLost { return nil }
    return appending.withLock { side in
      guard isClosing || !side.isClosed, let segment = side.segment, side.position > 0,
        side.version > side.provenThrough,
        takeLeadershipAtRest()
      else { return nil }
      var frame = ByteWriter()
      var chain = side.runningChain
      Frame.begin(
        &frame, kind: .durable, part: 0, isLastPart: true, version: side.version, previousVersion: side.version,
        durableThrough: side.version, in: stream)
      Frame.finish(
        &frame, at: 0, authorByteCount: 0, metadataByteCount: 0, saltCRC: segment.salt.crc, seal: &side.seal,
        offset: side.position, chain: &chain)
      let result = frame.withBytes { bytes in
        Result { () throws(DiskError) in try segment.file.write(bytes, at: side.position) }
      }
      side.provenThrough = side.version
      guard case .success = result else {
        side.leave()
        passOn()
        return nil
      }
      side.didAppendProof(byteCount: frame.count, chain: chain)
      didGrow(frame.count)
      return (segment, side.position)
    }
  }

  /// Whether everything is on disk and nobody leads; if so, the caller leads.
  private func takeLeadershipAtRest() -> Bool {
    flushing.withLock { flush in
      if flush.isLeading || flush.failure != nil || flush.appended != flush.durable { return false }
      flush.isLeading = true
      return true
    }
  }

  // MARK: Idleness

  /// Has ``proveDurable()`` called once no commit came for as long as the configuration says. Called after each sync; at most
  /// one call is on its way, which does not keep the journal.
  func proveWhenIdle() {
    guard let nanoseconds = configuration.idleNanoseconds else { return }
    let isSet = flushing.withLock { flush in
      defer { flush.isIdleTimerSet = true }
      return flush.isIdleTimerSet
    }
    if !isSet { scheduleIdleCheck(nanoseconds, since: durableThrough) }
  }

  private func scheduleIdleCheck(_ nanoseconds: Int, since version: UInt64) {
    leaderQueue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      self?.checkIdleness(nanoseconds, since: version)
    }
  }

  private func checkIdleness(_ nanoseconds: Int, since version: UInt64) {
    let now = durableThrough
    if now != version { return scheduleIdleCheck(nanoseconds, since: now) }
    flushing.withLock { $0.isIdleTimerSet = false }
    proveDurable()
  }
}
