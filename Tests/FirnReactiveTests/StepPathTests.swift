import FirnEngine
import TestSupport
import Testing

@testable import FirnReactive

/// Paths along links and backlinks: rows find what was written as it finds them.
@Suite struct StepPathTests {
  private static let table = TableID(0)
  private static let schema = [
    TableDescription(
      name: "Node",
      columns: [
        ColumnDescription(name: "number", type: .int), ColumnDescription(name: "next", type: .link, target: table),
        ColumnDescription(name: "all", type: .link, collection: .list, target: table),
      ])
  ]

  private static func path(_ random: inout SeededRandom) -> [PathStep] {
    let links: [PathStep] = [
      .column(ColumnID(1)), .column(ColumnID(2)), .backlinks(origin: table, ColumnID(1)),
      .backlinks(origin: table, ColumnID(2)),
    ]
    let path = (0..<1 + random.below(3)).map { _ in links[random.below(4)] }
    return random.chance(50) ? path + [.column(ColumnID(0))] : path
  }

  private static func write(_ graph: TestGraph, _ random: inout SeededRandom) {
    let keys = graph.keys(0)
    let (key, other) = (keys[random.below(keys.count)], keys[random.below(keys.count)])
    switch random.below(6) {
    case 0: graph.set(0, key, 0, .int(Int64(random.below(1_000))))
    case 1, 2: graph.set(0, key, 1, random.chance(50) ? .null : .link(other))
    case 3: graph.write { $0.insert(.link(other), at: 0, of: ColumnID(2), of: key, in: table) }
    case 4: graph.insert(0, [.int(0), .link(other)])
    default: if keys.count > 12 { graph.delete(0, key) }
    }
  }

  @Test func bothWaysAlongAPathAgree() throws {
    var random = SeededRandom.printed("paths")
    var counts = [false: 0, true: 0]
    for _ in 0..<20 {
      let graph = TestGraph(schema: Self.schema)
      for _ in 0..<15 { graph.insert(0, [.int(0)]) }
      for _ in 0..<20 { Self.write(graph, &random) }
      _ = graph.commit()
      for _ in 0..<20 {
        let old = graph.contents
        for _ in 0..<1 + random.below(3) { Self.write(graph, &random) }
        let step = graph.step(graph.commit(), from: old)
        for _ in 0..<10 {
          let path = Self.path(&random)
          let reaching = try #require(step.rowsReaching(path, from: 0, following: .max))
          for key in graph.keys(0) {
            let isWritten = step.isWritten(path[...], from: key, in: 0)
            counts[isWritten, default: 0] += 1
            #expect(isWritten == reaching.contains(key), "row \(key) along \(path)")
          }
        }
      }
    }
    #expect(counts.values.allSatisfy { $0 > 1_000 })
  }
}
