import CFirn
import FirnDurability
import FirnEngine
import Testing

enum Checksum {
  /// Puts the checksum of a range of bytes where it belongs.
  static func renew(_ bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) {
    let value = bytes.withUnsafeBytes { firn_crc32c(0, $0.baseAddress.map { $0 + range.lowerBound }, range.count) }
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)) }
  }
}

@Suite struct SnapshotDamageTests {
  @Test func everyChangedByteIsFound() throws {
    var random = SeededRandom.printed("everyChangedByteIsFound")
    let bytes = try SnapshotSample.random(&random, groupRowCounts: [3]).bytes()
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= UInt8(1 + random.below(255))
      #expect(throws: StoreError.self, "byte \(index) of \(bytes.count)") {
        try SnapshotReader(MemoryFile(damaged), kind: .base).verify()
      }
      #expect(throws: StoreError.self, "byte \(index) of \(bytes.count)") { try readAll(damaged) }
    }
  }

  @Test func aRowWhoseKeyWasNotGivenIsRefused() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "b", type: .bool)])]
    let catalogue = try Catalogue().merging(schema: schema).catalogue
    let group = SnapshotSample.Group(keys: [2, 8], columns: [ColumnChunk(rowCount: 2, values: .bits([1]))])
    for (nextKey, isValid) in [(UInt64(9), true), (8, false)] {
      let sample = SnapshotSample(
        catalogue: catalogue, tables: [SnapshotSample.Table(nextKey: nextKey, groups: [group])])
      let reader = try SnapshotReader(MemoryFile(sample.bytes()), kind: .base)
      let error = Result { try SnapshotContent(reading: reader) }
      switch error {
      case .success: #expect(isValid)
      case .failure(let error): #expect(!isValid && (error as? StoreError)?.code == .corrupted)
      }
    }
  }

  /// The same limit as in effects.
  @Test func aNextKeyBeyondTheLimitIsRefused() throws {
    for (nextKey, isValid) in [((1 << 40) - 1 as UInt64, true), (1 << 40, false)] {
      var sample = SnapshotSample(
        catalogue: try Catalogue().merging(schema: SnapshotSample.schema()).catalogue, tables: [])
      sample.tables = sample.catalogue.tables.map { _ in SnapshotSample.Table(nextKey: nextKey, groups: []) }
      let bytes = try sample.bytes()
      let error = Result { try SnapshotReader(MemoryFile(bytes), kind: .base) }
      switch error {
      case .success: #expect(isValid)
      case .failure(let error): #expect(!isValid && (error as? StoreError)?.code == .corrupted)
      }
    }
  }

  @Test func everyShorterFileIsRefused() throws {
    var random = SeededRandom.printed("everyShorterFileIsRefused")
    let bytes = try SnapshotSample.random(&random, groupRowCounts: [3]).bytes()
    for count in bytes.indices {
      #expect(throws: StoreError.self) { try SnapshotReader(MemoryFile(Array(bytes[..<count])), kind: .base) }
    }
  }

  /// Damage that the checksums do not tell: those of the blocks, the directory and the trailer are made anew.
  @Test func damageUnderRightChecksumsThrowsOrGivesRows() throws {
    var random = SeededRandom.printed("damageUnderRightChecksumsThrowsOrGivesRows")
    let sample = try SnapshotSample.random(&random, groupRowCounts: [20, 3])
    let bytes = try sample.bytes()
    let whole = try SnapshotReader(MemoryFile(bytes), kind: .base)
    for round in 0..<4_000 {
      var blocks = whole.directory.blocks
      var damaged = bytes
      if round % 2 == 0 {
        let index = random.below(blocks.count)
        let block = blocks[index]
        damaged[block.offset + random.below(block.storedByteCount)] ^= 1 << UInt8(random.below(8))
        damaged.withUnsafeBytes {
          blocks[index].checksum = firn_crc32c(0, $0.baseAddress.map { $0 + block.offset }, block.storedByteCount)
        }
        damaged = try damaged.replacingDirectory(of: whole, blocks: blocks)
      } else {
        let start = try bytes.directoryOffset()
        damaged[start + random.below(bytes.count - 40 - start)] = UInt8(random.below(256))
        Checksum.renew(&damaged, start..<(bytes.count - 40), at: bytes.count - 16)
        Checksum.renew(&damaged, (bytes.count - 40)..<(bytes.count - 8), at: bytes.count - 8)
      }
      do {
        let content = try readAll(damaged)
        #expect(content.tables.count == 3)
      } catch {
        #expect(error is StoreError, "\(error)")
      }
    }
  }

  @Test func hugeNumbersInTheDirectoryAreRefused() throws {
    var random = SeededRandom.printed("hugeNumbersInTheDirectoryAreRefused")
    let sample = try SnapshotSample.random(&random, groupRowCounts: [5])
    let bytes = try sample.bytes()
    let reader = try SnapshotReader(MemoryFile(bytes), kind: .base)
    func refuses(_ change: (inout [SnapshotDirectory.Block]) -> Void) throws {
      var blocks = reader.directory.blocks
      change(&blocks)
      let changed = try bytes.replacingDirectory(of: reader, blocks: blocks)
      #expect(throws: StoreError.self) { try readAll(changed) }
    }
    for huge in [1 << 31, 1 << 40, 1 << 62, .max] {
      try refuses { $0[3].rowCount = huge }
      try refuses { $0[3].rawByteCount = huge }
      try refuses { $0[3].storedByteCount = huge }
    }
    try refuses { $0[3].storedByteCount = 0 }
    try refuses { $0[3].rowCount = 0 }
    let column = try #require(reader.directory.blocks.firstIndex { $0.kind == .column })
    try refuses { $0[column].rowCount += 1 }
    try refuses { $0[column].rawByteCount += 1 }
    try refuses { $0[3].columnID += 1 }
    try refuses { $0[3].tableID += 1 }
    try refuses { $0[3].kind = .effects }
    try refuses { $0.swapAt(2, 3) }
    try refuses { $0.removeLast() }
    // 2^62 blocks, where the directory has a few bytes.
    var bomb = ByteWriter()
    reader.directory.catalogue.encode(into: &bomb)
    bomb.append([3, 1, 0, 0, 2, 0, 0, 3, 0, 0])
    bomb.appendVarint(UInt64(1) << 62)
    #expect(throws: StoreError.self) { try readAll(bytes.replacingDirectory(bomb.array())) }
  }

  @Test func dictionariesBelongToStrings() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "i", type: .int)])]
    let catalogue = try Catalogue().merging(schema: schema).catalogue
    let sample = SnapshotSample(
      catalogue: catalogue,
      tables: [SnapshotSample.Table(nextKey: 1, groups: [], dictionaries: [0: ByteStrings(lengths: [0])])])
    #expect(throws: StoreError.self) { try readAll(sample.bytes()) }
  }
}

extension [UInt8] {
  func directoryOffset() throws -> Int {
    try withUnsafeBytes { bytes in
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[(count - 40)...]))
      return Int(try reader.read(UInt64.self))
    }
  }

  /// The file with other bytes for its directory, under right checksums.
  func replacingDirectory(_ directory: [UInt8]) throws -> [UInt8] {
    let start = try directoryOffset()
    var trailer = ByteWriter()
    trailer.append(UInt64(start))
    trailer.append(UInt64(directory.count))
    trailer.append(UInt64(start + directory.count + 40))
    var result =
      self[..<start] + directory + trailer.array() + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x46, 0x45, 0x4e, 0x44]
    var bytes = Array(result)
    result = []
    Checksum.renew(&bytes, start..<(start + directory.count), at: bytes.count - 16)
    Checksum.renew(&bytes, (bytes.count - 40)..<(bytes.count - 8), at: bytes.count - 8)
    return bytes
  }

  func replacingDirectory(of reader: SnapshotReader, blocks: [SnapshotDirectory.Block]) throws -> [UInt8] {
    var writer = ByteWriter()
    SnapshotDirectory(catalogue: reader.directory.catalogue, tables: reader.directory.tables, blocks: blocks)
      .encode(into: &writer)
    return try replacingDirectory(writer.array())
  }
}
