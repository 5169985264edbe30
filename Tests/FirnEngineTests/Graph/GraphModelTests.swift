import FirnEngine
import Glibc
import TestSupport
import Testing

@Suite struct GraphModelTests {
  /// Random transactions against a naive model; every version held is compared again when it is let go.
  @Test(arguments: seeds)
  func behavesLikeDictionaries(seed: UInt64) throws {
    print("Graph seed \(seed)")
    let graph = Graph(
      schema: GraphModelSchema.tables, seed: HashSeed(seed, ~seed), poisonsFreedBlocks: true)
    let emptyBlockCount = graph.allocatedBlockCount
    var run = GraphModelRun(graph: graph, seed: seed, traces: getenv("FIRN_TRACE") != nil)
    do {
      try behave(&run)
      try run.empty()
    } catch let failure as GraphModelFailure {
      Issue.record("seed \(seed): \(failure.description)\n\(run.history.joined(separator: "\n"))")
    }
    // Each table may keep its last cluster, to which rows were appended, with its leaves and the way to it.
    let most = graph.layout.tables.reduce(0) { $0 + $1.columnCount + 3 }
    let kept = graph.allocatedBlockCount - emptyBlockCount
    #expect(kept <= most, "seed \(seed): \(kept) blocks are left, \(most) would be fine")
    graph.checkInvariants()
  }

  /// FIRN_SEED runs one seed, FIRN_TRACE prints its operations.
  private static let seeds: [UInt64] =
    environmentNumber("FIRN_SEED").map { [$0] } ?? Array(1...3)

  private struct Held {
    let version: Version
    let model: GraphModel
    let follower: ChangeFollower?
  }

  private func behave(_ run: inout GraphModelRun) throws {
    var held: [Held] = []
    for step in 0..<40 {
      let old = Held(version: run.graph.holdHead(), model: run.model, follower: nil)
      let isFollowed = run.random.chance(50)
      let follower = isFollowed ? run.graph.followChanges(from: old.version.number) : nil
      let writer = run.enter()
      run.note("begin \(step)")
      for _ in 0..<(1 + run.random.below(run.random.chance(20) ? 60 : 12)) { try run.operate(writer) }
      if run.random.chance(15) {
        run.note("cancel")
        run.graph.cancel()
        run.graph.gate.leave()
        run.model = old.model
        try agree(run.graph.head == old.version.number, "a cancelled transaction is visible")
        continue
      }
      run.note("commit")
      let commit = try run.graph.commit()
      run.graph.gate.leave()
      try agree(run.graph.head == commit.version.number && !commit.isPending, "a commit is not visible")
      let version = run.graph.holdHead()
      version.contents.checkInvariants()
      try run.model.check(version.contents, random: &run.random)
      if isFollowed { try run.checkChanges(run.graph.changes(from: old.version, to: version), from: old.model) }
      try run.model.checkComparison(ChangeSet(from: old.version.contents, to: version.contents), from: old.model)
      withExtendedLifetime(follower) {}

      if run.random.chance(30) { held.append(Held(version: version, model: run.model, follower: follower)) }
      if !held.isEmpty {
        let one = held[run.random.below(held.count)]
        let changes = ChangeSet(from: one.version.contents, to: version.contents)
        try run.model.checkComparison(changes, from: one.model)
        if one.follower != nil {
          // Merged changes tell writes; what values differ must be among them.
          try run.checkMerged(run.graph.changes(from: one.version, to: version), compared: changes)
        }
        // And backwards, as after a reversal.
        try one.model.checkComparison(ChangeSet(from: version.contents, to: one.version.contents), from: run.model)
      }
      if held.count > 6 || run.random.chance(20), !held.isEmpty {
        let gone = held.remove(at: run.random.below(held.count))
        try gone.model.check(gone.version.contents, random: &run.random)
        gone.version.contents.checkInvariants()
      }
    }
    for one in held { try one.model.check(one.version.contents, random: &run.random) }
  }
}

extension GraphModelRun {
  mutating func enter() -> Writer {
    graph.enterGateBlocking()
    startTransaction()
    return graph.begin()
  }

  /// Deletes everything and lets the graph free what it can.
  mutating func empty() throws {
    let writer = enter()
    for table in model.tables.indices { delete(writer, model.keys(TableID(table)), TableID(table)) }
    _ = try graph.commit()
    graph.gate.leave()
    let version = graph.holdHead()
    version.contents.checkInvariants()
    try model.check(version.contents, random: &random)
  }

  /// Throws unless merged changes name everything that differs.
  func checkMerged(_ merged: ChangeSet, compared: ChangeSet) throws {
    for (one, other) in zip(merged.tables, compared.tables) {
      try agree(one.inserted == other.inserted, "merged: inserted")
      try agree(one.deleted == other.deleted, "merged: deleted")
      var columns: [RowKey: ColumnSet] = [:]
      for row in one.modified { columns[row.key] = row.columns }
      for row in other.modified {
        for column in (0..<ColumnSet.capacity).map({ ColumnID($0) }) where row.columns.contains(column) {
          let isNamed = columns[row.key]?.contains(column) ?? false
          try agree(
            isNamed || other.lists[ListID(row: row.key, column: column)] != nil, "merged: \(row.key) \(column)")
        }
      }
      for (list, delta) in other.lists {
        if let mine = one.lists[list] {
          try agree(mine.oldCount == delta.oldCount && mine.newCount == delta.newCount, "merged: delta of \(list)")
        }
      }
    }
  }
}
