import FirnDurability
import FirnEngine
import Testing

@Suite struct BaseTests {
  @Test func basesComeBack() throws {
    var random = SeededRandom.printed("basesComeBack")
    for rowCounts in [[], [1], [300, 5, 17], [40, 40, 40, 40, 40, 40, 40, 40, 40], [16_384, 1]] {
      let sample = try SnapshotSample.random(&random, groupRowCounts: rowCounts)
      let file = MemoryFile()
      let written = try sample.write(to: file, threadCount: 1 + random.below(4))
      let reader = try SnapshotReader(file, kind: .base)
      #expect(reader.header == SnapshotSample.header)
      #expect(reader.directory.catalogue == sample.catalogue)
      #expect(reader.directory.tables.map(\.nextKey) == sample.tables.map(\.nextKey))
      #expect(try reader.verify() == written)
      #expect(written.byteCount == file.bytes.count)
      #expect(written.rowCount == rowCounts.reduce(3, +))
      for threadCount in [1, 3] {
        try #require(try SnapshotContent(reading: reader, threadCount: threadCount) == SnapshotContent(sample))
      }
    }
  }

  @Test func bytesDoNotDependOnThreads() throws {
    var random = SeededRandom.printed("bytesDoNotDependOnThreads")
    let sample = try SnapshotSample.random(&random, groupRowCounts: Array(repeating: 100, count: 20))
    let bytes = try sample.bytes(threadCount: 1)
    for threadCount in [2, 3, 8] { #expect(try sample.bytes(threadCount: threadCount) == bytes) }
  }

  @Test func largeDictionariesAreCut() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "s", type: .string, isIndexed: true)])]
    let catalogue = try Catalogue().merging(schema: schema).catalogue
    let count = 40_000
    var values = ByteStrings()
    for index in 0..<count {
      let text = Array("value \(index)".utf8)
      values.lengths.append(UInt32(text.count))
      values.bytes += text
    }
    let group = SnapshotSample.Group(keys: [3], columns: [ColumnChunk(rowCount: 1, values: .dictionary([7]))])
    let sample = SnapshotSample(
      catalogue: catalogue,
      tables: [SnapshotSample.Table(nextKey: 9, groups: [group], dictionaries: [0: values])])
    let reader = try SnapshotReader(MemoryFile(sample.bytes()), kind: .base)
    #expect(reader.directory.blocks.map(\.kind) == [.dictionary, .dictionary, .dictionary, .keys, .column])
    #expect(try SnapshotContent(reading: reader) == SnapshotContent(sample))
  }

  @Test func groupsOfHugeValuesAreCut() throws {
    let schema = [
      TableDescription(
        name: "A",
        columns: [
          ColumnDescription(name: "d", type: .data), ColumnDescription(name: "b", type: .bool, isNullable: true),
        ])
    ]
    let catalogue = try Catalogue().merging(schema: schema).catalogue
    let length = 100 << 20
    let strings = ByteStrings(
      lengths: [UInt32(length), 0, UInt32(length), UInt32(length)], bytes: Array(repeating: 9, count: 3 * length))
    let chunk = ColumnChunk(rowCount: 4, values: .bytes(strings))
    let bools = ColumnChunk(rowCount: 4, nulls: [0b0100], values: .bits([0b1010]))
    let sample = SnapshotSample(
      catalogue: catalogue,
      tables: [
        SnapshotSample.Table(
          nextKey: 9, groups: [SnapshotSample.Group(keys: [1, 2, 5, 8], columns: [chunk, bools])])
      ])
    let reader = try SnapshotReader(MemoryFile(sample.bytes(threadCount: 1)), kind: .base)
    #expect(reader.directory.blocks.map(\.rowCount) == [2, 2, 2, 2, 2, 2])
    let groups = try SnapshotContent(reading: reader, threadCount: 1).tables[0]
    #expect(groups.map(\.keys) == [[1, 2], [5, 8]])
    #expect(groups.map { $0.columns[0].rowCount } == [2, 2])
    #expect(groups[0].columns[1] == ColumnChunk(rowCount: 2, values: .bits([0b10])))
    #expect(groups[1].columns[1] == ColumnChunk(rowCount: 2, nulls: [0b01], values: .bits([0b10])))
    guard case .bytes(let first) = groups[0].columns[0].values else { return #expect(Bool(false)) }
    #expect(first.lengths == [UInt32(length), 0])
  }

  @Test func failedWritesEndTheWriting() throws {
    var random = SeededRandom.printed("failedWritesEndTheWriting")
    let sample = try SnapshotSample.random(&random, groupRowCounts: Array(repeating: 10, count: 12))
    for failingWrite in 0... {
      let file = MemoryFile(failingWrite: failingWrite)
      do {
        _ = try sample.write(to: file, threadCount: 3)
        break
      } catch {
        #expect(error is DiskError)
        #expect(throws: StoreError.self) { try SnapshotReader(file, kind: .base) }
      }
    }
  }

  @Test func errorsOfTheCallerEndTheReading() throws {
    struct Refusal: Error {}
    var random = SeededRandom.printed("errorsOfTheCallerEndTheReading")
    let sample = try SnapshotSample.random(&random, groupRowCounts: Array(repeating: 10, count: 12))
    let reader = try SnapshotReader(MemoryFile(sample.bytes()), kind: .base)
    #expect(throws: Refusal.self) {
      try reader.read(threadCount: 3) { _ in
      } group: { _ in
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) {
      try reader.read(threadCount: 3) { _ in
        throw Refusal()
      } group: { _ in
      }
    }
  }

  @Test func otherFilesAreNoStores() throws {
    func code(_ bytes: [UInt8], _ kind: SnapshotHeader.Kind = .base) -> StoreError.Code? {
      do {
        _ = try SnapshotReader(MemoryFile(bytes), kind: kind)
        return nil
      } catch { return (error as? StoreError)?.code }
    }
    var random = SeededRandom.printed("otherFilesAreNoStores")
    let bytes = try SnapshotSample.random(&random, groupRowCounts: [3]).bytes()
    #expect(code(bytes) == nil)
    #expect(code([]) == .invalidDatabase)
    #expect(code(Array("SQLite format 3, and so on".utf8)) == .invalidDatabase)
    #expect(code(bytes, .delta) == .invalidDatabase)
    #expect(code(Array(bytes[..<50])) == .corrupted)
    #expect(code(bytes + [0]) == .corrupted)
    var later = bytes
    later[8] = 2
    #expect(code(later) == .corrupted)
    Checksum.renew(&later, 0..<92, at: 92)
    #expect(code(later) == .unsupportedFileFormatVersion)
  }
}
