import FirnEngine
import Testing

@testable import FirnReactive

/// Filters of all choices of a few paths, against sets and lists.
@Suite struct KeyPathFilterTests {
  private static let paths: [[PathStep]] = [
    [.column(ColumnID(0))], [.column(ColumnID(200))], [.column(ColumnID(0)), .column(ColumnID(1))],
    [.column(ColumnID(2)), .column(ColumnID(1))],
  ]

  private struct Model: Equatable {
    /// Nil for all columns.
    var columns: Set<Int>?
    var paths: [[PathStep]]
  }

  private static let all: [(filter: KeyPathFilter, model: Model)] = {
    let graph = Graph(schema: [TableDescription(name: "Row", columns: [])], seed: HashSeed(1, 2))
    let everything = KeyPathFilter(everythingIn: 0, graph.layout, followsLinks: false)
    return [(everything, Model(columns: nil, paths: []))]
      + (0..<16).map { choice in
        let chosen = paths.indices.filter { choice >> $0 & 1 == 1 }.map { paths[$0] }
        let columns = chosen.map { [0, 200, 0, 2][paths.firstIndex(of: $0) ?? 0] }
        return (KeyPathFilter(paths: chosen), Model(columns: Set(columns), paths: chosen.filter { $0.count > 1 }))
      }
  }()

  private func model(_ filter: KeyPathFilter) -> Model {
    let columns = filter.columns.map { columns in Set((0..<256).filter { columns.contains(ColumnID($0)) }) }
    return Model(columns: columns, paths: filter.paths)
  }

  @Test func filtersAreEqualWhenTheSameCounts() {
    for (one, first) in Self.all {
      #expect(model(one) == first)
      for (other, second) in Self.all {
        #expect((one == other) == (first == second), "\(first), \(second)")
        if first == second { #expect(one.hashValue == other.hashValue) }
      }
    }
  }

  @Test func inAUnionCountsWhatCountsForEither() {
    for (one, first) in Self.all {
      for (other, second) in Self.all {
        var union = one
        union.formUnion(other)
        let columns = first.columns.flatMap { columns in second.columns.map { columns.union($0) } }
        let paths = first.paths + second.paths.filter { !first.paths.contains($0) }
        #expect(model(union) == Model(columns: columns, paths: paths), "\(first), \(second)")
      }
    }
  }
}
