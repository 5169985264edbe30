import Foundation
import TestSupport
import Testing

@testable import Firn

/// Random conditions, orders and distinct values on random data agree with plain Swift: on live, frozen and
/// in-transaction states, as they are made and read back from their printed form.
@Suite struct RandomConditionTests {
  /// So many histories, each of some 100 cases; `FIRN_QUERY_HISTORIES` makes it more.
  private static let rounds =
    0..<(environmentNumber("FIRN_QUERY_HISTORIES") ?? 24)

  @Test(arguments: rounds)
  func agreeWithPlainSwift(round: Int) throws { try run(Thing.self, round) }

  @Test(arguments: rounds)
  func agreeWithOrderedIndexes(round: Int) throws { try run(IndexedThing.self, round) }

  private func run<T: AnyThing>(_ type: T.Type, _ round: Int) throws {
    try onOwnThread {
      var random = SeededRandom.printed("random conditions on \(type) \(round)")
      let store = try ThingStore<T>()
      let countMax = [0, 1, 8, 40, 120][round % 5]
      try store.realm.write { for _ in 0..<countMax { store.add(&random) } }
      for _ in 0..<4 {
        let queries = (0..<6).map { _ in RandomQuery(&random) }
        for query in queries { try check(query, store.things, store.world, "live") }
        let frozen = (store.things.freeze(), store.world)
        let live = queries.map { $0.results(store.things) }
        try store.realm.write {
          for _ in 0..<random.below(12) { store.write(&random, countMax: countMax) }
          for (query, results) in zip(queries, live) { compare(query, results, store.world, "in a transaction") }
          for _ in 0..<random.below(12) { store.write(&random, countMax: countMax) }
          for (query, results) in zip(queries, live) { compare(query, results, store.world, "later in it") }
        }
        for (query, results) in zip(queries, live) { compare(query, results, store.world, "after the commit") }
        for query in queries { try check(query, frozen.0, frozen.1, "frozen") }
        store.cancelling {
          for _ in 0..<random.below(20) { store.write(&random, countMax: countMax) }
          for (query, results) in zip(queries, live) { compare(query, results, store.world, "before a cancel") }
        }
        for (query, results) in zip(queries, live) { compare(query, results, store.world, "after the cancel") }
      }
    }
  }

  /// As it was made, and as it is read from its printed form.
  private func check<T: AnyThing>(_ query: RandomQuery, _ things: Results<T>, _ world: ThingWorld, _ state: String)
    throws
  {
    compare(query, query.results(things), world, state)
    compare(query, try query.parsed(things), world, "\(state), parsed")
    let matches = world.ids.filter { query.condition.holds(world.rows[$0]!, world) }
    let filtered = query.filtered(things)
    #expect(filtered.count == matches.count, "\(state): \(query)")
    #expect(filtered.first?.id == matches.first, "\(state): \(query)")
    #expect(filtered.last?.id == matches.last, "\(state): \(query)")
  }

  private func compare<T: AnyThing>(_ query: RandomQuery, _ results: Results<T>, _ world: ThingWorld, _ state: String) {
    let expected = query.expected(world)
    // Before all are read, and known.
    for position in [expected.count / 2, expected.count - 1, 0] where position >= 0 && position < expected.count {
      #expect(results[position].id == expected[position], "\(state): \(position) of \(query)")
    }
    #expect(results.first?.id == expected.first, "\(state): \(query)")
    #expect(results.last?.id == expected.last, "\(state): \(query)")
    for name in ["number", "rank"] {
      let values = expected.compactMap { name == "rank" ? world.rows[$0]!.rank : world.rows[$0]!.number }
      #expect(results.min(ofProperty: name) == values.min(), "\(state): least \(name) of \(query)")
      #expect(results.max(ofProperty: name) == values.max(), "\(state): greatest \(name) of \(query)")
    }
    let found = Array(results.map(\.id))
    #expect(found == expected, "\(state): \(query)")
    #expect(results.count == expected.count, "\(state): \(query)")
  }
}
