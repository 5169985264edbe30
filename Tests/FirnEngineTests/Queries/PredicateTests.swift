import TestSupport
import Testing

@testable import FirnEngine

extension CompiledPredicate {
  /// Whether an index alone answers the predicate.
  fileprivate var isAnsweredByIndex: Bool { accesses.first?.isComplete ?? false }
}

@Suite struct PredicateTests {
  @Test func randomPredicatesAgreeWithTheRules() throws {
    for round in 0..<6 {
      let seed = UInt64.random(in: 0 ... .max)
      print("seed \(seed)")
      var random = QueryRandom(seed)
      let model = try QueryModel(rowCount: [5, 300, 1500, 2600][round % 4], random: &random)
      for _ in 0..<250 { check(model.randomPredicate(&random), model, &random, seed) }
    }
  }

  private func check(_ predicate: Predicate, _ model: QueryModel, _ random: inout QueryRandom, _ seed: UInt64) {
    let contents = model.contents
    let compiled = CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
    let expected = model.keys.filter { model.naive(predicate, $0) }.map(\.rawValue)
    let found = compiled.keys(in: contents)
    if found != expected {
      let wrong = Set(found).symmetricDifference(expected).min()
      Issue.record(
        "seed \(seed): \(predicate) by \(compiled.accessPlan(in: contents)) finds \(found.count), not \(expected.count); row \(wrong ?? 0)"
      )
      return
    }
    #expect(compiled.count(in: contents) == expected.count, "seed \(seed): count of \(predicate)")
    let scan = PredicateScan(compiled, contents)
    var scanned: [UInt64] = []
    var clusters = ClusterCursor(contents.tableRoot(model.table))
    var mask = [UInt64](repeating: 0, count: 4)
    while let cluster = clusters.next() {
      scan.evaluate(cluster, into: &mask)
      for slot in 0..<256 where mask[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
        scanned.append(Cluster.key(cluster, slot).rawValue)
      }
    }
    #expect(scanned == expected, "seed \(seed): scan of \(predicate)")
    for key in model.keys where random.chance(5) {
      #expect(
        compiled.matches(key, in: contents) == model.naive(predicate, key), "seed \(seed): \(key) in \(predicate)")
    }
    let from = RowKey(random.next() % 3000)
    let later = expected.filter { $0 >= from.rawValue }
    #expect(compiled.firstMatch(in: contents, from: from)?.rawValue == later.first, "seed \(seed): \(predicate)")
    var visited: [UInt64] = []
    compiled.forEachMatch(in: contents, from: from) { visited.append($0.rawValue) }
    #expect(visited == later, "seed \(seed): from \(from) in \(predicate)")
    #expect(compiled.keys(in: contents, from: from, limit: 3) == Array(later.prefix(3)), "seed \(seed): \(predicate)")
  }

  @Test func indexedEqualityScansNoCluster() throws {
    var random = QueryRandom(1)
    let model = try QueryModel(rowCount: 2000, random: &random)
    let contents = model.contents
    let city = Predicate.compare(ColumnPath(ColumnID(11)), .equal, Value("abc"))
    let old = Predicate.compare(ColumnPath(ColumnID(1)), .greater, .int(50))
    var work = QueryWork()
    let count = compile(city, model).count(in: contents, work: &work)
    #expect(count == model.keys.filter { model.naive(city, $0) }.count)
    #expect(work.scannedClusters == 0 && work.lookups == 1 && work.testedRows == 0)

    work = QueryWork()
    _ = compile(.and([old, city]), model).keys(in: contents, work: &work)
    #expect(work.scannedClusters == 0 && work.testedRows == count)

    work = QueryWork()
    let id = Predicate.compare(ColumnPath(ColumnID(0)), .equal, .int(Int64(model.keys[3].rawValue) * 3))
    #expect(compile(.and([old, city, id]), model).keys(in: contents, work: &work).count <= 1)
    #expect(work.testedRows <= 1)

    work = QueryWork()
    _ = compile(old, model).count(in: contents, work: &work)
    #expect(work.scannedClusters > 0)
    let byCity = compile(city, model).accessPlan(in: contents)
    #expect(byCity.uses == [AccessPlan.Use(kind: .hash, name: "city")] && byCity.filter == [])
    #expect(compile(id, model).accessPlan(in: contents).uses == [AccessPlan.Use(kind: .primaryKey, name: "id")])
    let byScan = compile(old, model).accessPlan(in: contents)
    #expect(byScan == AccessPlan(kind: .scan, candidateCount: model.keys.count, filter: ["age"]))
    #expect(compile(.and([old, city]), model).accessPlan(in: contents).filter == ["age", "city"])
    #expect(compile(.or([id, city]), model).isAnsweredByIndex)
    #expect(compile(.isIn(ColumnPath(ColumnID(11)), [Value("a"), Value("b")]), model).isAnsweredByIndex)
    #expect(compile(.and([]), model).constantResult == true)
    #expect(compile(.compare(ColumnPath(ColumnID(1)), .equal, .double(2.5)), model).constantResult == false)
  }

  private func compile(_ predicate: Predicate, _ model: QueryModel) -> CompiledPredicate {
    CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
  }

  @Test(arguments: [
    ("Äpfel", "apfel", true), ("Ắ", "a", true), ("ΐ", "ι", true), ("Й", "и", true), ("ß", "ss", false),
    ("Å", "a", true), ("ø", "o", false), ("K", "k", true), ("ǅ", "ǆ", true), ("각", "각", true), ("ΣΑΣ", "σας", true),
  ])
  func foldedEquality(_ text: String, _ pattern: String, _ expected: Bool) throws {
    let graph = Graph(
      schema: [TableDescription(name: "T", columns: [ColumnDescription(name: "s", type: .string)])],
      seed: HashSeed(1, 2))
    while !graph.gate.tryEnter() {}
    let writer = graph.begin()
    var text = text
    writer.insert(into: TableID(0)) { row in text.withUTF8 { row.setBytes(ColumnID(0), UnsafeRawBufferPointer($0)) } }
    _ = try graph.commit()
    graph.gate.leave()
    let predicate = CompiledPredicate(
      .text(ColumnPath(ColumnID(0)), .equal, Array(pattern.utf8), [.caseInsensitive, .diacriticInsensitive]),
      table: TableID(0), layout: graph.layout)
    #expect(predicate.count(in: graph.holdHead().contents) == (expected ? 1 : 0))
  }

  /// A row that fulfils several of the conditions, each of which an index answers, is found once.
  @Test func alternativesOfSeveralIndexesFindARowOnce() throws {
    var random = QueryRandom(11)
    let model = try QueryModel(rowCount: 300, random: &random)
    let contents = model.contents
    let indexed = QueryModel.columns.indices.filter {
      QueryModel.columns[$0].isIndexed || QueryModel.columns[$0].isPrimaryKey
    }
    for key in model.keys.prefix(40) {
      let conditions = indexed.map { column in
        Predicate.compare(
          ColumnPath(ColumnID(column)), .equal, contents.value(ColumnID(column), of: key, in: model.table))
      }
      for left in conditions {
        for right in conditions where left != right {
          let both = compile(.or([left, right]), model)
          let single = Set([left, right].flatMap { compile($0, model).keys(in: contents) })
          #expect(both.keys(in: contents) == single.sorted(), "\(left) or \(right)")
          #expect(both.count(in: contents) == single.count, "\(left) or \(right)")
        }
      }
    }
  }
}
