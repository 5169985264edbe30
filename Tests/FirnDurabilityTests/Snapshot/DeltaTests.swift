import FirnDurability
import FirnEngine
import Testing

@Suite struct DeltaTests {
  private func write(_ effects: [UInt8]) throws -> MemoryFile {
    let catalogue = try Catalogue().merging(schema: SnapshotSample.schema()).catalogue
    let header = SnapshotHeader(
      kind: .delta, storeID: SnapshotSample.header.storeID, epoch: 3, version: 50, startVersion: 42)
    let file = MemoryFile()
    let tables = catalogue.tables.map { SnapshotDirectory.TableState(id: $0.id, nextKey: 9, rowCount: 4) }
    let written = try effects.withUnsafeBytes {
      try SnapshotWriter(file, header: header, catalogue: catalogue).writeDelta(effects: $0, tables: tables)
    }
    #expect(written.byteCount == file.bytes.count)
    let reader = try SnapshotReader(file, kind: .delta)
    #expect(reader.header == header)
    #expect(reader.directory.tables == tables)
    return file
  }

  @Test func deltasComeBack() throws {
    var random = SeededRandom.printed("deltasComeBack")
    for count in [0, 1, 1_000, 1 << 20, 1 << 20 + 1, 3_500_000] {
      let mask: UInt8 = random.chance(50) ? 255 : 1
      let effects = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & mask }
      let file = try write(effects)
      let reader = try SnapshotReader(file, kind: .delta)
      #expect(reader.directory.blocks.count == (count + 1 << 20 - 1) >> 20)
      _ = try reader.verify()
      let found = try reader.effects().array()
      #expect(found == effects)
      if count > 0 {
        let refusal = #expect(throws: StoreError.self) {
          _ = try reader.effects(budget: ExpansionBudget(byteCountMax: count - 1))
        }
        #expect(refusal?.code == .fail)
        var limits = SnapshotLimits.standard
        limits.deltaByteCountMax = count - 1
        let lower = try SnapshotReader(file, kind: .delta, limits: limits)
        #expect(throws: StoreError.self) { _ = try lower.effects() }
      }
    }
  }

  @Test func everyChangedByteOfADeltaIsFound() throws {
    let bytes = try write((0..<200).map { UInt8($0) } + Array(repeating: 1, count: 200)).bytes
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(throws: StoreError.self) {
        _ = try SnapshotReader(MemoryFile(damaged), kind: .delta).effects()
      }
    }
  }

  @Test func blocksOfADeltaAreEffectsOfNoTable() throws {
    let file = try write([UInt8](repeating: 7, count: 2_500_000))
    let reader = try SnapshotReader(file, kind: .delta)
    let blocks = reader.directory.blocks
    #expect(blocks.count == 3)
    let unchanged = try file.bytes.replacingDirectory(of: reader, blocks: blocks)
    #expect(throws: Never.self) { try SnapshotReader(MemoryFile(unchanged), kind: .delta) }
    let changes: [(inout SnapshotDirectory.Block) -> Void] = [
      { $0.kind = .column }, { $0.kind = .keys }, { $0.tableID = 1 }, { $0.columnID = 1 },
      { ($0.tableID, $0.columnID) = (1, 1) },
    ]
    for (number, change) in changes.enumerated() {
      for index in blocks.indices {
        var changed = blocks
        change(&changed[index])
        let bytes = try file.bytes.replacingDirectory(of: reader, blocks: changed)
        let error = #expect(throws: StoreError.self, "change \(number) of block \(index)") {
          try SnapshotReader(MemoryFile(bytes), kind: .delta)
        }
        #expect(error?.code == .corrupted)
      }
    }
  }
}
