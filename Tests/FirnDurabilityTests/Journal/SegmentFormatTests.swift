import CFirn
import FirnDurability
import FirnEngine
import Testing

/// The bytes of a segment, field by field as the format page has them. A change here is a change of the format.
@Suite struct SegmentFormatTests {
  @Test func bytesAreThoseOfTheFormat() throws {
    let disk = SimulatedDisk(seed: 1)
    var configuration = JournalRun.configuration(epoch: 3)
    configuration.salt = JournalSalt(low: 0x1111_1111_1111_1111, high: 0x2222_2222_2222_2222)
    configuration.segmentByteCount = 512
    var position = JournalPosition(version: 8, chain: 0xAABB_CCDD, nextSequence: 0x1F)
    position.replayedByteCount = 5
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
    #expect(journal.statistics.byteCount == 5 + expected.count)
  }

  private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
