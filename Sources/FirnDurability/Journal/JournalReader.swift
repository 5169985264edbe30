internal import CFirn

/// Reads the commits of a journal in order, and tells the tail of a crash from damage.
///
/// A segment was on disk before the next one was begun, so a valid header proves what lies before it: reading must reach
/// the version and the chain value that it names. Behind the last header, what is missing is a tail that nobody was told
/// of, unless something valid says that a later version was on disk.
package struct JournalReader {
  package let folder: String
  private let storeID: StoreID
  private let key: StoreKey?
  private let segments: [SegmentReader]
  /// Whether a process may write to the segments while they are read.
  private let mayGrow: Bool
  let budget: ExpansionBudget

  /// So many files are kept open at most.
  private static var keptFileCountMax: Int { 16 }

  /// Opens the segments, one at a time, and reads their headers.
  ///
  /// - Parameters:
  ///   - folder: Where they are; may be missing.
  ///   - key: The key of an encrypted store, which that of the base was compared with.
  ///   - sequences: The segments to be read, in ascending order; nil for all in the folder.
  ///   - version: The version after which commits are read beside a process that may write to the segments and remove
  ///     them: a few of those that have such are kept open. Nil where there is no such process.
  ///   - budget: Pays for what is read, and learns how much that is.
  package init(
    folder: String, storeID: StoreID, key: StoreKey? = nil, sequences: [UInt64]? = nil,
    keepsFilesAfter version: UInt64? = nil, budget: ExpansionBudget = .unlimited, in fileSystem: any FileSystem
  ) throws(StoreError) {
    self.folder = folder
    self.budget = budget
    self.key = key
    self.storeID = storeID
    mayGrow = version != nil
    var segments: [SegmentReader] = []
    do throws(DiskError) {
      let listed = sequences == nil ? try Self.sequences(in: folder, fileSystem) : []
      for sequence in sequences ?? listed {
        let path = "\(folder)/\(JournalFormat.segmentName(sequence))"
        segments.append(try SegmentReader(path, sequence: sequence, in: fileSystem))
      }
      if let version {
        let first = Self.firstSegment(segments, after: version) ?? 0
        for segment in segments[first...].prefix(Self.keptFileCountMax) { try segment.keepOpen() }
      }
    } catch {
      throw StoreError(error)
    }
    self.segments = segments
    for segment in segments {
      try JournalReader.check(segment, storeID, folder)
      try unseal(segment)
    }
  }

  /// The newest segment that begins at or below a version: what lies before it is in base and deltas that lead there.
  private static func firstSegment(_ segments: [SegmentReader], after version: UInt64) -> Int? {
    segments.lastIndex { ($0.header?.lastVersion).map { $0 <= version } ?? false }
  }

  private static func sequences(in folder: String, _ fileSystem: any FileSystem) throws(DiskError) -> [UInt64] {
    if try !fileSystem.exists(folder) { return [] }
    return try fileSystem.list(folder).compactMap { JournalFormat.sequence(ofSegmentNamed: $0) }
  }

  /// All segments are as the base is: plain ones in between would be somebody else's work.
  private func unseal(_ segment: SegmentReader) throws(StoreError) {
    guard let header = segment.header else { return }
    if header.isEncrypted != (key != nil) {
      throw JournalReader.corrupted(
        segment, 10,
        "it is \(header.isEncrypted ? "" : "not ")encrypted, but the base of the store is\(key == nil ? " not" : "")")
    }
    if let key { segment.unseal(with: key) }
  }

  /// The oldest header that is valid.
  var firstHeader: SegmentHeader? { segments.lazy.compactMap(\.header).first }

  private static func check(
    _ segment: SegmentReader, _ storeID: StoreID, _ folder: String
  ) throws(StoreError) {
    if segment.byteCount > SegmentReader.byteCountMax || segment.sequence > JournalFormat.numberMax {
      throw corrupted(segment, 0, "it is longer, or numbered higher, than a segment can be")
    }
    switch segment.parsed {
    case .empty, .bad: break
    case .unsupported(let version):
      throw StoreError(
        .unsupportedFileFormatVersion,
        "The journal segment '\(segment.path)' has format version \(version); this program reads versions up to "
          + "\(JournalFormat.formatVersionWithTime). Open the store with a newer program.", path: segment.path)
    case .header(let header):
      if header.storeID != storeID {
        throw StoreError.foreign(segment.path, of: header.storeID, not: storeID, in: StorePaths(journal: folder))
      }
      if header.sequence != segment.sequence {
        throw corrupted(segment, 40, "it is segment \(header.sequence) under another name")
      }
    }
  }

  /// Reads the commits after version `reached`, which base and deltas lead to.
  ///
  /// - Parameters:
  ///   - chain: Stands for base and deltas where no segment leads to `reached`.
  ///   - hint: What the lock file says; one of another store counts for nothing.
  ///   - limit: Reading ends with the commit of that version: what a process is writing behind it counts for nothing, and
  ///     is not judged. Nil reads to the end.
  ///   - body: Takes each whole commit. What it throws ends the reading.
  /// - Returns: How far the journal goes. Throws `.corrupted` naming file and offset when a commit is missing that was on
  ///   disk.
  package func read(
    after reached: UInt64, chain: UInt32 = 0, hint: DurableHint? = nil, through limit: UInt64? = nil,
    _ body: (JournalCommit) throws -> Void
  ) throws -> JournalReport {
    do {
      return try readHistory(after: reached, chain: chain, hint: hint, through: limit, body)
    } catch let gap as JournalGap {
      throw gap.damage
    }
  }

  /// The same where commits may be missing that the store does not need: throws ``JournalGap`` for those.
  func readHistory(
    after reached: UInt64, chain: UInt32 = 0, hint: DurableHint? = nil, through limit: UInt64?,
    _ body: (JournalCommit) throws -> Void
  ) throws -> JournalReport {
    do {
      return try readCommits(reached, chain, hint, limit, body)
    } catch let error as DecodingError where error.budget != nil {
      throw StoreError.beyondBudget(folder, error.budget ?? 0)
    } catch let error as StoreError where error.code == .corrupted {
      throw judged(error)
    } catch let gap as JournalGap {
      throw JournalGap(next: gap.next, damage: judged(gap.damage))
    }
  }

  /// Throws `.corrupted` where reading all segments but the last one has led elsewhere than that one goes on from.
  func expectLast(toGoOnFrom position: JournalPosition) throws(StoreError) {
    guard let segment = segments.last, let header = segment.header, header.lastVersion == position.version,
      header.previousChain != position.chain
    else { return }
    throw JournalReader.corrupted(segment, 80, "it goes on from another commit \(position.version) than that before it")
  }

  /// Bytes that the disk does not give are not there to be judged.
  private func judged(_ damage: StoreError) -> StoreError {
    segments.lazy.compactMap(\.readError).first.map { StoreError($0) } ?? damage
  }

  private func readCommits(
    _ reached: UInt64, _ chain: UInt32, _ hint: DurableHint?, _ limit: UInt64?, _ body: (JournalCommit) throws -> Void
  ) throws -> JournalReport {
    var report = JournalReport(
      position: JournalPosition(version: reached, nextSequence: (segments.last?.sequence ?? 0) + 1))
    if let hint, hint.isProof, hint.storeID == storeID { report.durableThrough = hint.version }
    report.segmentCount = segments.count
    for header in segments.compactMap(\.header) {
      report.durableThrough = max(report.durableThrough, header.durableThrough)
      report.epoch = max(report.epoch, header.epoch)
    }
    let start = Self.firstSegment(segments, after: reached)
    if let start { report.position.firstNeeded = segments[start].sequence }
    report.position.extents = extents
    var end = SegmentEnd(index: -1, offset: 0, tailOffset: 0, chain: chain, version: reached, reason: "")
    if let start {
      for index in start..<segments.count where segments[index].header != nil {
        if let limit, max(end.version, reached) >= limit { break }
        if index > start { try expect(segments[index], after: end) }
        let replayed = report.position.replayedByteCount
        end = try read(index, reached, limit, &report, body)
        report.position.extents[index].end = end.tailOffset
        report.position.extents[index].byteCount = report.position.replayedByteCount - replayed
        segments[index].release()
      }
    } else if let segment = segments.first(where: { $0.header != nil }), let header = segment.header {
      let damage = StoreError(
        .corrupted,
        "The commits \(reached + 1) to \(header.lastVersion) are missing before the journal segment '\(segment.path)'. "
          + StoreError.adviceOnMissing(StorePaths(journal: folder)), path: segment.path)
      throw JournalGap(next: header.lastVersion, damage: damage)
    }
    report.position.version = max(reached, end.version)
    report.position.chain = end.chain
    // A segment without a valid header holds nothing: the one before it goes on to where the next one begins.
    var next = report.position.version
    for index in segments.indices.reversed() {
      if let header = segments[index].header {
        next = header.lastVersion
      } else {
        report.position.extents[index].lastVersion = next
      }
    }
    if end.version < reached {
      // What lies behind the last commit is lost: what lies before it leads nowhere any more.
      report.position.chain = chain
      report.position.supersededPaths = segments.map(\.path)
      report.position.extents = []
    }
    if let limit, report.position.version >= limit { return report }
    do {
      try judge(end, &report)
    } catch {
      if try mayGrow && hasGrown(end) { return report }
      throw error
    }
    let emptyPaths = Set(report.position.emptyPaths)
    if !emptyPaths.isEmpty {
      report.position.extents = zip(segments, report.position.extents).filter { !emptyPaths.contains($0.0.path) }
        .map(\.1)
    }
    report.position.unproven = unproven(end, reached, report)
    report.position.unreadablePaths = segments[(end.index + 1)...].filter { $0.readError != nil }.map(\.path)
    return report
  }

  /// The segments as they are in the folder, before they are read.
  private var extents: [SegmentExtent] {
    var version: UInt64 = 0
    return segments.map { segment in
      version = max(version, segment.header?.lastVersion ?? 0)
      return SegmentExtent(
        sequence: segment.sequence, lastVersion: version, end: segment.byteCount, allottedByteCount: segment.byteCount,
        mark: segment.header?.salt.mark ?? 0, previousChain: segment.header?.previousChain ?? 0,
        beganAt: segment.header?.beganAt ?? 0)
    }
  }

  /// The last segment read, as far as it counts, unless something says that it is on disk. Those before it are by what
  /// its header says. So is a segment that cannot be read behind its end.
  private func unproven(_ end: SegmentEnd, _ reached: UInt64, _ report: JournalReport) -> UnprovenSegment? {
    guard end.index >= 0, let header = segments[end.index].header else { return nil }
    // A proof of the last commit is none of a header that no commit follows, but the next segment names its chain value.
    let isProven = end.version > header.lastVersion && report.durableThrough >= end.version
    if segments[end.index].readError == nil, isProven || end.version <= reached { return nil }
    return UnprovenSegment(path: segments[end.index].path, byteCount: end.offset, chain: end.chain)
  }

  // MARK: Reading

  /// Where reading a segment came to an end: behind its last whole commit.
  private struct SegmentEnd {
    /// Of the segment, or -1.
    var index: Int
    var offset: Int
    /// Behind the frames that follow the last commit to say that it is on disk.
    var tailOffset: Int
    var chain: UInt32
    var version: UInt64
    /// Why it did not go on.
    var reason: String
    /// Where there was no valid frame, if that is why.
    var missingFrameOffset: Int?
  }

  private func expect(_ segment: SegmentReader, after end: SegmentEnd) throws {
    guard let header = segment.header else { return }
    if header.lastVersion == end.version, header.previousChain == end.chain { return }
    let before = segments[end.index]
    let damage = JournalReader.corrupted(
      before, end.offset,
      "\(end.reason) after version \(end.version), but segment \(segment.sequence) goes on from version "
        + "\(header.lastVersion)")
    // A base may have led on from where the segment was left.
    let tail = try disk {
      () throws(DiskError) in
      try before.tail(from: end.tailOffset, storeID: storeID, saltCRC: before.header?.salt.crc)
    }
    if tail.isZero, header.lastVersion > end.version { throw JournalGap(next: header.lastVersion, damage: damage) }
    throw damage
  }

  private func read(
    _ index: Int, _ reached: UInt64, _ limit: UInt64?, _ report: inout JournalReport,
    _ body: (JournalCommit) throws -> Void
  ) throws -> SegmentEnd {
    let segment = segments[index]
    guard let header = segment.header else { fatalError("A segment without header is read.") }
    let saltCRC = header.salt.crc
    var end = try disk {
      () throws(DiskError) in
      SegmentEnd(
        index: index, offset: header.byteCount, tailOffset: header.byteCount, chain: try segment.headerChain(header),
        version: header.lastVersion, reason: "it ends")
    }
    var offset = end.offset
    var chain = end.chain
    var assembly = CommitAssembly(budget: budget)
    defer { assembly.release() }
    var seal = segment.seal.map { FrameSeal($0) }
    var opened = ByteWriter()
    while limit.map({ end.version < $0 }) ?? true {
      guard let (frame, stored) = try disk({ () throws(DiskError) in try segment.frame(at: offset, saltCRC: saltCRC) })
      else {
        end.reason =
          segment.isUnreadable(from: offset) ? "the disk cannot read what follows" : "no valid frame follows"
        end.missingFrameOffset = offset
        return end
      }
      if frame.storeID != storeID || frame.epoch != header.epoch || frame.chain != chain
        || frame.formatVersion != header.formatVersion
      {
        end.reason = "a frame follows that belongs elsewhere"
        return end
      }
      guard frame.previousVersion == end.version, assembly.isNext(frame) else {
        end.reason = "a frame of commit \(frame.version) follows out of order"
        return end
      }
      if let limit, frame.version > limit { return end }
      chain = firn_crc32c(chain, stored.baseAddress, stored.count)
      let bytes = try open(frame, stored, at: offset, of: segment, &seal, &opened)
      offset += bytes.count
      segment.didRead(through: offset, budget)
      report.durableThrough = max(report.durableThrough, frame.durableThrough)
      if frame.kind == .durable {
        end.tailOffset = offset
        continue
      }
      if frame.version <= reached {
        assembly.skip(frame)
      } else if end.version < reached {
        let damage = JournalReader.corrupted(
          segment, end.offset,
          "commit \(frame.version) builds on version \(frame.previousVersion), not on version \(reached) of base and "
            + "deltas")
        throw JournalGap(next: frame.version, damage: damage)
      } else {
        let byteCount = bytes.count
        guard try assembly.add(frame, bytes, body) else {
          end.reason = "the author or metadata of commit \(frame.version) cannot be read"
          return end
        }
        report.position.replayedByteCount += byteCount
        if frame.isLastPart { report.commitCount += 1 }
      }
      if frame.isLastPart {
        end.offset = offset
        end.tailOffset = offset
        end.chain = chain
        end.version = frame.version
      }
    }
    return end
  }

  /// The frame as it was before it was sealed. A frame whose checksums are right was written as a whole, so that a wrong seal is
  /// no tail of a crash.
  private func open(
    _ frame: Frame, _ bytes: UnsafeRawBufferPointer, at offset: Int, of segment: SegmentReader,
    _ seal: inout FrameSeal?, _ opened: inout ByteWriter
  ) throws(StoreError) -> UnsafeRawBufferPointer {
    if seal == nil, !frame.isSealed { return bytes }
    opened.removeAll()
    opened.append(bytes)
    let isOpen =
      frame.isSealed
      && opened.withMutableBytes { bytes in
        seal?.open(UnsafeMutableRawBufferPointer(rebasing: bytes[..<frame.sealedByteCount]), at: offset) ?? false
      }
    if isOpen { return opened.withBytes { $0 } }
    throw JournalReader.corrupted(
      segment, offset, "the frame of commit \(frame.version) was not sealed for this place with the key of the store")
  }

  // MARK: Judging

  /// Decides whether what follows the last whole commit is the tail of a crash.
  private func judge(_ end: SegmentEnd, _ report: inout JournalReport) throws(StoreError) {
    var badPlace: (segment: SegmentReader, offset: Int, end: Int, reason: String)?
    for index in max(0, end.index)..<max(segments.count, 0) {
      let segment = segments[index]
      let offset = index == end.index ? end.tailOffset : 0
      let saltCRC = segment.header?.salt.crc
      // Behind the last header there is none that could be trusted.
      let tail = try disk {
        () throws(DiskError) in try segment.tail(from: offset, storeID: storeID, saltCRC: saltCRC)
      }
      segment.release()
      if tail.isUndecided {
        throw JournalReader.corrupted(segment, offset, "what follows is neither frames nor the tail of a crash")
      }
      report.durableThrough = max(report.durableThrough, tail.durableThrough)
      if tail.isZero, case .empty = segment.parsed { report.position.emptyPaths.append(segment.path) }
      if !tail.isZero, badPlace == nil {
        badPlace = (segment, offset, tail.end, index == end.index ? end.reason : "the header is not valid")
      }
    }
    let version = report.position.version
    if report.durableThrough > version {
      let missing = "version \(report.durableThrough) was on disk, but only version \(version) can be reached"
      if let (segment, offset, _, reason) = badPlace {
        throw JournalReader.corrupted(segment, offset, "\(reason): \(missing)")
      }
      if end.index >= 0 { throw JournalReader.corrupted(segments[end.index], end.offset, "it ends: \(missing)") }
      let paths = StorePaths(journal: folder)
      throw StoreError(
        .corrupted, "The journal is gone: \(missing). \(StoreError.adviceOnMissing(paths))", path: paths.lock)
    }
    if let (segment, offset, end, reason) = badPlace {
      report.cut = JournalCut(path: segment.path, offset: offset, byteCount: end - offset, reason: reason)
    }
  }

  /// Whether a valid frame lies now where there was none: then a process writes that nobody knows of, and what followed was
  /// written meanwhile. What was acknowledged before the reading began lies before that place.
  private func hasGrown(_ end: SegmentEnd) throws(StoreError) -> Bool {
    guard let offset = end.missingFrameOffset, let header = segments[end.index].header else { return false }
    let segment = segments[end.index]
    defer { segment.release() }
    return try disk { () throws(DiskError) in try segment.frame(at: offset, saltCRC: header.salt.crc) != nil }
  }

  private static func corrupted(_ segment: SegmentReader, _ offset: Int, _ what: String) -> StoreError {
    StoreError(
      .corrupted,
      "The journal segment '\(segment.path)' is damaged at byte \(offset): \(what). \(StoreError.adviceOnDamage)",
      path: segment.path)
  }
}

private func disk<Result>(_ body: () throws(DiskError) -> Result) throws(StoreError) -> Result {
  do throws(DiskError) { return try body() } catch { throw StoreError(error) }
}
