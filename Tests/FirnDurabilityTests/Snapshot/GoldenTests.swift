import FirnDurability
import FirnEngine
import Glibc
import Testing

/// A file in the folder of golden files.
struct GoldenFile: Sendable {
  let name: String

  var path: String {
    let disk = PosixFileSystem()
    return disk.folder(of: disk.folder(of: #filePath)) + "/Golden/\(name)"
  }

  /// Whether the files are to be written anew.
  static var areWritten: Bool { getenv("FIRN_WRITE_GOLDEN") != nil }

  /// What the file holds, as JSON.
  var dump: GoldenFile { GoldenFile(name: String(name.prefix { $0 != "." }) + ".json") }

  func bytes() throws -> [UInt8] { try PosixFileSystem().open(path, .read).bytes(count: 1 << 20) }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try PosixFileSystem().open(path, .createEmpty).write($0, at: 0) }
  }

  /// Compares what is written now with the file, or writes the file.
  func expectEqual(_ bytes: [UInt8]) throws {
    if Self.areWritten { try write(bytes) }
    let stored = try self.bytes()
    #expect(bytes.count == stored.count)
    #expect(bytes[..<96] == stored[..<96])
    if bytes.count == stored.count { #expect(zip(bytes, stored).allSatisfy { $0 == $1 }) }
  }
}

/// Files that an earlier program wrote must be read as they were meant, for ever.
@Suite struct GoldenTests {
  /// A base of format 1 in the folder of golden files, and what it holds: groups of the table of everything, made by a
  /// generator that is part of the tests, from a fixed seed.
  struct Golden: CustomTestStringConvertible, Sendable {
    let file: GoldenFile
    let seed: UInt64
    let groupRowCounts: [Int]
    let collections: [CollectionKind]

    var testDescription: String { file.name }

    init(name: String, seed: UInt64, groupRowCounts: [Int], collections: [CollectionKind]) {
      file = GoldenFile(name: name)
      self.seed = seed
      self.groupRowCounts = groupRowCounts
      self.collections = collections
    }

    func sample() throws -> SnapshotSample {
      var random = SeededRandom(seed)
      return try SnapshotSample.random(&random, groupRowCounts: groupRowCounts, collections: collections)
    }
  }

  static let files = [
    Golden(name: "format1.base", seed: 1, groupRowCounts: [12, 3], collections: [.list]),
    Golden(name: "format1-collections.base", seed: 2, groupRowCounts: [4, 2], collections: [.list, .set, .map]),
  ]

  @Test(arguments: files) func filesOfFormat1AreRead(_ golden: Golden) throws {
    let bytes = try golden.file.bytes()
    let reader = try SnapshotReader(MemoryFile(bytes), kind: .base)
    _ = try reader.verify()
    #expect(reader.header == SnapshotSample.header)
    #expect(reader.header.storeID.description == "000102030405060708090a0b0c0d0e0f")
    let sample = try golden.sample()
    #expect(reader.directory.catalogue == sample.catalogue)
    try #require(try SnapshotContent(reading: reader) == SnapshotContent(sample))
  }

  /// Holds for the version of zstd that wrote the file; what another makes may differ and is read all the same. A change of
  /// how forms are chosen makes the test fail without harm to anybody's files: then set `FIRN_WRITE_GOLDEN` to write it anew,
  /// and keep the old one under another name for the test above.
  @Test(.enabled(if: ZstdContext.libraryVersion == 10504), arguments: files)
  func filesOfFormat1AreWrittenAlike(_ golden: Golden) throws {
    try golden.file.expectEqual(golden.sample().bytes())
  }

  /// The reader in `Tests/FormatReader` reads the same out of the files.
  @Test(arguments: files) func filesOfFormat1AreToldAsJSON(_ golden: Golden) throws {
    try golden.file.dump.expectEqual(GoldenDump(golden.sample()).bytes)
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
