import CFirn
import FirnEngine
import Testing

@testable import FirnDurability

/// The bytes of a segment, field by field as the format page has them. A change here is a change of the format.
@Suite struct SegmentFormatTests {
  @Test func bytesAreThoseOfTheFormat() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration(epoch: 3)
    configuration.salt = FileSalt(low: 0x1111_1111_1111_1111, high: 0x2222_2222_2222_2222)
    configuration.segmentByteCount = 512
    let position = JournalPosition(version: 8, chain: 0xAABB_CCDD, nextSequence: 0x1F)
    let journal = try JournalRun.journal(on: disk, after: position, configuration)
    try journal.append(10, kind: .commit, note: CommitNote(author: "me", metadata: ["k": "v"])) {
      $0.append([7, 7, 7])
    }
    try journal.flush(through: 10)

    let path = "/store.journal/000000000000001f.segment"
    #expect(disk.paths == [path])
    let salt = [UInt8](repeating: 0x11, count: 8) + [UInt8](repeating: 0x22, count: 8)
    var expected = Array("FIRNJRNL".utf8) + number(UInt16(1)) + number(UInt16(0)) + number(UInt32(96))
    expected += Array(0...15)
    expected += number(UInt64(3)) + number(UInt64(0x1F)) + salt
    expected += number(UInt64(8)) + number(UInt64(8)) + number(UInt32(0xAABB_CCDD)) + number(UInt64(0))
    expected += number(firn_crc32c(0, expected, 92))
    var frame = Array("FRM1".utf8) + number(UInt16(1)) + [1, 1] + number(UInt32(96)) + number(UInt32(0))
    frame += Array(0...15)
    frame += number(UInt64(3)) + number(UInt64(10)) + number(UInt64(8)) + number(UInt64(8))
    frame += number(firn_crc32c(0, expected, 96))
    frame += number(UInt32(2)) + number(UInt32(5)) + number(UInt32(3))
    frame += Array("me".utf8) + [1, 1] + Array("k".utf8) + [1] + Array("v".utf8) + [7, 7, 7]
    frame += [UInt8](repeating: 0, count: 2)
    let covered = salt + frame
    frame += number(firn_crc32c(0, covered, covered.count))
    expected += frame
    let bytes = disk.content(path)!
    #expect(Array(bytes[..<expected.count]) == expected)
    #expect(bytes.count == 512)
    #expect(bytes[expected.count...].allSatisfy { $0 == 0 })
    #expect(journal.statistics.byteCount == expected.count)
  }

  /// What no writer writes is no frame, whatever its checksum.
  @Test func framesThatContradictThemselves() {
    func isFrame(
      _ kind: FrameKind = .commit, part: UInt32 = 1, isLastPart: Bool = true, version: UInt64 = 10,
      previous: UInt64 = 9, durable: UInt64 = 9, authorByteCount: Int = 0, metadataByteCount: Int = 0,
      payloadByteCount: Int = 8
    ) -> Bool {
      var seal: FrameSeal?
      let stream = FrameStream(storeID: JournalRun.storeID, epoch: 1)
      var writer = ByteWriter()
      Frame.begin(
        &writer, kind: kind, part: part, isLastPart: isLastPart, version: version, previousVersion: previous,
        durableThrough: durable, in: stream)
      writer.append([UInt8](repeating: 0, count: authorByteCount + metadataByteCount + payloadByteCount))
      var chain: UInt32 = 0
      Frame.finish(
        &writer, at: 0, authorByteCount: authorByteCount, metadataByteCount: metadataByteCount, saltCRC: 0,
        seal: &seal, offset: 96, chain: &chain)
      return writer.withBytes { Frame(parsing: $0) != nil }
    }
    #expect(isFrame() && isFrame(part: 0, authorByteCount: 5) && isFrame(version: 1 << 62))
    #expect(isFrame(isLastPart: false) && isFrame(part: 0, metadataByteCount: 5, payloadByteCount: 0))
    #expect(!isFrame(authorByteCount: 5) && !isFrame(metadataByteCount: 5), "tags behind the first part")
    #expect(!isFrame(durable: 10), "a commit that is durable before it is written")
    #expect(!isFrame(previous: 10), "a commit that follows itself")
    #expect(!isFrame(version: 1 << 62 + 1), "a version that is too great")

    // A frame that only tells what is durable says one version three times, and nothing else.
    func isTelling(
      part: UInt32 = 0, isLastPart: Bool = true, previous: UInt64 = 10, durable: UInt64 = 10, authorByteCount: Int = 0,
      metadataByteCount: Int = 0, payloadByteCount: Int = 0
    ) -> Bool {
      isFrame(
        .durable, part: part, isLastPart: isLastPart, previous: previous, durable: durable,
        authorByteCount: authorByteCount, metadataByteCount: metadataByteCount, payloadByteCount: payloadByteCount)
    }
    #expect(isTelling())
    for number in [9, 11] as [UInt64] { #expect(!isTelling(previous: number) && !isTelling(durable: number)) }
    #expect(!isTelling(part: 1) && !isTelling(isLastPart: false), "a part")
    #expect(!isTelling(authorByteCount: 1) && !isTelling(metadataByteCount: 1) && !isTelling(payloadByteCount: 1))
  }

  /// Each number of a header has a limit, up to which it is read back as it was written.
  @Test func numbersOfHeadersHaveALimit() {
    func isHeader(
      epoch: UInt64 = 1, lastVersion: UInt64 = 1, beganAt: UInt64? = nil, _ version: UInt16
    ) -> Bool {
      let time = beganAt ?? (version < JournalFormat.formatVersionWithTime ? 0 : 1)
      var header = SegmentHeader(
        storeID: JournalRun.storeID, epoch: epoch, sequence: .max, salt: FileSalt(low: 1, high: 2),
        lastVersion: lastVersion, durableThrough: 1, previousChain: 3, beganAt: time)
      header.formatVersion = version
      var writer = ByteWriter()
      header.write(to: &writer)
      guard case .header(let read) = writer.withBytes({ SegmentHeader.parse($0) }) else { return false }
      #expect(read.epoch == epoch && read.sequence == .max && read.lastVersion == lastVersion && read.beganAt == time)
      return true
    }
    for version in JournalFormat.formatVersion...JournalFormat.formatVersionWithTime {
      let limit = UInt64(1) << 62
      #expect(isHeader(epoch: limit, version) && !isHeader(epoch: limit + 1, version))
      #expect(isHeader(lastVersion: limit, version) && !isHeader(lastVersion: limit + 1, version))
      let hasTime = version == JournalFormat.formatVersionWithTime
      for (time, isRight) in [(0, !hasTime), (1, hasTime), (1 << 63 - 1, hasTime), (1 << 63, false), (.max, false)]
        as [(UInt64, Bool)]
      {
        #expect(isHeader(beganAt: time, version) == isRight, "\(time) in format version \(version)")
      }
    }
  }

  /// Parts of a commit follow each other, and nothing else.
  @Test func partsOfDifferentCommitsAreNotJoined() throws {
    func frame(_ part: UInt32, _ version: UInt64, _ kind: FrameKind, isLast: Bool) throws -> Frame {
      var seal: FrameSeal?
      var writer = ByteWriter()
      Frame.begin(
        &writer, kind: kind, part: part, isLastPart: isLast, version: version, previousVersion: 8, durableThrough: 8,
        in: FrameStream(storeID: JournalRun.storeID, epoch: 1))
      writer.append([UInt8](repeating: 0, count: 8))
      var chain: UInt32 = 0
      Frame.finish(
        &writer, at: 0, authorByteCount: 0, metadataByteCount: 0, saltCRC: 0, seal: &seal, offset: 96, chain: &chain)
      return try #require(writer.withBytes { Frame(parsing: $0) })
    }
    var frames: [Frame] = []
    for kind in [FrameKind.commit, .catalogue] {
      for version in [9, 10] as [UInt64] {
        for part in 0...2 as ClosedRange<UInt32> {
          for isLast in [false, true] { frames.append(try frame(part, version, kind, isLast: isLast)) }
        }
      }
    }
    for last in frames {
      var assembly = CommitAssembly(budget: .unlimited)
      assembly.skip(last)
      for next in frames {
        let isSame = next.kind == last.kind && next.version == last.version
        let expected = last.isLastPart ? next.part == 0 : isSame && next.part == last.part + 1
        #expect(assembly.isNext(next) == expected, "\(next) after \(last)")
      }
    }
  }

  /// Memory counts as long as it holds anything: parts of a commit that is not whole are let go of with the segment.
  @Test func partsOfACommitThatIsNotWholeDoNotCountForLong() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.segmentByteCount = 1 << 22
    let journal = try JournalRun.journal(on: disk, configuration)
    try journal.append(TestCommit(version: 1, payload: [UInt8](repeating: 7, count: 3_000_000)))
    try journal.flush(through: 1)
    let path = try #require(disk.paths.first)
    let bytes = try #require(disk.content(path))
    for (byteCount, commitCount) in [(900_000, 0), (1_500_000, 0), (2_500_000, 0), (bytes.count, 1)] {
      disk.setContent(path, Array(bytes.prefix(byteCount)))
      let budget = ExpansionBudget(byteCountMax: 100 << 20)
      let reader = try JournalReader(
        folder: JournalRun.folder, storeID: JournalRun.storeID, budget: budget, in: disk)
      var count = 0
      _ = try reader.read(after: 0, hint: nil) { _ in count += 1 }
      #expect(count == commitCount)
      #expect((budget.byteCount > 0) == (byteCount > 1_100_000))
      #expect(budget.hasRoom(for: budget.byteCountMax))
    }
  }

  /// The memory that opening may take follows from the bytes of the frames, each counted once.
  @Test func framesRaiseTheLimitOfMemory() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration()
    configuration.segmentByteCount = 1 << 22
    let journal = try JournalRun.journal(on: disk, configuration)
    for version in 1...9 as ClosedRange<UInt64> {
      try journal.append(TestCommit(version: version, payload: [UInt8](repeating: 7, count: 1_000_000)))
    }
    try journal.flush(through: 9)
    let budget = ExpansionBudget(byteCountMax: nil)
    let reader = try JournalReader(folder: JournalRun.folder, storeID: JournalRun.storeID, budget: budget, in: disk)
    _ = try reader.read(after: 0, hint: nil) { _ in }
    let byteCount = journal.statistics.byteCount
    #expect(byteCount > 9_000_000)
    #expect(budget.byteCountMax == ExpansionBudget.standard(fileByteCount: byteCount))
  }

  private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
