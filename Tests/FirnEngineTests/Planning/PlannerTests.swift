import TestSupport
import Testing

@testable import FirnEngine

/// Queries that ordered indexes serve agree with the rules and with sorting, and cost no more than a scan.
@Suite struct PlannerTests {
  private static let rowCounts = [0, 1, 40, 300, 1500, 2600]

  /// Some paths that conditions, sorts and indexes meet on.
  private static func paths(_ random: inout QueryRandom) -> [ColumnPath] {
    (0..<4).map { _ in QueryModel.randomPath(&random) }
  }

  private static func indexes(over paths: [ColumnPath], _ random: inout QueryRandom) -> [[ColumnPath]] {
    (0..<3).map { _ in
      var paths = paths
      paths.shuffle(using: &random)
      return Array(paths.prefix(1 + random.below(3)))
    }
  }

  @Test(arguments: 0..<12)
  func randomConditionsAgreeWithTheRules(round: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = QueryRandom(seed)
    let paths = Self.paths(&random)
    let model = try QueryModel(
      rowCount: Self.rowCounts[round % 6], indexes: Self.indexes(over: paths, &random), random: &random)
    let contents = model.contents
    for _ in 0..<120 {
      let predicate = model.randomPredicate(&random, on: paths)
      let compiled = CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
      let expected = model.keys.filter { model.naive(predicate, $0) }.map(\.rawValue)
      let plan = compiled.accessPlan(in: contents)
      #expect(compiled.keys(in: contents) == expected, "seed \(seed): \(predicate) by \(plan)")
      #expect(compiled.count(in: contents) == expected.count, "seed \(seed): count of \(predicate) by \(plan)")
      #expect(compiled.keys(in: contents, limit: 2) == Array(expected.prefix(2)), "seed \(seed): \(predicate)")
      #expect(compiled.firstMatch(in: contents)?.rawValue == expected.first, "seed \(seed): \(predicate)")
      let from = RowKey(random.next() % 3000)
      let later = expected.first { $0 >= from.rawValue }
      #expect(compiled.firstMatch(in: contents, from: from)?.rawValue == later, "seed \(seed): \(from), \(predicate)")
      // Every way in by itself: what the costs choose would leave most untried.
      for access in compiled.accesses {
        guard let found = IndexCandidates(access, contents, model.table, rowCount: .max) else { continue }
        let keys = found.keys(in: contents, model.table) { _ in true }
        if access.isComplete {
          #expect(keys == expected, "seed \(seed): \(predicate) by \(access)")
          if access.isDisjoint { #expect(found.count == expected.count, "seed \(seed): \(predicate) by \(access)") }
        } else {
          let missing = Set(expected).subtracting(keys)
          #expect(missing.isEmpty, "seed \(seed): \(predicate) by \(access)")
        }
      }
    }
  }

  @Test(arguments: 0..<12)
  func ordersAgreeWithSorting(round: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = QueryRandom(seed)
    let paths = Self.paths(&random)
    let indexes = Self.indexes(over: paths, &random)
    let model = try QueryModel(rowCount: Self.rowCounts[round % 6], indexes: indexes, random: &random)
    let contents = model.contents
    var servedCount = 0
    for _ in 0..<120 {
      // Mostly the paths of an index, behind equalities with its first ones.
      let index = random.pick(indexes)
      let fixedCount = random.below(index.count + 1)
      var parts = index[..<fixedCount].map { path in
        Predicate.compare(path, .equal, model.randomConstant(for: model.column(at: path), &random))
      }
      if random.chance(40) { parts.append(model.randomPredicate(&random, on: paths)) }
      let predicate = Predicate.and(parts)
      let ascending = random.chance(50)
      var sort = index[fixedCount...].map { path in
        SortKey(path, ascending: random.chance(4) ? !ascending : ascending, nullsLast: random.chance(4))
      }
      if random.chance(8) { sort.append(SortKey(model.randomPath(&random), ascending: ascending)) }
      if random.chance(8), let last = sort.last { sort.append(last) }
      if sort.isEmpty { sort = [SortKey(index[0], ascending: ascending)] }
      let compiled =
        parts.isEmpty
        ? nil : CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
      let plan = RowPlan(compiled, sort: sort, table: model.table, layout: model.graph.layout)
      var expected = model.keys.filter { model.naive(predicate, $0) }.map(\.rawValue)
      SortedKeys.sort(keys: &expected, by: sort, table: model.table, contents: contents)
      if let keys = plan.sortedKeys(in: contents, 0..<Int.max) {
        servedCount += 1
        #expect(keys == expected, "seed \(seed): \(predicate) by \(sort)")
      }
      let window = random.below(8)..<8 + random.below(8)
      if let keys = plan.sortedKeys(in: contents, window) {
        let window = Array(expected[window.clamped(to: 0..<expected.count)])
        #expect(keys == window, "seed \(seed): \(predicate) by \(sort)")
      }
      if let rows = plan.sortedRows(in: contents), rows.isComplete {
        #expect(rows.count == expected.count, "seed \(seed): \(predicate) by \(sort)")
        for position in expected.indices where position < 3 || random.chance(3) {
          #expect(
            rows.key(at: position).rawValue == expected[position], "seed \(seed): \(position), \(predicate) by \(sort)")
          let rest = rows.keys(in: position..<position + 5)
          #expect(
            rest == Array(expected[position...].prefix(5)), "seed \(seed): from \(position), \(predicate) by \(sort)")
        }
      }
      checkDistinct(plan, index[fixedCount...].shuffled(using: &random), expected, contents, seed)
      if let compiled { checkExtremes(paths, .matching(compiled), expected, contents, seed) }
      checkExtremes(paths, .all, model.keys.map(\.rawValue), contents, seed)
    }
    #expect(servedCount > 8, "seed \(seed): indexes served \(servedCount) orders")
  }

  private func checkDistinct(
    _ plan: RowPlan, _ paths: [ColumnPath], _ sorted: [UInt64], _ contents: GraphContents, _ seed: UInt64
  ) {
    guard !paths.isEmpty, let found = plan.distinctKeys(in: contents, by: paths) else { return }
    var expected = sorted
    DistinctKeys.removeRepeats(from: &expected, by: paths, table: TableID(0), contents: contents)
    #expect(found == expected, "seed \(seed): distinct by \(paths)")
  }

  private func checkExtremes(
    _ paths: [ColumnPath], _ selection: Selection, _ keys: [UInt64], _ contents: GraphContents, _ seed: UInt64
  ) {
    for path in paths where path.links.isEmpty {
      for aggregate in [Aggregate.min, .max] {
        guard let found = contents.indexedExtreme(aggregate, of: path.column, in: TableID(0), selection) else {
          continue
        }
        let expected = contents.aggregate(aggregate, of: path.column, in: TableID(0), over: .keys(keys))
        #expect(found == expected, "seed \(seed): \(aggregate) of \(path), \(selection)")
      }
    }
  }

  /// Indexes never make a query dearer by more than a few look-ups and a few hundred rows.
  @Test(arguments: 0..<6)
  func indexesCostNoMoreThanScans(round: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = QueryRandom(seed)
    let paths = Self.paths(&random)
    let indexes = Self.indexes(over: paths, &random)
    var copy = random
    let indexed = try QueryModel(rowCount: Self.rowCounts[round], indexes: indexes, random: &random)
    let plain = try QueryModel(rowCount: Self.rowCounts[round], random: &copy)
    var (withIndexes, without) = (QueryWork(), QueryWork())
    for _ in 0..<100 {
      let predicate = indexed.randomPredicate(&random, on: paths)
      for limit in [0, 1, 10, Int.max] {
        (withIndexes, without) = (QueryWork(), QueryWork())
        run(predicate, indexed, limit, &withIndexes)
        run(predicate, plain, limit, &without)
        let bound = without.rows + max(256, indexed.keys.count / 16) * 2 + 64
        #expect(withIndexes.rows <= bound, "seed \(seed): \(predicate), \(limit): \(withIndexes), \(without)")
        #expect(withIndexes.lookups <= without.lookups + 64 + indexed.keys.count / 64, "seed \(seed): \(predicate)")
      }
    }
  }

  private func run(_ predicate: Predicate, _ model: QueryModel, _ limit: Int, _ work: inout QueryWork) {
    let compiled = CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
    if limit == 0 {
      _ = compiled.count(in: model.contents, work: &work)
    } else {
      _ = compiled.keys(in: model.contents, limit: limit, work: &work)
    }
  }
}

extension QueryWork {
  /// How many rows were looked at.
  fileprivate var rows: Int { scannedClusters * 256 + testedRows + foundRows }
}
