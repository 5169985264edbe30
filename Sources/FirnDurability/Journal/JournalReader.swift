internal import CFirn

/// Reads the commits of a journal in order, and tells the tail of a crash from damage.
///
/// A segment was on disk before the next one was begun, so a valid header proves what lies before it: reading must reach
/// the version and the chain value that it names. Behind the last header, what is missing is a tail that nobody was told
/// of, unless something valid says that a later version was on disk.
package struct JournalReader {
  private let storeID: StoreID
  private let segments: [SegmentReader]

  /// Opens the segments in `folder`, which may be missing, and reads their headers.
  package init(folder: String, storeID: StoreID, in fileSystem: any FileSystem) throws(StoreError) {
    self.storeID = storeID
    var segments: [SegmentReader] = []
    do throws(DiskError) {
      if try fileSystem.exists(folder) {
        for name in try fileSystem.list(folder) {
          guard let sequence = JournalFormat.sequence(ofSegmentNamed: name) else { continue }
          segments.append(try SegmentReader("\(folder)/\(name)", sequence: sequence, in: fileSystem))
        }
      }
    } catch {
      throw StoreError(error)
    }
    self.segments = segments
    for segment in segments { try JournalReader.check(segment, storeID) }
  }

  /// The sequence number of the oldest segment; 1 if there is none.
  package var firstSequence: UInt64 { segments.first?.sequence ?? 1 }

  private static func check(_ segment: SegmentReader, _ storeID: StoreID) throws(StoreError) {
    if segment.byteCount > SegmentReader.byteCountMax || segment.sequence > JournalFormat.numberMax {
      throw corrupted(segment, 0, "it is longer, or numbered higher, than a segment can be")
    }
    switch segment.parsed {
    case .empty, .bad: break
    case .unsupported(let version):
      throw StoreError(
        .unsupportedFileFormatVersion,
        "The journal segment '\(segment.path)' has format version \(version); this program reads versions up to "
          + "\(JournalFormat.formatVersion). Open the store with a newer program.", path: segment.path)
    case .header(let header):
      if header.storeID != storeID {
        throw corrupted(segment, 16, "it belongs to the store \(header.storeID), not to \(storeID)")
      }
      if header.sequence != segment.sequence {
        throw corrupted(segment, 40, "it is segment \(header.sequence) under another name")
      }
    }
  }

  /// Reads the commits after version `reached`, which base and deltas lead to.
  ///
  /// - Parameters:
  ///   - hint: What the lock file says; one of another store counts for nothing.
  ///   - body: Takes each whole commit. What it throws ends the reading.
  /// - Returns: How far the journal goes. Throws `.corrupted` naming file and offset when a commit is missing that was on
  ///   disk.
  package func read(
    after reached: UInt64, hint: DurableHint? = nil, _ body: (JournalCommit) throws -> Void
  ) throws -> JournalReport {
    var report = JournalReport(
      position: JournalPosition(version: reached, nextSequence: (segments.last?.sequence ?? 0) + 1))
    if let hint, hint.storeID == storeID { report.durableThrough = hint.version }
    report.segmentCount = segments.count
    for header in segments.compactMap(\.header) {
      report.durableThrough = max(report.durableThrough, header.durableThrough)
      report.epoch = max(report.epoch, header.epoch)
    }
    // The newest segment that begins at or below the version reached: what lies before it is in base and deltas.
    let start = segments.lastIndex { ($0.header?.lastVersion).map { $0 <= reached } ?? false }
    var end = SegmentEnd(index: -1, offset: 0, chain: 0, version: reached, reason: "")
    if let start {
      for index in start..<segments.count where segments[index].header != nil {
        if index > start { try expect(segments[index], after: end) }
        end = try read(index, reached, &report, body)
        segments[index].release()
        report.position.unsynchronizedPaths.append(segments[index].path)
      }
    } else if let segment = segments.first(where: { $0.header != nil }), let header = segment.header {
      throw StoreError(
        .corrupted,
        "The commits \(reached + 1) to \(header.lastVersion) are missing before the journal segment '\(segment.path)'. "
          + "Restore the missing files, or the store from a backup.", path: segment.path)
    }
    report.position.version = max(reached, end.version)
    report.position.chain = end.chain
    try judge(end, &report)
    return report
  }

  // MARK: Reading

  /// Where reading a segment came to an end: behind its last whole commit.
  private struct SegmentEnd {
    /// Of the segment, or -1.
    var index: Int
    var offset: Int
    var chain: UInt32
    var version: UInt64
    /// Why it did not go on.
    var reason: String
  }

  private func expect(_ segment: SegmentReader, after end: SegmentEnd) throws(StoreError) {
    guard let header = segment.header else { return }
    if header.lastVersion == end.version, header.previousChain == end.chain { return }
    throw JournalReader.corrupted(
      segments[end.index], end.offset,
      "\(end.reason) after version \(end.version), but segment \(segment.sequence) goes on from version "
        + "\(header.lastVersion)")
  }

  private func read(
    _ index: Int, _ reached: UInt64, _ report: inout JournalReport, _ body: (JournalCommit) throws -> Void
  ) throws -> SegmentEnd {
    let segment = segments[index]
    guard let header = segment.header else { fatalError("A segment without header is read.") }
    let saltCRC = header.salt.crc
    var end = try disk {
      () throws(DiskError) in
      SegmentEnd(
        index: index, offset: JournalFormat.segmentHeaderByteCount, chain: try segment.headerChain(),
        version: header.lastVersion, reason: "it ends")
    }
    var offset = end.offset
    var chain = end.chain
    var assembly = CommitAssembly()
    while true {
      guard let (frame, bytes) = try disk({ () throws(DiskError) in try segment.frame(at: offset, saltCRC: saltCRC) })
      else {
        end.reason = "no valid frame follows"
        return end
      }
      if frame.storeID != storeID || frame.epoch != header.epoch || frame.chain != chain {
        end.reason = "a frame follows that belongs elsewhere"
        return end
      }
      guard frame.previousVersion == end.version, assembly.isNext(frame) else {
        end.reason = "a frame of commit \(frame.version) follows out of order"
        return end
      }
      chain = firn_crc32c(chain, bytes.baseAddress, bytes.count)
      offset += bytes.count
      report.durableThrough = max(report.durableThrough, frame.durableThrough)
      if frame.version <= reached {
        assembly.skip(frame)
      } else if end.version < reached {
        throw JournalReader.corrupted(
          segment, end.offset,
          "commit \(frame.version) builds on version \(frame.previousVersion), not on version \(reached) of base and "
            + "deltas")
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
        end.chain = chain
        end.version = frame.version
      }
    }
  }

  // MARK: Judging

  /// Decides whether what follows the last whole commit is the tail of a crash.
  private func judge(_ end: SegmentEnd, _ report: inout JournalReport) throws(StoreError) {
    var badPlace: (segment: SegmentReader, offset: Int, end: Int, reason: String)?
    for index in max(0, end.index)..<max(segments.count, 0) {
      let segment = segments[index]
      let offset = index == end.index ? end.offset : 0
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
      throw StoreError(
        .corrupted, "The journal is gone: \(missing). Restore the missing files, or the store from a backup.")
    }
    if let (segment, offset, end, reason) = badPlace {
      report.cut = JournalCut(path: segment.path, offset: offset, byteCount: end - offset, reason: reason)
    }
  }

  private static func corrupted(_ segment: SegmentReader, _ offset: Int, _ what: String) -> StoreError {
    StoreError(
      .corrupted,
      "The journal segment '\(segment.path)' is damaged at byte \(offset): \(what). Restore the store from a backup.",
      path: segment.path)
  }
}

private func disk<Result>(_ body: () throws(DiskError) -> Result) throws(StoreError) -> Result {
  do throws(DiskError) { return try body() } catch { throw StoreError(error) }
}
