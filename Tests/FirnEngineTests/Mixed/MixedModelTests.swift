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

  /// Constants are what is stored somewhere, and what differs from it in one place.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func nestedConditionsAgreeWithTheModel(seed: UInt64) throws {
    let graph = makeGraph()
    var writing = MixedWriting(graph, seed: seed &+ 900)
    for _ in 0..<40 { try writing.transaction() }
    let (version, model) = (graph.holdHead(), writing.model)
    let keys = model.rows.keys.sorted()
    var constants: [NestedConstant] = [.value(.null), .list([]), .list([.value(.null)]), .map([:])]
    for key in keys {
      let constant = model.constant(model.rows[key]!.value)
      constants.append(constant)
      if case .list(let elements) = constant {
        constants.append(.list(elements + [.value(.null)]))
        if !elements.isEmpty { constants.append(.list(elements.dropLast() + [.value(.bool(true))])) }
      }
    }
    for constant in Set(constants) {
      for comparison in [Comparison.equal, .notEqual] {
        let test = Predicate.test(.column(ColumnPath(MixedModel.value)), .nested(comparison, constant))
        let compiled = CompiledPredicate(test, table: MixedModel.things, layout: graph.layout)
        let expected = keys.filter {
          model.equals(model.rows[$0]!.value, constant) == (comparison == .equal)
        }
        #expect(compiled.keys(in: version.contents) == expected, "seed \(seed): \(comparison) \(constant)")
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func aggregatesAgreeWithTheModel(seed: UInt64) throws {
    let graph = makeGraph()
    var writing = MixedWriting(graph, seed: seed &+ 1_300)
    for _ in 0..<40 {
      try writing.transaction()
      let version = graph.holdHead()
      let keys = writing.model.rows.keys.sorted()
      let some = (0..<keys.count).map { _ in keys[writing.random.below(keys.count)] }
      for aggregate in [Aggregate.min, .max, .sum, .average] {
        for (selection, selected) in [(Selection.all, keys), (.keys(some), some)] {
          let found = version.contents.aggregate(
            aggregate, of: MixedModel.value, in: MixedModel.things, over: selection)
          let values = selected.map { writing.model.rows[$0]!.value }
          let expected = Self.naive(aggregate, values)
          #expect(found?.order(to: expected) == 0, "seed \(seed): \(aggregate) \(found as Any), not \(expected)")
        }
      }
    }
  }

  private static func naive(_ aggregate: Aggregate, _ values: [Value]) -> Value {
    let numbers = values.compactMap { value in value.isNaN ? nil : value.decimal }
    let sum = numbers.reduce(DecimalFloat.zero) { $0 + $1 }
    return switch aggregate {
    case .min: values.filter { $0 != .null && !$0.isNaN }.min { $0.order(to: $1) < 0 } ?? .null
    case .max: values.filter { $0 != .null && !$0.isNaN }.max { $0.order(to: $1) < 0 } ?? .null
    case .sum: .decimal128(sum.bits)
    case .average: numbers.isEmpty ? .null : .decimal128((sum / DecimalFloat(Int64(numbers.count))).bits)
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
