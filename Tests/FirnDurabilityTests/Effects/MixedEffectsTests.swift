import FirnDurability
import FirnEngine
import TestSupport
import Testing

/// Mixed values and the collections inside of them, in effects and bases.
@Suite struct MixedEffectsTests {
  private let merge: CatalogueMerge
  /// The same tables in another order, behind one that is not in the file yet.
  private let twin: CatalogueMerge

  init() throws {
    merge = try Catalogue().merging(schema: MixedWriting.schema)
    twin = try merge.catalogue.merging(
      schema: [TableDescription(name: "New", columns: [])] + MixedWriting.schema.reversed())
  }

  private func makeGraph(_ merge: CatalogueMerge, log: EffectsLog? = nil) -> Graph {
    Graph(schema: merge.graphSchema, seed: HashSeed(1, 2), log: log, poisonsFreedBlocks: true)
  }

  private func apply(_ bytes: [UInt8], _ merge: CatalogueMerge, to graph: Graph) throws -> Version {
    let effects = try bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    do { try effects.apply(to: graph.begin()) } catch {
      graph.cancel()
      throw error
    }
    return try graph.commit().version
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func effectsOfEveryCommitMakeTheSameGraph(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    var writing = MixedWriting(makeGraph(merge, log: log), seed: seed)
    let other = makeGraph(twin)
    for step in 0..<80 {
      let version = try writing.commit()
      for frame in log.take() {
        let copy = try apply(frame.bytes, twin, to: other)
        try requireEqual(version.contents, copy.contents, "seed \(seed), step \(step)")
        if step % 10 == 9 { copy.contents.checkInvariants() }
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func mergedEffectsMakeTheSameGraphAtOnce(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    var writing = MixedWriting(makeGraph(merge, log: log), seed: seed &+ 50)
    let other = makeGraph(twin)
    for step in 0..<12 {
      var net = NetEffects(map: merge.map)
      var version = writing.graph.holdHead()
      for _ in 0..<(1 + writing.random.below(8)) {
        version = try writing.commit()
        for frame in log.take() {
          try net.add(frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) })
        }
      }
      var writer = ByteWriter()
      try net.encode(contents: version.contents, into: &writer)
      let copy = try apply(writer.array(), twin, to: other)
      try requireEqual(version.contents, copy.contents, "seed \(seed), step \(step)")
      copy.contents.checkInvariants()
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func damagedEffectsApplyOrThrow(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    var writing = MixedWriting(makeGraph(merge, log: log), seed: seed &+ 90)
    var frames: [[UInt8]] = []
    var random = EffectsRandom(seed)
    for _ in 0..<12 {
      try writing.commit()
      frames += log.take().map(\.bytes)
    }
    for step in 0..<200 {
      let graph = makeGraph(merge)
      let damaged = random.below(frames.count)
      do {
        for (index, frame) in frames.enumerated().prefix(damaged + 1) {
          var frame = frame
          if index == damaged {
            for _ in 0..<(1 + random.below(3)) {
              let place = random.below(frame.count)
              frame[place] = random.chance(70) ? frame[place] ^ 1 << UInt8(random.below(8)) : UInt8(random.below(16))
            }
          }
          _ = try apply(frame, merge, to: graph)
        }
        graph.holdHead().contents.checkInvariants()
      } catch {
        #expect(error is DecodingError || error is EffectsError, "seed \(seed), step \(step): \(error)")
      }
    }
  }

  /// Rows of one table each: table, next key, insertion of row 0, its cells.
  private func refusal(_ bytes: [UInt8]) -> String {
    do {
      let graph = makeGraph(merge)
      _ = try apply(bytes, merge, to: graph)
      graph.holdHead().contents.checkInvariants()
      return "applied"
    } catch {
      return "\(error)"
    }
  }

  @Test func theBytesAreThoseOfTheFormatAndOthersAreRefused() {
    // A thing whose value is the int 5 and whose list holds null and the text "a".
    func thing(_ value: [UInt8]) -> [UInt8] {
      [1, 1, 1, 1, 0, 2, 1, 0] + value + [2, 0, 2, 0b01, 2, 6, 97, 0, 0, 0]
    }
    #expect(refusal(thing([2, 2, 5])) == "applied")
    #expect(refusal(thing([3, 2, 5, 0])).contains("no known form"))
    #expect(refusal(thing([0])).contains("no known form"))
    #expect(refusal(thing([6, 11, 9, 0, 0, 0, 0])).contains("leads to row 0, which is not there"))
    #expect(refusal(thing([6, 11, 2, 0, 0, 0, 7])).contains("leads to row 7, which is not there"))
    #expect(refusal(thing([2, 12, 0])).contains("leads to row 0, which is not there"))
    #expect(refusal(thing([2, 13, 0])).contains("leads to row 0, which is not there"))
    // A value that leads to its own row; one list for two values.
    #expect(refusal(thing([6, 11, 1, 0, 0, 0, 0])) == "applied")
    let list: [UInt8] = [3, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    #expect(refusal([2] + thing([2, 12, 0]).dropFirst() + list) == "applied")
    let two: [UInt8] = [1, 2, 2, 0, 0, 2, 1, 0, 2, 12, 0, 2, 12, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    #expect(refusal([2] + two + list).contains("several owners"))
  }

  @Test func cataloguesWithWrongMixedColumnsAreRefused() throws {
    func fault(_ columns: [ColumnDescription], _ name: String = "Thing") -> String {
      do {
        _ = try Catalogue().merging(schema: [TableDescription(name: name, columns: columns)])
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(fault([ColumnDescription(name: "a", type: .mixed, isIndexed: true)]).contains("cannot be a primary key"))
    #expect(fault([ColumnDescription(name: "a", type: .mixed, isPrimaryKey: true)]).contains("cannot be a primary key"))
    #expect(
      fault([ColumnDescription(name: "a", type: .int)], TableDescription.nestedLists.name).contains("not one of nested")
    )
    #expect(fault(MixedWriting.schema[0].columns) == "none")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func graphsComeBackFromBases(seed: UInt64) throws {
    var writing = MixedWriting(makeGraph(merge), seed: seed)
    for _ in 0..<150 { try writing.commit() }
    let version = writing.graph.holdHead()
    let file = MemoryFile()
    let nextKeys = writing.graph.nextKeys
    let tables = merge.graphSchema.indices.map { table in
      SnapshotTable(
        version.contents, table: TableID(table),
        columns: merge.graphSchema[table].columns.indices.map { ColumnID($0) }, nextKey: nextKeys[table])
    }
    _ = try SnapshotWriter(file, header: SnapshotSample.header, catalogue: merge.catalogue).writeBase(tables: tables)
    let reader = try SnapshotReader(MemoryFile(file.bytes), kind: .base)
    _ = try reader.verify()
    let loader = GraphLoader(schema: merge.graphSchema, seed: HashSeed(3, 4), poisonsFreedBlocks: true)
    try reader.read(threadCount: 2) { _ in
    } group: { group in
      try loader.addGroup(TableID(group.table), keys: group.keys, columns: group.columns)
    }
    for table in nextKeys.indices { loader.setNextKey(nextKeys[table], of: TableID(table)) }
    try loader.finish(version: 9)
    let loaded = Graph(loaded: loader, log: nil)
    loaded.checkInvariants()
    try requireEqual(version.contents, loaded.holdHead().contents, "seed \(seed)")
  }
}
