import FirnDurability
import FirnEngine
import TestSupport
import Testing

@Suite struct EffectsTests {
  private let merge: CatalogueMerge

  init() throws { merge = try Catalogue().merging(schema: EffectsSchema.tables) }

  private func makeGraph(_ schema: [TableDescription], log: EffectsLog? = nil) -> Graph {
    Graph(schema: schema, seed: HashSeed(1, 2), log: log, poisonsFreedBlocks: true)
  }

  private func apply(_ effects: Effects, to graph: Graph) throws -> Version {
    graph.enterGateBlocking()
    defer { graph.gate.leave() }
    do {
      try effects.apply(to: graph.begin())
    } catch {
      graph.cancel()
      throw error
    }
    return try graph.commit().version
  }

  private func nextKey(_ table: TableID, of graph: Graph) -> UInt64 {
    graph.enterGateBlocking()
    defer {
      graph.cancel()
      graph.gate.leave()
    }
    return graph.begin().nextKey(of: table).rawValue
  }

  /// The other graph has the tables in another order, and does not know all of them.
  private func makeTwin() throws -> (Graph, CatalogueMap) {
    let tables = EffectsSchema.tables
    let names = ["Other", "Listing", "Thing"]
    var schema = names.map { name in tables.first { $0.name == name }! }
    for table in schema.indices {
      for column in schema[table].columns.indices {
        guard let target = schema[table].columns[column].target else { continue }
        schema[table].columns[column].target = TableID(names.firstIndex(of: tables[target.index].name)!)
      }
      schema[table].columns.reverse()
    }
    let twin = try merge.catalogue.merging(schema: schema)
    #expect(twin.catalogue == merge.catalogue)
    #expect(twin.graphSchema.map(\.name) == names + ["Bare", "Flag", "Grouping", "Holder", "Held"])
    return (makeGraph(twin.graphSchema), twin.map)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func effectsOfEveryCommitMakeTheSameGraph(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    let graph = makeGraph(merge.graphSchema, log: log)
    let (twin, twinMap) = try makeTwin()
    var writing = RandomWriting(graph: graph, seed: seed, rowCountMax: 260)
    for step in 0..<40 {
      let version = try writing.commit()
      for frame in log.take() {
        let effects = try frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: twinMap) }
        let twinVersion = try apply(effects, to: twin)
        try requireEqual(version.contents, twinVersion.contents, "seed \(seed), step \(step)")
        if step % 10 == 9 { twinVersion.contents.checkInvariants() }
        for (table, key) in frame.nextKeys {
          let twinTable = twinMap.table(merge.map.id(of: TableID(table)))!
          #expect(nextKey(twinTable, of: twin) == key, "seed \(seed), step \(step), table \(table)")
        }
      }
    }
    twin.checkInvariants()
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func mergedEffectsMakeTheSameGraphAtOnce(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    let graph = makeGraph(merge.graphSchema, log: log)
    let (twin, twinMap) = try makeTwin()
    var writing = RandomWriting(graph: graph, seed: seed &+ 100)
    for step in 0..<12 {
      var net = NetEffects(map: merge.map)
      var version: Version?
      var nextKeys: [Int: UInt64] = [:]
      for _ in 0..<(1 + writing.random.below(8)) {
        version = try writing.commit()
        for frame in log.take() {
          try net.add(frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) })
          nextKeys.merge(frame.nextKeys) { $1 }
        }
      }
      var writer = ByteWriter()
      try net.encode(contents: version!.contents, into: &writer)
      let effects = try writer.withBytes { try Effects(decoding: $0, map: twinMap) }
      let twinVersion = try apply(effects, to: twin)
      try requireEqual(version!.contents, twinVersion.contents, "seed \(seed), step \(step)")
      twinVersion.contents.checkInvariants()
      for (table, key) in nextKeys {
        let twinTable = twinMap.table(merge.map.id(of: TableID(table)))!
        #expect(nextKey(twinTable, of: twin) == key, "seed \(seed), step \(step), table \(table)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func changeSetsComeBack(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    let graph = makeGraph(merge.graphSchema, log: log)
    var writing = RandomWriting(graph: graph, seed: seed &+ 200)
    for step in 0..<30 {
      let follower = graph.followChanges(from: graph.head)
      let before = graph.holdHead()
      let version = try writing.commit()
      let expected = graph.changes(from: before, to: version)
      _ = follower
      for frame in log.take() {
        let changes = try frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }.changeSet()
        for (found, expected) in zip(changes.tables, expected.tables) {
          #expect(found.inserted == expected.inserted, "seed \(seed), step \(step)")
          #expect(found.deleted == expected.deleted, "seed \(seed), step \(step)")
          #expect(found.modified == expected.modified, "seed \(seed), step \(step)")
          for (list, delta) in found.lists { #expect(delta == expected.lists[list], "seed \(seed), step \(step)") }
        }
      }
    }
  }

  /// Keys that a cancelled transaction gave out stay given out, so a graph serves for one try at most.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func damagedEffectsApplyOrThrow(seed: UInt64) throws {
    let log = EffectsLog(map: merge.map)
    let graph = makeGraph(merge.graphSchema, log: log)
    var writing = RandomWriting(graph: graph, seed: seed &+ 300, rowCountMax: 12)
    var random = EffectsRandom(seed)
    var net = NetEffects(map: merge.map)
    var before = ByteWriter()
    try net.encode(contents: graph.holdHead().contents, into: &before)
    var outcomes = Outcomes()
    for step in 0..<8 {
      let version = try writing.commit()
      guard let frame = log.take().first else { continue }
      let past = try before.withBytes { try Effects(decoding: $0, map: merge.map) }
      for length in frame.bytes.indices where frame.bytes.count < 300 || random.below(frame.bytes.count) < 20 {
        #expect(throws: DecodingError.self, "seed \(seed), step \(step), length \(length)") {
          try frame.bytes[..<length].withUnsafeBytes { try Effects(decoding: $0, map: merge.map) }
        }
      }
      for _ in 0..<60 {
        var bytes = frame.bytes
        for _ in 0..<(1 + random.below(3)) {
          let place = random.below(bytes.count)
          bytes[place] = random.chance(70) ? bytes[place] ^ 1 << UInt8(random.below(8)) : UInt8(random.below(256))
        }
        try outcomes.add(bytes, merge.map) {
          let twin = makeGraph(merge.graphSchema)
          _ = try apply(past, to: twin)
          return twin
        }
      }
      try net.add(frame.bytes.withUnsafeBytes { try Effects(decoding: $0, map: merge.map) })
      before.removeAll()
      try net.encode(contents: version.contents, into: &before)
    }
    #expect(outcomes.applied > 0 && outcomes.refusedByDecoder > 0 && outcomes.refusedByGraph > 0, "\(outcomes)")
  }

  private struct Outcomes {
    var applied = 0
    var refusedByDecoder = 0
    var refusedByGraph = 0

    /// Decodes and applies what may be damaged to a graph as `makeGraph` makes it.
    mutating func add(
      _ bytes: [UInt8], _ map: CatalogueMap, _ makeGraph: () throws -> Graph
    ) throws {
      guard let effects = try? bytes.withUnsafeBytes({ try Effects(decoding: $0, map: map) }) else {
        refusedByDecoder += 1
        return
      }
      let graph = try makeGraph()
      graph.enterGateBlocking()
      defer { graph.gate.leave() }
      do throws(EffectsError) {
        try effects.apply(to: graph.begin())
        applied += 1
        let version = try! graph.commit().version
        version.contents.checkInvariants()
      } catch {
        refusedByGraph += 1
        graph.cancel()
      }
    }
  }
}
