import TestSupport
import Testing

@testable import FirnEngine

@Suite struct CollectionPredicateTests {
  @Test(arguments: [0, 1, 40, 300, 700])
  func randomPredicatesAgreeWithTheRules(rowCount: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("conditions on collections, \(rowCount) rows: seed \(seed)")
    var random = QueryRandom(seed)
    let model = try CollectionModel(rowCount: max(1, rowCount), random: &random)
    if model.keys.isEmpty { return }
    for _ in 0..<(rowCount > 100 ? 60 : 400) {
      let predicate = model.predicate(&random)
      let compiled = CompiledPredicate(predicate, table: CollectionModel.table, layout: model.graph.layout)
      let expected = model.keys.filter { model.naive(predicate, $0) }.map(\.rawValue)
      let found = compiled.keys(in: model.contents)
      #expect(found == expected, "seed \(seed): \(predicate)")
      #expect(compiled.count(in: model.contents) == expected.count, "seed \(seed): \(predicate)")
      if found != expected { return }
    }
  }

  @Test func countingStopsWhenTheAnswerIsKnown() throws {
    var random = QueryRandom(5)
    let model = try CollectionModel(rowCount: 50, random: &random)
    let friends = CollectionPath(.column(CollectionModel.friends))
    // Whatever is asked of an element, the answer does not depend on it.
    let never = Predicate.count(friends, where: .compare(ColumnPath(CollectionModel.number), .equal, .int(1)), .less, 0)
    let always = Predicate.not(never)
    for key in model.keys {
      #expect(
        !CompiledPredicate(never, table: CollectionModel.table, layout: model.graph.layout).matches(
          key, in: model.contents))
      #expect(
        CompiledPredicate(always, table: CollectionModel.table, layout: model.graph.layout).matches(
          key, in: model.contents))
    }
  }

  @Test func everythingThatIsReadIsNamed() {
    let friends = CollectionPath(links: [CollectionModel.boss], .column(CollectionModel.friends))
    let predicate = Predicate.and([
      .any(
        friends, where: .compare(ColumnPath(links: [CollectionModel.boss], CollectionModel.number), .equal, .int(1))),
      .test(
        .elementCount(CollectionPath(.backlinks(origin: CollectionModel.table, CollectionModel.boss))),
        .compare(.equal, .int(2))),
      .any(CollectionPath(.keys(CollectionModel.prices)), where: .test(.element, .compare(.equal, Value("k")))),
    ])
    #expect(
      predicate.reads == [
        [.column(CollectionModel.boss), .column(CollectionModel.friends)],
        [
          .column(CollectionModel.boss), .column(CollectionModel.friends), .column(CollectionModel.boss),
          .column(CollectionModel.number),
        ],
        [.backlinks(origin: CollectionModel.table, CollectionModel.boss)], [.column(CollectionModel.prices)],
      ])
  }
}
