import FirnEngine

/// The values of one column of all groups' rows, as far as aggregates need them. Nulls and NaN are passed over.
///
/// Sums are exact, so that what is taken out leaves no trace: integers in 128 bits, the others as in ``ExactSum``.
final class GroupOperand {
  let path: ColumnPath
  let type: ColumnType
  /// Whether sums or averages are asked for.
  private let addsUp: Bool
  // By group; one of them, and none when nothing is added up.
  private var integers: [(sum: Int128, count: Int)] = []
  private var reals: [ExactSum] = []
  private var decimals: [ExactDecimalSum] = []
  /// When minima or maxima are asked for.
  private let extremes: (any Extremes)?

  init(_ path: ColumnPath, _ type: ColumnType, for aggregates: [Aggregate]) {
    self.path = path
    self.type = type
    addsUp = aggregates.contains { $0 == .sum || $0 == .average }
    guard aggregates.contains(where: { $0 == .min || $0 == .max }) else {
      extremes = nil
      return
    }
    extremes =
      switch type {
      case .decimal128: CodedExtremes<UInt128>.decimals()
      case .mixed: MixedExtremes()
      default: CodedExtremes<UInt64>(type)
      }
  }

  /// Makes room for groups without values.
  func grow(to groupCount: Int) {
    guard addsUp else { return }
    switch type {
    case .int: while integers.count < groupCount { integers.append((0, 0)) }
    case .decimal128, .mixed: while decimals.count < groupCount { decimals.append(ExactDecimalSum()) }
    default: while reals.count < groupCount { reals.append(ExactSum()) }
    }
  }

  func add(_ value: Value, to group: Int) {
    if value == .null || value.isNaN { return }
    extremes?.add(value, to: group)
    guard addsUp else { return }
    switch value {
    case .int(let number) where type == .int:
      integers[group].sum += Int128(number)
      integers[group].count += 1
    case .float(let number) where type == .float: reals[group].add(Double(number))
    case .double(let number) where type == .double: reals[group].add(number)
    default: if let number = value.decimal { decimals[group].add(number) }
    }
  }

  func remove(_ value: Value, from group: Int) {
    if value == .null || value.isNaN { return }
    extremes?.remove(value, from: group)
    guard addsUp else { return }
    switch value {
    case .int(let number) where type == .int:
      integers[group].sum -= Int128(number)
      integers[group].count -= 1
    case .float(let number) where type == .float: reals[group].remove(Double(number))
    case .double(let number) where type == .double: reals[group].remove(number)
    default: if let number = value.decimal { decimals[group].remove(number) }
    }
  }

  /// Null is the extreme or average of nothing.
  func result(_ aggregate: Aggregate, of group: Int) -> Value {
    switch (aggregate, type) {
    case (.min, _): return extremes?.least(of: group) ?? .null
    case (.max, _): return extremes?.greatest(of: group) ?? .null
    case (.sum, .int): return .int(Int64(truncatingIfNeeded: integers[group].sum))
    case (.sum, .decimal128), (.sum, .mixed): return .decimal128(decimals[group].sum.bits)
    case (.sum, .float): return .float(reals[group].floatSum)
    case (.sum, _): return .double(reals[group].sum)
    case (.average, .int):
      let (sum, count) = integers[group]
      return count == 0 ? .null : .double(BinaryRounding.double(sum, dividedBy: UInt64(count)))
    case (.average, .decimal128), (.average, .mixed):
      return decimals[group].average.map { .decimal128($0.bits) } ?? .null
    case (.average, _): return reals[group].average.map { .double($0) } ?? .null
    }
  }

  // MARK: Many rows at once

  /// Takes in the values of rows, whose groups are given in the same order.
  func build(_ rows: RowBatch, _ groups: [UInt32], groupCount: Int) {
    grow(to: groupCount)
    switch (type, extremes) {
    case (.int, let extremes as CodedExtremes<UInt64>?):
      build(rows, groups, groupCount, extremes) { leaf, slot in
        IntLeaf.value(leaf, slot)
      } add: { [addsUp] number, group, operand in
        guard addsUp else { return }
        operand.integers[group].sum += Int128(number)
        operand.integers[group].count += 1
      } code: {
        UInt64(bitPattern: $0) ^ 1 << 63
      }
    case (.float, let extremes as CodedExtremes<UInt64>?):
      buildReals(rows, groups, groupCount, extremes) { leaf, slot in
        Double(FixedLeaf.load(leaf, slot, as: Float.self))
      }
    case (.double, let extremes as CodedExtremes<UInt64>?), (.date, let extremes as CodedExtremes<UInt64>?):
      buildReals(rows, groups, groupCount, extremes) { leaf, slot in FixedLeaf.load(leaf, slot, as: Double.self) }
    default:
      var index = 0
      rows.forEach(path) { location, layout in
        if let location {
          add(rows.contents.value(path.column.index, at: location, in: layout), to: Int(groups[index]))
        }
        index &+= 1
      }
    }
  }

  @inline(__always)
  private func buildReals(
    _ rows: RowBatch, _ groups: [UInt32], _ groupCount: Int, _ extremes: CodedExtremes<UInt64>?,
    _ read: (UnsafeRawPointer, Int) -> Double
  ) {
    build(rows, groups, groupCount, extremes) { leaf, slot in
      let number = read(leaf, slot)
      return number.isNaN ? nil : number
    } add: { [addsUp] number, group, operand in
      if addsUp { operand.reals[group].add(number) }
    } code: {
      SortCode(.double($0)).rawValue
    }
  }

  @inline(__always)
  private func build<Number>(
    _ rows: RowBatch, _ groups: [UInt32], _ groupCount: Int, _ extremes: CodedExtremes<UInt64>?,
    _ read: (UnsafeRawPointer, Int) -> Number?, add: (Number, Int, GroupOperand) -> Void, code: (Number) -> UInt64
  ) {
    var codes: [UInt64] = []
    var codeGroups: [UInt32] = []
    if extremes != nil {
      codes.reserveCapacity(groups.count)
      codeGroups.reserveCapacity(groups.count)
    }
    var index = 0
    rows.forEach(path) { location, layout in
      defer { index &+= 1 }
      guard let location else { return }
      let column = layout.columns[path.column.index]
      if column.nullOffset != 0, Cluster.bit(location.cluster, Int(column.nullOffset), location.slot) { return }
      guard let number = read(Cluster.leaf(location.cluster, at: Int(column.offset)), location.slot) else { return }
      add(number, Int(groups[index]), self)
      if extremes != nil {
        codes.append(code(number))
        codeGroups.append(groups[index])
      }
    }
    extremes?.rebuild(codes, codeGroups, groupCount: groupCount)
  }
}
