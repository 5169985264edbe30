import FirnEngine
import TestSupport
import Testing

@Suite struct SortTests {
  @Test func sortingAgreesWithTheOrderOfValues() throws {
    for round in 0..<4 {
      let seed = UInt64.random(in: 0 ... .max)
      print("seed \(seed)")
      var random = QueryRandom(seed)
      let model = try QueryModel(rowCount: [20, 300, 1500, 2600][round], random: &random)
      for _ in 0..<60 {
        let sortKeys = (0..<(1 + random.below(3))).map { _ in
          SortKey(model.randomPath(&random), ascending: random.chance(50), nullsLast: random.chance(30))
        }
        var keys = model.keys.map(\.rawValue)
        if random.chance(50) { keys.shuffle(using: &random) }
        if random.chance(30) { keys = Array(keys.prefix(random.below(300))) }
        let expected = naive(keys, sortKeys, model)
        SortedKeys.sort(keys: &keys, by: sortKeys, table: model.table, contents: model.contents)
        #expect(keys == expected, "seed \(seed): \(sortKeys)")
      }
    }
  }

  private enum Place {
    case value(Value)
    case nullLink

    var isNull: Bool {
      switch self {
      case .nullLink, .value(.null): true
      case .value: false
      }
    }
  }

  private func naive(_ keys: [UInt64], _ sortKeys: [SortKey], _ model: QueryModel) -> [UInt64] {
    let rows = keys.map { key in sortKeys.map { place($0.path, RowKey(key), model) } }
    return keys.indices.sorted { a, b in
      for (index, sortKey) in sortKeys.enumerated() {
        if sortKey.nullsLast, rows[a][index].isNull || rows[b][index].isNull {
          if rows[a][index].isNull == rows[b][index].isNull { continue }
          return rows[b][index].isNull
        }
        let order = order(rows[a][index], rows[b][index])
        if order != 0 { return (order < 0) == sortKey.ascending }
      }
      return a < b
    }.map { keys[$0] }
  }

  private func place(_ path: ColumnPath, _ key: RowKey, _ model: QueryModel) -> Place {
    for count in path.links.indices {
      let prefix = ColumnPath(links: Array(path.links[..<count]), path.links[count])
      if model.value(prefix, key) == .null { return .nullLink }
    }
    return .value(model.value(path, key))
  }

  private func order(_ a: Place, _ b: Place) -> Int {
    switch (a, b) {
    case (.nullLink, .nullLink): 0
    case (.nullLink, _): 1
    case (_, .nullLink): -1
    case (.value(let a), .value(let b)): a.order(to: b)
    }
  }
}
