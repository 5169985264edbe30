import FirnDurability
import FirnEngine
import Glibc
import Testing

/// Files that an earlier program wrote must be read as they were meant, for ever.
@Suite struct GoldenTests {
  private static let base: String = {
    let disk = PosixFileSystem()
    return disk.folder(of: disk.folder(of: #filePath)) + "/Golden/format1.base"
  }()

  private static func golden() throws -> [UInt8] {
    try PosixFileSystem().open(base, .read).bytes(count: 1 << 20)
  }

  /// Two groups of the table of everything, written out by a generator that is part of the tests, from a fixed seed.
  private static func sample() throws -> SnapshotSample {
    var random = SeededRandom(1)
    return try SnapshotSample.random(&random, groupRowCounts: [12, 3])
  }

  @Test func filesOfFormat1AreRead() throws {
    let bytes = try Self.golden()
    let reader = try SnapshotReader(MemoryFile(bytes), kind: .base)
    _ = try reader.verify()
    #expect(reader.header == SnapshotSample.header)
    #expect(reader.header.storeID.description == "000102030405060708090a0b0c0d0e0f")
    let sample = try Self.sample()
    #expect(reader.directory.catalogue == sample.catalogue)
    try #require(try SnapshotContent(reading: reader) == SnapshotContent(sample))
  }

  /// Holds for the version of zstd that wrote the file; what another makes may differ and is read all the same. A change of
  /// how forms are chosen makes the test fail without harm to anybody's files: then set `FIRN_WRITE_GOLDEN` to write it anew,
  /// and keep the old one under another name for the test above.
  @Test(.enabled(if: ZstdContext.libraryVersion == 10504)) func filesOfFormat1AreWrittenAlike() throws {
    let bytes = try Self.sample().bytes()
    if getenv("FIRN_WRITE_GOLDEN") != nil {
      try bytes.withUnsafeBytes { try PosixFileSystem().open(Self.base, .createEmpty).write($0, at: 0) }
    }
    let golden = try Self.golden()
    #expect(bytes.count == golden.count)
    #expect(bytes[..<96] == golden[..<96])
    if bytes.count == golden.count { #expect(zip(bytes, golden).allSatisfy { $0 == $1 }) }
  }

  /// A base without rows, byte by byte as the format page has it.
  @Test func emptyBasesAreAsTheFormatSays() throws {
    let catalogue = Catalogue()
    let bytes = try SnapshotSample(catalogue: catalogue, tables: []).bytes()
    var expected: [UInt8] = Array("FIRNBASE".utf8) + [1, 0, 0, 0, 96, 0, 0, 0] + (0..<16).map { UInt8($0) }
    expected += [3, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 48)
    Checksum.renew(&expected, 0..<92, at: 92)
    // Directory: schema version 0, next table 1, no tables, no states, no blocks.
    expected += [0, 1, 0, 0, 0]
    expected += [96, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 141, 0, 0, 0, 0, 0, 0, 0]
    expected += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("FEND".utf8)
    Checksum.renew(&expected, 96..<101, at: 125)
    Checksum.renew(&expected, 101..<133, at: 133)
    #expect(bytes == expected)
  }
}
