import FirnEngine
import TestSupport
import Testing

@Suite struct AggregateTests {
  @Test func aggregatesAgreeWithTheRules() throws {
    for round in 0..<3 {
      let seed = UInt64.random(in: 0 ... .max)
      print("seed \(seed)")
      var random = QueryRandom(seed)
      let model = try QueryModel(rowCount: [30, 700, 2600][round], random: &random)
      for index in QueryModel.columns.indices {
        for aggregate in [Aggregate.min, .max, .sum, .average] {
          check(aggregate, ColumnID(index), .all, model.keys, model, seed)
          let predicate = model.randomPredicate(&random)
          let compiled = CompiledPredicate(predicate, table: model.table, layout: model.graph.layout)
          let matching = model.keys.filter { model.naive(predicate, $0) }
          check(aggregate, ColumnID(index), .matching(compiled), matching, model, seed)
          let keys = (0..<(model.keys.isEmpty ? 0 : 40)).map { _ in random.pick(model.keys) }
          check(aggregate, ColumnID(index), .keys(keys.map(\.rawValue)), keys, model, seed)
        }
      }
    }
  }

  private func check(
    _ aggregate: Aggregate, _ column: ColumnID, _ selection: Selection, _ keys: [RowKey], _ model: QueryModel,
    _ seed: UInt64
  ) {
    let found = model.contents.aggregate(aggregate, of: column, in: model.table, over: selection)
    let expected = naive(aggregate, column, keys, model)
    let description = "seed \(seed): \(aggregate) of \(QueryModel.columns[column.index].name)"
    guard case .double(let a)? = found, case .double(let b)? = expected, aggregate != .min, aggregate != .max else {
      // Signed zeros are equal, whichever comes first.
      let areSame = found == expected || (found != nil && expected != nil && found!.order(to: expected!) == 0)
      #expect(areSame, "\(description): \(String(describing: found)), not \(String(describing: expected))")
      return
    }
    #expect((a.isNaN && b.isNaN) || a == b || abs(a - b) <= 1e-9 * abs(b), "\(description): \(a), not \(b)")
  }

  private func naive(_ aggregate: Aggregate, _ column: ColumnID, _ keys: [RowKey], _ model: QueryModel) -> Value? {
    let type = QueryModel.columns[column.index].type
    let isExtreme = aggregate == .min || aggregate == .max
    guard [.int, .float, .double, .decimal128].contains(type) || (type == .date && isExtreme) else { return nil }
    let values = keys.map { model.value(ColumnPath(column), $0) }.filter { $0 != .null && !$0.isNaN }
    switch aggregate {
    case .min: return values.min { $0.order(to: $1) < 0 } ?? .null
    case .max: return values.max { $0.order(to: $1) < 0 } ?? .null
    case .sum, .average:
      if aggregate == .average, values.isEmpty { return .null }
      if type == .decimal128 {
        let sum = values.reduce(DecimalFloat.zero) { sum, value in
          if case .decimal128(let bits) = value { sum + DecimalFloat(bits) } else { sum }
        }
        return .decimal128((aggregate == .sum ? sum : sum / DecimalFloat(Int64(values.count))).bits)
      }
      var int = Int128(0)
      var real = 0.0
      for value in values {
        switch value {
        case .int(let value): int += Int128(value)
        case .float(let value): real += Double(value)
        case .double(let value): real += value
        default: break
        }
      }
      if aggregate == .sum { return type == .int ? .int(Int64(truncatingIfNeeded: int)) : .double(real) }
      return .double((type == .int ? Double(int) : real) / Double(values.count))
    }
  }
}
