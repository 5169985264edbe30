internal import CFirn
internal import Dispatch
package import FirnEngine

extension Journal {
  package func append(_ commit: LoggedCommit) throws -> CommitLogAnswer {
    try append(commit.version, note: commit.note) { encode(commit, &$0) }
  }

  /// Takes a commit whose payload `encode` appends. Called by the writer, in order; waits only for room.
  @discardableResult
  package func append(
    _ version: UInt64, kind: FrameKind = .commit, note: CommitNote = CommitNote(),
    encode: (inout ByteWriter) -> Void
  ) throws -> CommitLogAnswer {
    try appending.withLock { side in
      if side.isClosed { throw StoreError(.storeClosed, "The store is closed. Open it again to write.") }
      if version <= side.version { fatalError("Commit \(version) came after commit \(side.version).") }
      do throws(StoreError) { try storeLock?.check() } catch {
        stop(error)
        throw error
      }
      try waitForRoom(side)
      defer { side.scratch.removeAll(keptCapacityMax: 1 << 20) }
      if side.isToBeLeft { leaveOld(side) }
      let (segment, end) = try compose(side, version, kind, note, encode)
      try handOver(side, version, segment)
      side.didAppend(byteCount: side.scratch.count)
      didGrow(side.scratch.count + side.unusedByteCount)
      side.unusedByteCount = 0
      side.chain = end
      side.runningChain = end
      side.version = version
      if side.position > segment.byteCount / 2 { prepareNext(side) }
      return configuration.durability == .everyCommit ? .pending : .durable
    }
  }

  private func waitForRoom(_ side: AppendSide) throws {
    let isFull = try flushing.withLock { flush in
      if let failure = flush.failure { throw failure }
      return flush.pending.count > configuration.pendingByteCountMax
    }
    if isFull { try waitInGate(through: side.version) }
  }

  // MARK: Composing

  /// Fills the scratch buffer with the frames of a commit, and moves to the next segment first if they do not fit into
  /// this one. Returns the segment and the chain value at their end.
  private func compose(
    _ side: AppendSide, _ version: UInt64, _ kind: FrameKind, _ note: CommitNote, _ encode: (inout ByteWriter) -> Void
  ) throws -> (segment: Segment, chain: UInt32) {
    let tags = try FrameTags(note)
    let segment = try current(side)
    var chain = side.runningChain
    writeHeader(side, segment, &chain)
    let start = side.scratch.count
    begin(side, kind, version, part: 0, isLastPart: true)
    tags.write(to: &side.scratch)
    let payloadStart = side.scratch.count
    encode(&side.scratch)
    let payloadByteCount = side.scratch.count - payloadStart
    let sealByteCount = stream.isSealed ? SealTag.byteCount : 0
    let end = side.position + Frame.byteCount(contentByteCount: side.scratch.count + sealByteCount)
    if payloadByteCount <= JournalFormat.partByteCountMax, end <= segment.byteCount || side.position == 0 {
      try makeRoom(in: segment, side, end)
      Frame.finish(
        &side.scratch, at: start, authorByteCount: tags.authorByteCount, metadataByteCount: tags.metadataByteCount,
        saltCRC: segment.salt.crc, seal: &side.seal, offset: side.position + start, chain: &chain)
      return (segment, chain)
    }
    // The payload is moved out of the way and put into the right place again.
    var payload = ByteWriter()
    swap(&payload, &side.scratch)
    let partCount = max(1, (payloadByteCount + JournalFormat.partByteCountMax - 1) / JournalFormat.partByteCountMax)
    let total =
      tags.byteCount + payloadByteCount
      + partCount * (JournalFormat.frameHeaderByteCount + sealByteCount + 4 + 7)
    if side.position > 0, side.position + total > segment.byteCount { try enterNext(side) }
    let entered = try current(side)
    try makeRoom(in: entered, side, side.position + JournalFormat.sealedHeaderByteCount + total)
    chain = side.runningChain
    writeHeader(side, entered, &chain)
    for part in 0..<partCount {
      let start = side.scratch.count
      let offset = part * JournalFormat.partByteCountMax
      begin(side, kind, version, part: UInt32(part), isLastPart: part == partCount - 1)
      if part == 0 { tags.write(to: &side.scratch) }
      payload.withBytes { bytes in
        let count = min(JournalFormat.partByteCountMax, payloadByteCount - offset)
        side.scratch.append(
          UnsafeRawBufferPointer(rebasing: bytes[payloadStart + offset..<payloadStart + offset + count]))
      }
      Frame.finish(
        &side.scratch, at: start, authorByteCount: part == 0 ? tags.authorByteCount : 0,
        metadataByteCount: part == 0 ? tags.metadataByteCount : 0, saltCRC: entered.salt.crc, seal: &side.seal,
        offset: side.position + start, chain: &chain)
    }
    return (entered, chain)
  }

  /// The segment that commits go to, allotted here if there is none.
  private func current(_ side: AppendSide) throws(StoreError) -> Segment {
    if side.segment == nil { try enterNext(side) }
    guard let segment = side.segment else { fatalError("The journal has entered no segment.") }
    return segment
  }

  /// Refuses a commit that is longer than what was allotted if the disk has no room for it.
  private func makeRoom(in segment: Segment, _ side: AppendSide, _ end: Int) throws(StoreError) {
    if end <= segment.byteCount { return }
    do throws(DiskError) { try segment.extend(to: end, isShort: side.isShortOfRoom) } catch { throw refused(error) }
  }

  /// Writes the header of the segment if it has none yet.
  private func writeHeader(_ side: AppendSide, _ segment: Segment, _ chain: inout UInt32) {
    if side.position != 0 { return }
    let header = SegmentHeader(
      storeID: stream.storeID, epoch: stream.epoch, sequence: segment.sequence, salt: segment.salt,
      lastVersion: side.version, durableThrough: durableThrough, previousChain: side.chain, beganAt: beginSegment(side),
      isEncrypted: stream.isSealed, formatVersion: stream.formatVersion)
    header.write(to: &side.scratch)
    if let key = configuration.key {
      // A header that was not written is no loss: nothing has been sealed behind it.
      let seal = header.seal(with: key)
      seal.check.write(to: &side.scratch)
      side.seal = FrameSeal(seal)
    }
    chain = side.scratch.withBytes { firn_crc32c(0, $0.baseAddress, $0.count) }
  }

  /// Notes when the current segment is begun. What its header says of that.
  private func beginSegment(_ side: AppendSide) -> UInt64 {
    let now = max(1, min(configuration.clock.nanosecondsSince1970(), SegmentHeader.timeMax))
    side.didBegin(at: now)
    return stream.formatVersion < JournalFormat.formatVersionWithTime ? 0 : now
  }

  private func begin(_ side: AppendSide, _ kind: FrameKind, _ version: UInt64, part: UInt32, isLastPart: Bool) {
    Frame.begin(
      &side.scratch, kind: kind, part: part, isLastPart: isLastPart, version: version, previousVersion: side.version,
      durableThrough: durableThrough, in: stream)
  }

  // MARK: Handing over

  private func handOver(_ side: AppendSide, _ version: UInt64, _ segment: Segment) throws {
    if configuration.durability != .everyCommit { return try writeThrough(side, version, segment) }
    try flushing.withLock { flush in
      if let failure = flush.failure { throw failure }
      side.scratch.withBytes { flush.append($0, to: segment, at: side.position) }
      flush.pendingCommitCount += 1
      flush.appended = version
      flush.statistics.commitCount += 1
    }
  }

  private func writeThrough(_ side: AppendSide, _ version: UInt64, _ segment: Segment) throws {
    // A segment is on disk before the next one begins: a reader takes a header for proof of what lies before it.
    if side.position == 0 { try waitInGate(through: side.version) }
    let result = side.scratch.withBytes { bytes in
      Result { () throws(DiskError) in try segment.file.write(bytes, at: side.position) }
    }
    if case .failure(let error) = result {
      let lost = StoreError.durabilityLost(error)
      stop(lost)
      throw lost
    }
    let delay: Duration? = try flushing.withLock { flush in
      if let failure = flush.failure { throw failure }
      if flush.unsynchronized.last !== segment { flush.unsynchronized.append(segment) }
      flush.appended = version
      flush.pendingCommitCount += 1
      flush.statistics.commitCount += 1
      guard case .interval(let delay) = configuration.durability, !flush.isTimerSet else { return nil }
      flush.isTimerSet = true
      return delay
    }
    if let delay {
      let (seconds, attoseconds) = delay.components
      let nanoseconds = min(Double(seconds) * 1e9 + Double(attoseconds) / 1e9, 1e18)
      leaderQueue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.flushSoon() }
    }
  }
}

/// Author and metadata of a commit, checked and encoded.
private struct FrameTags {
  private var author: [UInt8] = []
  private var metadata: [UInt8] = []

  init(_ note: CommitNote) throws(StoreError) {
    if let fault = note.fault { throw StoreError(.fileOperationFailed, fault) }
    if let author = note.author { self.author = Array(author.utf8) }
    if note.metadata.isEmpty { return }
    var writer = ByteWriter()
    writer.appendVarint(note.metadata.count)
    for (key, value) in note.metadata.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      writer.appendCounted(key)
      writer.appendCounted(value)
    }
    metadata = writer.array()
  }

  var authorByteCount: Int { author.count }
  var metadataByteCount: Int { metadata.count }
  var byteCount: Int { author.count + metadata.count }

  func write(to writer: inout ByteWriter) {
    if byteCount == 0 { return }
    writer.append(author)
    writer.append(metadata)
  }
}
