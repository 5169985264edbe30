/// What values of one type come to, one after the other; by the rules of aggregates over a column.
struct ElementAggregate {
  private let aggregate: Aggregate
  private let type: ColumnType
  private var count = 0
  private var sum: Int64 = 0
  private var exactSum: Int128 = 0
  private var realSum = 0.0
  private var others: MixedAggregate

  init(_ aggregate: Aggregate, _ type: ColumnType) {
    self.aggregate = aggregate
    self.type = type
    others = MixedAggregate(aggregate)
  }

  mutating func add(_ value: Value) {
    if value == .null || value.isNaN { return }
    if aggregate == .min || aggregate == .max { return others.add(value) }
    switch value {
    case .int(let int) where type == .int:
      count += 1
      sum &+= int
      exactSum += Int128(int)
    case .float(let float) where type == .float:
      count += 1
      realSum += Double(float)
    case .double(let double) where type == .double:
      count += 1
      realSum += double
    default: others.add(value)
    }
  }

  var result: Value {
    switch (aggregate, type) {
    case (.min, _), (.max, _): others.result
    case (.sum, .int): .int(sum)
    case (.sum, .float), (.sum, .double): .double(realSum)
    case (.average, .int): count == 0 ? .null : .double(Double(exactSum) / Double(count))
    case (.average, .float), (.average, .double): count == 0 ? .null : .double(realSum / Double(count))
    default: others.result
    }
  }
}

extension Aggregate {
  /// What an aggregate of values of a type is.
  func resultType(of type: ColumnType) -> ColumnType {
    switch self {
    case .min, .max: type
    case .sum: type == .float ? .double : (type == .mixed ? .decimal128 : type)
    case .average: type == .mixed || type == .decimal128 ? .decimal128 : .double
    }
  }
}
