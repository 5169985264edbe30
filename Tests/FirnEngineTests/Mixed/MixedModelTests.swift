import FirnEngine
import TestSupport
import Testing

@Suite struct MixedModelTests {
  private func makeGraph() -> Graph {
    Graph(schema: MixedModel.schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func mixedValuesAreWhatTheModelSays(seed: UInt64) throws {
    let graph = makeGraph()
    var writing = MixedWriting(graph, seed: seed)
    var held: [(Version, MixedModel)] = []
    var before = (version: graph.holdHead(), model: writing.model)
    let follower = graph.followChanges(from: before.version.number)
    for step in 0..<120 {
      try writing.transaction()
      let version = graph.holdHead()
      let found = MixedModel(version.contents)
      try #require(found == writing.model, "seed \(seed), step \(step)")
      let changes = graph.changes(from: before.version, to: version)
      check(changes, before.model, writing.model, "seed \(seed), step \(step)")
      if step % 10 == 0 { version.contents.checkInvariants() }
      if writing.random.chance(15) { held.append((version, writing.model)) }
      if held.count > 4 {
        let (version, model) = held.removeFirst()
        try #require(MixedModel(version.contents) == model, "seed \(seed), step \(step): an older version")
        // Comparing versions tells the same.
        let changes = ChangeSet(from: version.contents, to: graph.holdHead().contents)
        check(changes, model, writing.model, "seed \(seed), step \(step): compared")
      }
      before = (version, writing.model)
    }
    withExtendedLifetime(follower) {}
    held = []
    graph.checkInvariants()
  }

  /// Every thing whose content changed, at any depth, is named.
  private func check(_ changes: ChangeSet, _ before: MixedModel, _ after: MixedModel, _ note: String) {
    let table = changes.tables[MixedModel.things.index]
    let named = Set(table.modified.map(\.key.rawValue))
    for key in after.rows.keys where before.rows[key] != nil {
      if before.deep(key) != after.deep(key) { #expect(named.contains(key), "\(note): thing \(key)") }
    }
    #expect(Set(table.inserted.map(\.rawValue)) == Set(after.rows.keys).subtracting(before.rows.keys), "\(note)")
    #expect(Set(table.deleted.map(\.rawValue)) == Set(before.rows.keys).subtracting(after.rows.keys), "\(note)")
    for (list, delta) in table.lists {
      delta.checkInvariants()
      #expect(delta.newCount == after.rows[list.row.rawValue]?.values.count, "\(note)")
      #expect(delta.oldCount == before.rows[list.row.rawValue]?.values.count, "\(note)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func exportedGraphsLoadAgain(seed: UInt64) throws {
    let graph = makeGraph()
    var writing = MixedWriting(graph, seed: seed &+ 500)
    for _ in 0..<200 { try writing.transaction() }
    var random = SeededGenerator(seed)
    let exported = ExportedGraph(graph)
    let loaded = try exported.regrouped(&random).load(schema: MixedModel.schema)
    #expect(MixedModel(loaded.holdHead().contents) == writing.model, "seed \(seed)")
    loaded.checkInvariants()
    #expect(ExportedGraph(loaded) == exported, "seed \(seed)")
  }

  /// Chunks whose mixed values cannot be right are refused, never trapped on.
  @Test(arguments: [
    ([[99]] as [[UInt8]], "form"), ([[]], "without bytes"), ([[2, 0, 0]], "form"),
    ([[11, 9, 0, 0, 0, 0]], "unknown table"),
    ([[11, 2, 0, 0, 0, 7]], "not there"), ([[12, 3]], "not there"), ([[13, 0]], "unknown table"),
    ([[12, 0], [12, 0]], "several owners"),
  ])
  func wrongChunksAreRefused(_ values: [[UInt8]], _ message: String) throws {
    let loader = GraphLoader(schema: MixedModel.schema, seed: HashSeed(1, 2), poisonsFreedBlocks: true)
    let count = values.count
    let strings = ByteStrings(lengths: values.map { UInt32($0.count) }, bytes: values.flatMap { $0 })
    do {
      try loader.addGroup(MixedModel.lists, keys: [0], columns: [nil])
      try loader.addGroup(
        MixedModel.things, keys: (0..<count).map { UInt64($0) },
        columns: [ColumnChunk(rowCount: count, values: .bytes(strings)), nil])
      try loader.finish(version: 1)
      Issue.record("\(values) was loaded")
    } catch let error as LoadError {
      #expect(error.message.contains(message), "\(values)")
    }
  }

  @Test func predicatesCompareWithinKinds() throws {
    let graph = makeGraph()
    let stored: [Value] = [
      .null, .int(1), .double(1), .float(2), .bool(true), .string(Array("a".utf8)), .date(1), .double(.nan),
      .data([97]), .object(2, RowKey(0)),
    ]
    graph.enterGateBlocking()
    let writer = graph.begin()
    writer.insert(into: MixedModel.others) { _ in }
    for value in stored { writer.insert(into: MixedModel.things) { $0.setMixed(MixedModel.value, value) } }
    _ = try graph.commit()
    graph.gate.leave()
    let contents = graph.holdHead().contents
    func keys(_ comparison: Comparison, _ value: Value) -> [UInt64] {
      let predicate = Predicate.compare(ColumnPath(MixedModel.value), comparison, value)
      return CompiledPredicate(predicate, table: MixedModel.things, layout: graph.layout).keys(in: contents)
    }
    #expect(keys(.equal, .int(1)) == [1, 2])
    #expect(keys(.equal, .double(1)) == [1, 2])
    #expect(keys(.notEqual, .int(1)) == [0, 3, 4, 5, 6, 7, 8, 9])
    #expect(keys(.greater, .int(0)) == [1, 2, 3])
    #expect(keys(.greaterOrEqual, .float(2)) == [3])
    #expect(keys(.equal, .bool(true)) == [4])
    #expect(keys(.equal, .string(Array("a".utf8))) == [5])
    #expect(keys(.less, .string(Array("b".utf8))) == [5])
    #expect(keys(.lessOrEqual, .date(1)) == [6])
    #expect(keys(.equal, .data([97])) == [8])
    #expect(keys(.equal, .object(2, RowKey(0))) == [9])
    #expect(keys(.equal, .null) == [0])
    #expect(keys(.notEqual, .null) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(keys(.lessOrEqual, .null) == [0])
    #expect(keys(.less, .null) == [])
    #expect(keys(.equal, .double(.nan)) == [])
    #expect(keys(.notEqual, .double(.nan)) == Array(0...9))
    withExtendedLifetime(graph) {}
  }
}
