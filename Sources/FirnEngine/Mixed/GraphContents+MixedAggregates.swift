extension GraphContents {
  /// An aggregate over a mixed column: extremes in the order of values, nulls and NaNs passed over; sums and averages over
  /// the numbers alone, as decimals.
  func aggregateMixed(
    _ aggregate: Aggregate, of column: ColumnID, in table: TableID, over selection: Selection
  ) -> Value {
    var state = MixedAggregate(aggregate)
    switch selection {
    case .all: forEachKey(in: table) { state.add(value(column, of: $0, in: table)) }
    case .matching(let predicate):
      for key in predicate.keys(in: self) { state.add(value(column, of: RowKey(key), in: table)) }
    case .keys(let keys): for key in keys { state.add(value(column, of: RowKey(key), in: table)) }
    }
    return state.result
  }
}

/// What mixed values come to.
package struct MixedAggregate {
  private let aggregate: Aggregate
  private var extreme = Value.null
  private var sum = DecimalFloat(Int64(0))
  private var count: Int64 = 0

  package init(_ aggregate: Aggregate) { self.aggregate = aggregate }

  package mutating func add(_ value: Value) {
    if value == .null || value.isNaN { return }
    switch aggregate {
    case .min: if extreme == .null || value.order(to: extreme) < 0 { extreme = value }
    case .max: if extreme == .null || value.order(to: extreme) > 0 { extreme = value }
    case .sum, .average:
      guard let number = value.decimal else { return }
      sum = sum + number
      count += 1
    }
  }

  /// Null is the extreme or average of nothing.
  package var result: Value {
    switch aggregate {
    case .min, .max: extreme
    case .sum: .decimal128(sum.bits)
    case .average: count == 0 ? .null : .decimal128((sum / DecimalFloat(count)).bits)
    }
  }
}

extension Value {
  /// A number as a decimal; nil for what is none.
  package var decimal: DecimalFloat? {
    switch self {
    case .int(let value): DecimalFloat(value)
    case .float(let value): DecimalFloat(Double(value))
    case .double(let value): DecimalFloat(value)
    case .decimal128(let bits): DecimalFloat(bits)
    default: nil
    }
  }
}
