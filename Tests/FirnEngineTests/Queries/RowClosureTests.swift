import FirnEngine
import Testing

/// What planner and router know of conditions in code.
@Suite struct RowClosureTests {
  private let layout = GraphLayout(
    schema: [
      TableDescription(
        name: "T",
        columns: [
          ColumnDescription(name: "a", type: .int),
          ColumnDescription(name: "next", type: .link, target: TableID(0)),
        ])
    ], seed: HashSeed(1, 2))

  private func reads(_ paths: Set<[PathStep]>) -> CompiledPredicate {
    let closure = RowClosure(reads: paths) { _, _ in true }
    return CompiledPredicate(.and([.closure(closure), .constant(true)]), table: TableID(0), layout: layout)
  }

  @Test func backlinksAreKnownWhereverTheyStand() {
    let (column, link) = (PathStep.column(ColumnID(0)), PathStep.column(ColumnID(1)))
    let backlinks = PathStep.backlinks(origin: TableID(0), ColumnID(1))
    #expect(!reads([]).readsBacklinks)
    #expect(!reads([[column], [link, column]]).readsBacklinks)
    #expect(reads([[backlinks]]).readsBacklinks)
    #expect(reads([[column], [backlinks, column]]).readsBacklinks)
    #expect(reads([[column], [link, backlinks, column]]).readsBacklinks)
  }
}
