import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Whatever can be committed can be read back.
@Suite struct LimitTests {
  private static func boolLists(_ counts: [UInt32]) throws -> SnapshotSample {
    let bools = ColumnDescription(name: "bools", type: .bool, collection: .list)
    let catalogue = try Catalogue().merging(schema: [TableDescription(name: "A", columns: [bools])]).catalogue
    let sum = counts.reduce(0) { $0 + Int($1) }
    var words = [UInt64](repeating: 0x5a5a_1234_5678_9abc, count: (sum + 63) / 64)
    if sum % 64 != 0 { words[words.count - 1] &= UInt64.max >> UInt64(64 - sum % 64) }
    let chunk = ColumnChunk(
      rowCount: counts.count,
      values: .lists(counts: counts, elements: ColumnChunk(rowCount: sum, values: .bits(words))))
    let group = SnapshotSample.Group(keys: (0..<counts.count).map { UInt64($0) }, columns: [chunk])
    let table = SnapshotSample.Table(nextKey: UInt64(counts.count), groups: [group])
    return SnapshotSample(catalogue: catalogue, tables: [table])
  }

  /// The limits of real files: more elements than a block may have, in many rows and in one.
  @Test(arguments: [16_384, 1]) func groupsAndRowsOfManyElementsAreCut(rowCount: Int) throws {
    let counts = rowCount == 1 ? [UInt32(1 << 27 + 1)] : [UInt32](repeating: 8_200, count: rowCount)
    let sample = try Self.boolLists(counts)
    let reader = try SnapshotReader(MemoryFile(sample.bytes(threadCount: 1)), kind: .base)
    #expect(reader.directory.blocks.count > 2)
    let content = try SnapshotContent(reading: reader, threadCount: 1).tables[0]
    #expect(content.flatMap(\.keys) == sample.tables[0].groups[0].keys)
    var found = content[0].columns[0]
    if counts.count == 1 {
      #expect(found == sample.tables[0].groups[0].columns[0])
    } else {
      #expect(content.count == 2)
      guard case .lists(let first, let bits) = found.values, case .bits(let words) = bits.values else {
        fatalError("No lists")
      }
      #expect(first == Array(counts[..<8_192]) && words.first == 0x5a5a_1234_5678_9abc)
      found = content[1].columns[0]
      #expect(found.rowCount == 8_192)
    }
  }

  /// Values of a dictionary lie together in blocks as long as these may be, from the first block to the last.
  @Test func dictionariesAreCutIntoFewBlocks() throws {
    let disk = SimulatedDisk(seed: 1)
    let table = TableDescription(
      name: "A", columns: [ColumnDescription(name: "text", type: .string, isIndexed: true)])
    let store = try openStore("/store.firn", [table], on: disk, segmentByteCount: 1 << 20) { options in
      options.limits.cutByteCount = 4_000
    }
    store.graph.enterGateBlocking()
    let writer = store.graph.begin()
    for number in 0..<2_000 {
      writer.insert(into: TableID(0)) { $0.set(ColumnID(0), .string(Array("a text with number \(number)".utf8))) }
    }
    _ = try store.graph.commit()
    store.graph.gate.leave()
    #expect(try store.checkpoint().isBase)
    _ = store.release()
    let reader = try SnapshotReader(MemoryFile(disk.content("/store.firn") ?? []), kind: .base)
    #expect((40...200).contains(reader.directory.blocks.count), "\(reader.directory.blocks.count)")
  }

  /// Random stores under limits so low that everything is cut everywhere.
  @Test func whatWasCommittedIsReadBackUnderAnyLimits() throws {
    var random = SeededRandom.printed("whatWasCommittedIsReadBackUnderAnyLimits")
    for _ in 0..<6 {
      let seed = random.next()
      var limits = SnapshotLimits()
      limits.rowCountMax = [1, 3, 40, 16_384][random.below(4)]
      limits.elementCountMax = [1, 2, 65, 300, 1 << 27][random.below(5)]
      limits.cutByteCount = [1, 100, 2_000, 20_000][random.below(4)]
      // The longest values that cannot be cut, and what goes with them.
      limits.rawByteCountMax = 2 * limits.cutByteCount + 20_000
      limits.effectsByteCountMax = [1, 50, 5_000][random.below(3)]
      limits.deltaByteCountMax = [0, 2_000, 1 << 20][random.below(3)]
      let note = "seed \(seed), \(limits)"
      let disk = SimulatedDisk(seed: seed)
      var options = DurableStore.Options()
      options.checkpointByteCount = .max
      options.checkpointNanoseconds = nil
      options.segmentByteCount = 1 << 14
      options.preparesSegments = false
      options.limits = limits
      func open() throws -> DurableStore {
        try DurableStore.open(
          "/store.firn", schema: EffectsSchema.tables, options: options, seed: HashSeed(1, 2), fileSystem: disk)
      }
      var memory: RandomWriting.Memory?
      var baseCount = 0
      for round in 0..<5 {
        let store = try open()
        var writing = RandomWriting(graph: store.graph, seed: seed &+ UInt64(round), rowCountMax: 200)
        if let memory { writing.memory = memory }
        var version = try writing.commit()
        for step in 0..<12 {
          version = try writing.commit()
          if step % 4 == 3, try store.checkpoint().isBase { baseCount += 1 }
        }
        memory = writing.memory
        store.flush(through: version.number)
        let content = StoreContent(version.contents)
        _ = store.release()
        let again = try open()
        let head = again.graph.holdHead()
        #expect(StoreContent(head.contents) == content, "\(note)")
        head.contents.checkInvariants()
        _ = again.release()
        #expect(try DurableStore.verify("/store.firn", disk, options: options).rowCounts.map(\.count).reduce(0, +) > 0)
      }
      #expect(baseCount > 0, "\(note)")
    }
  }
}
