// What conditions say about one path of an ordered index.
extension OrderedIntervals {
  /// The values of a path that may fulfil a condition; nil when it says nothing about them.
  static func of(_ draft: ConditionDraft, _ path: ResolvedPath, _ constants: PlanConstants) -> OrderedIntervals? {
    switch draft {
    case .test(let test, let equalTo):
      return test.route.isSame(as: path) ? of(test, equalTo, constants) : nil
    case .check(_, _, let route, let equalTo):
      guard let route, route.isSame(as: path), !equalTo.isEmpty else { return nil }
      return points(equalTo, path.column.type, constants)
    case .all(let parts):
      // A part that says nothing leaves what the others say, but not as all that there is to fulfil.
      let nothing = OrderedIntervals(everything(path.column.type).intervals, isExact: false, path.column.type)
      return intersection(of: parts.map { of($0, path, constants) ?? nothing })
    case .any(let parts):
      var found: [OrderedIntervals] = []
      for part in parts {
        guard let next = of(part, path, constants) else { return nil }
        found.append(next)
      }
      return union(of: found)
    case .not(let inner): return of(inner, path, constants)?.complement
    case .within(let place, let region): return place.cellPath.isSame(as: path) ? cells(region, path) : nil
    case .constant, .columns: return nil
    }
  }

  /// The cells of places that may lie in a region.
  private static func cells(_ region: SphereRegion, _ path: ResolvedPath) -> OrderedIntervals {
    let cells = region.covering(most: 128)
    let intervals = cells.map {
      Interval(
        lower: .before(OrderedValue(cell: $0.lower)), upper: .after(OrderedValue(cell: $0.upper)),
        isExact: $0.isInside)
    }
    return OrderedIntervals(intervals, isExact: cells.allSatisfy(\.isInside), path.column.type)
  }

  /// Beyond so many values they are not looked up one by one.
  static let pointMax = 4096

  private static func points(_ values: [Value], _ type: ColumnType, _ constants: PlanConstants) -> OrderedIntervals? {
    if values.count > pointMax { return nil }
    let points = values.map { value in
      let value = OrderedValue(value, type, constants.memory)
      return Interval(lower: .before(value), upper: .after(value))
    }
    return OrderedIntervals(points, isExact: true, type)
  }

  /// The values that pass a test of their column.
  private static func of(_ test: ColumnTest, _ equalTo: [Value], _ constants: PlanConstants) -> OrderedIntervals? {
    let column = test.route.column
    guard let hits = hits(test, equalTo, constants) else { return nil }
    // Tests of values fail on NaN; nulls and null links have a result of their own.
    let isReal = column.type == .float || column.type == .double || column.type == .date
    let bottom = OrderedCut.after(OrderedValue(isReal ? .notANumber : .null))
    let top = OrderedCut.before(OrderedValue(.missing))
    let values = OrderedIntervals([Interval(lower: bottom, upper: top)], isExact: true, column.type)
    var passing = values.intersection(hits)
    if test.isNegated {
      guard let others = hits.complement else { return nil }
      passing = values.intersection(others)
      let nan = OrderedCut.before(OrderedValue(.notANumber))
      if isReal {
        passing = passing.union(OrderedIntervals([Interval(lower: nan, upper: bottom)], isExact: true, column.type))
      }
    }
    guard test.matchesNull else { return passing }
    var nulls: [Interval] = []
    if column.isNullable || column.storage == .link {
      nulls.append(Interval(lower: .lowest, upper: .after(OrderedValue(.null))))
    }
    if !test.route.isDirect { nulls.append(Interval(lower: top, upper: .highest)) }
    return passing.union(OrderedIntervals(nulls, isExact: true, column.type))
  }

  /// The values that a test hits, before negation.
  private static func hits(_ test: ColumnTest, _ equalTo: [Value], _ constants: PlanConstants) -> OrderedIntervals? {
    let type = test.route.column.type
    func range(_ lower: OrderedCut, _ upper: OrderedCut, isExact: Bool = true) -> OrderedIntervals {
      OrderedIntervals([Interval(lower: lower, upper: upper)], isExact: isExact, type)
    }
    func range(_ comparison: Comparison, _ value: OrderedValue, isExact: Bool = true) -> OrderedIntervals? {
      switch comparison {
      case .equal: range(.before(value), .after(value), isExact: isExact)
      case .less: range(.lowest, .before(value), isExact: isExact)
      case .lessOrEqual: range(.lowest, .after(value), isExact: isExact)
      case .greater: range(.after(value), .highest, isExact: isExact)
      case .greaterOrEqual: range(.before(value), .highest, isExact: isExact)
      case .notEqual: nil
      }
    }
    switch test.kind {
    case .nothing: return OrderedIntervals([], isExact: true, type)
    case .intRange: return range(.before(OrderedValue(test.low)), .after(OrderedValue(test.high)))
    case .bool: return range(.equal, OrderedValue(number: 1))
    case .double: return range(test.operation.comparison, OrderedValue(test.double))
    case .float: return range(test.operation.comparison, OrderedValue(Double(test.float)))
    case .fixedBytes: return range(.equal, OrderedValue(bytes: test.bytes))
    case .byteOrder: return range(test.comparison, OrderedValue(bytes: test.bytes))
    case .bytes:
      switch test.relation {
      case .equals: return range(.equal, OrderedValue(bytes: test.bytes))
      case .hasPrefix: return prefixed(test.bytes, type, constants)
      case .hasSuffix, .contains: return nil
      }
    case .intSet, .byteSet: return equalTo.isEmpty ? nil : points(equalTo, type, constants)
    case .text: return nil
    case .order:
      let value = constants.values[test.constant]
      switch (type, value) {
      case (.objectID, .objectID), (.uuid, .uuid), (.decimal128, .decimal128):
        return range(test.comparison, OrderedValue(value, type, constants.memory))
      case (.mixed, .string), (.mixed, .data), (.mixed, .bool), (.mixed, .objectID), (.mixed, .uuid), (.mixed, .date):
        // Other kinds lie below and above; the test tells them apart.
        return range(test.comparison, OrderedValue(value, type, constants.memory), isExact: false)
      default: return nil
      }
    }
  }

  private static func prefixed(
    _ prefix: UnsafeRawBufferPointer, _ type: ColumnType, _ constants: PlanConstants
  ) -> OrderedIntervals {
    var next = Array(prefix)
    while next.last == .max { next.removeLast() }
    var upper = OrderedCut.before(OrderedValue(.missing))
    if let last = next.last {
      next[next.count - 1] = last + 1
      upper = .before(OrderedValue(bytes: constants.memory.copy(next)))
    }
    return OrderedIntervals(
      [Interval(lower: .before(OrderedValue(bytes: prefix)), upper: upper)], isExact: true, type)
  }
}

/// The constants of a predicate that is being compiled.
struct PlanConstants {
  var values: [Value]
  var memory: QueryMemory
}

extension FixedLeaf.Comparison {
  fileprivate var comparison: Comparison {
    switch self {
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .equal: .equal
    }
  }
}

extension ResolvedPath {
  /// Whether it leads to the same column by the same links, from the same table.
  func isSame(as other: ResolvedPath) -> Bool {
    guard columnIndex == other.columnIndex, table == other.table, linkCount == other.linkCount else { return false }
    return (0..<linkCount).allSatisfy {
      links[$0].offset == other.links[$0].offset && links[$0].target == other.links[$0].target
    }
  }
}
