import FirnDurability
import FirnEngine
import Testing

/// Files that nobody but an attacker writes, under right checksums, and disks that do not keep what they were given.
@Suite struct StoreCraftedTests {
  private static let path = "/store.firn"

  private static func open(
    _ disk: SimulatedDisk, _ schema: [TableDescription], isReadOnly: Bool = false
  ) throws -> DurableStore {
    try openStore(path, schema, on: disk, segmentByteCount: 1 << 14) {
      $0.idleNanoseconds = nil
      $0.isReadOnly = isReadOnly
      $0.preparesSegments = false
    }
  }

  /// Epoch, version, and the version that a delta starts from.
  @Test(arguments: [32, 40, 48])
  func numbersOfHeadersHaveALimit(offset: Int) throws {
    var random = SeededRandom.printed("numbersOfHeadersHaveALimit")
    let sample = try SnapshotSample.random(&random, groupRowCounts: [3])
    let file = MemoryFile()
    let kind: SnapshotHeader.Kind = offset == 48 ? .delta : .base
    var header = SnapshotSample.header
    header.kind = kind
    if kind == .delta {
      let tables = sample.catalogue.tables.map { SnapshotDirectory.TableState(id: $0.id, nextKey: 0, rowCount: 0) }
      _ = try SnapshotWriter(file, header: header, catalogue: sample.catalogue)
        .writeDelta(effects: UnsafeRawBufferPointer(start: nil, count: 0), tables: tables)
    } else {
      _ = try sample.write(to: file)
    }
    for (number, isRefused) in [(UInt64(1) << 62, false), (1 << 62 + 1, true), (.max, true)] {
      var bytes = file.bytes
      for place in 0..<8 { bytes[offset + place] = UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) }
      Checksum.renew(&bytes, 0..<92, at: 92)
      if isRefused {
        let error = #expect(throws: StoreError.self) { try SnapshotReader(MemoryFile(bytes), kind: kind) }
        #expect(error?.code == .corrupted)
      } else {
        _ = try SnapshotReader(MemoryFile(bytes), kind: kind)
      }
    }
  }

  /// One more would be beyond what readers take: then nothing is written, but everything shown.
  @Test(arguments: [32, 40]) func aStoreAtTheEndOfItsNumbersIsNotWrittenTo(offset: Int) throws {
    let schema = [TableDescription(name: "A", columns: [])]
    let disk = SimulatedDisk(seed: 1)
    _ = try Self.open(disk, schema).release()
    for name in try disk.list(Self.path + ".journal") { try disk.remove("\(Self.path).journal/\(name)") }
    disk.setContent(Self.path + ".lock", nil)
    var bytes = try #require(disk.content(Self.path))
    bytes[offset + 7] = 0x40
    for place in 0..<7 { bytes[offset + place] = 0 }
    Checksum.renew(&bytes, 0..<92, at: 92)
    disk.setContent(Self.path, bytes)
    #expect(try Self.open(disk, schema, isReadOnly: true).opening.rowCount == 0)
    let error = #expect(throws: StoreError.self) { _ = try Self.open(disk, schema) }
    #expect(error?.code == .corrupted)
  }

  /// A row that owns links, and embedded rows: owned once, never and twice.
  @Test(arguments: [0, 1, 2]) func embeddedRowsHaveOneOwner(ownerCount: Int) throws {
    let schema = [
      TableDescription(
        name: "Owner",
        columns: [
          ColumnDescription(name: "one", type: .link, target: TableID(1), linkKind: .embedded),
          ColumnDescription(name: "many", type: .link, collection: .list, target: TableID(1), linkKind: .embedded),
        ]),
      TableDescription(name: "Held", columns: []),
    ]
    let one = ColumnChunk(rowCount: 1, values: .ints([ownerCount > 0 ? 6 : 0]))
    let elements: [Int64] = ownerCount > 1 ? [6] : []
    let many = ColumnChunk(
      rowCount: 1,
      values: .lists(
        counts: [UInt32(elements.count)], elements: ColumnChunk(rowCount: elements.count, values: .ints(elements))))
    let sample = SnapshotSample(
      catalogue: try Catalogue().merging(schema: schema).catalogue,
      tables: [
        SnapshotSample.Table(nextKey: 1, groups: [SnapshotSample.Group(keys: [0], columns: [one, many])]),
        SnapshotSample.Table(nextKey: 6, groups: [SnapshotSample.Group(keys: [5], columns: [])]),
      ])
    let disk = SimulatedDisk(seed: 1)
    disk.setContent(Self.path, try sample.bytes())
    for isReadOnly in [true, false] {
      if ownerCount == 1 {
        #expect(try Self.open(disk, schema, isReadOnly: isReadOnly).opening.rowCount == 2)
      } else {
        let error = #expect(throws: StoreError.self) { _ = try Self.open(disk, schema, isReadOnly: isReadOnly) }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("\(ownerCount) owners") == true)
      }
    }
  }

  /// What was written is right in memory, and wrong on the disk: the files that were there stay.
  @Test func aCheckpointReadsFromTheDisk() throws {
    let schema = [TableDescription(name: "A", columns: [ColumnDescription(name: "n", type: .int)])]
    for seed in UInt64(1)...40 {
      let disk = SimulatedDisk(seed: seed)
      let store = try Self.open(disk, schema)
      var count = 0
      func insert() throws {
        store.graph.enterGateBlocking()
        let writer = store.graph.begin()
        for _ in 0..<200 { writer.insert(into: TableID(0)) { $0.setInt(ColumnID(0), Int64(bitPattern: seed << 50)) } }
        let version = try store.graph.commit().version.number
        store.graph.gate.leave()
        store.flush(through: version)
        count += 200
      }
      try insert()
      // A base, and then a delta beside it.
      if seed % 2 == 0 {
        _ = try store.checkpoint()
        try insert()
      }
      disk.setLies([.writesBadly])
      disk.beforeSync { [disk] path in
        // Only what the checkpoint writes.
        disk.setLies(path.hasSuffix(".tmp") ? [.writesBadly] : [])
      }
      #expect(throws: StoreError.self, "seed \(seed)") { _ = try store.checkpoint() }
      disk.beforeSync(nil)
      disk.setLies([])
      let after = disk.crash(.nothing)
      #expect(try Self.open(after, schema).opening.rowCount == count, "seed \(seed)")
      _ = store.release()
    }
  }
}
