/// Binds a predicate to the layouts of a graph.
struct PredicateCompiler {
  let layout: GraphLayout
  let table: TableID
  /// Whether null texts of the table itself have no order.
  let isOfElements: Bool
  let memory = QueryMemory()
  var patterns: [TextPattern] = []
  var numberSets: [NumberSet] = []
  var byteSets: [ByteSet] = []
  var constants: [Value] = []
  var checks: [RowCheck] = []
  var conditions: [Condition] = []
  var resolutionCount = 0

  init(layout: GraphLayout, table: TableID, isOfElements: Bool) {
    self.layout = layout
    self.table = table
    self.isOfElements = isOfElements
  }

  mutating func draft(_ predicate: Predicate) -> ConditionDraft { predicate.accept(&self) }

  func route(_ path: ColumnPath) -> ResolvedPath { memory.route(path, from: table, in: layout) }

  // MARK: Comparisons

  mutating func compare(_ route: ResolvedPath, _ comparison: Comparison, _ value: Value) -> ConditionDraft {
    if route.column.storage.isCollection { return .constant(false) }
    let isDirectString = route.isDirect && !isOfElements && route.column.type == .string
    if route.column.type == .mixed { return compareMixed(route, comparison, value) }
    if value == .null {
      // A string of the table itself counts as above null; everything else is not ordered against it.
      let orders = isDirectString && (comparison == .greater || comparison == .greaterOrEqual)
      return outcome(
        route, values: comparison == .notEqual || orders, nulls: comparison.holdsForNulls)
    }
    let nulls =
      comparison == .notEqual
      || (isDirectString && value.isString && (comparison == .less || comparison == .lessOrEqual))
    if value.isUnordered { return outcome(route, values: comparison == .notEqual, nulls: nulls) }
    let value = value.numeric(for: route.column.type)
    if !value.isComparable(to: route.column.type) {
      return outcome(route, values: comparison == .notEqual, nulls: comparison == .notEqual)
    }
    switch route.column.type {
    case .bool:
      let onFalse = comparison.holds(Value.int(0).order(to: value))
      let onTrue = comparison.holds(Value.int(1).order(to: value))
      if onFalse == onTrue { return outcome(route, values: onTrue, nulls: nulls) }
      return finish(ColumnTest(.bool, route), negated: onFalse, nulls, comparison == .equal ? .bool(onTrue) : nil)
    case .int: return compareInt(route, comparison, value, nulls)
    case .double, .date: return compareDouble(route, comparison, value, nulls)
    case .float: return compareFloat(route, comparison, value, nulls)
    case .string, .data: return compareBytes(route, comparison, value, nulls)
    case .objectID, .uuid: return compareFixed(route, comparison, value, nulls)
    case .decimal128: return compareOrder(route, comparison, value, nulls)
    case .link:
      guard case .link(let key) = value, comparison == .equal || comparison == .notEqual else {
        return outcome(route, values: false, nulls: nulls)
      }
      var test = ColumnTest(.intRange, route)
      test.low = Int64(key.rawValue) + 1
      test.high = test.low
      return finish(test, negated: comparison == .notEqual, nulls, comparison == .equal ? value : nil)
    case .mixed: fatalError("Mixed columns are compared otherwise.")
    }
  }

  /// Kinds that are comparable are ordered; values of others are only unequal.
  private mutating func compareMixed(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value
  ) -> ConditionDraft {
    let negated = comparison == .notEqual
    if value == .null { return outcome(route, values: negated, nulls: comparison.holdsForNulls) }
    if value.isUnordered { return outcome(route, values: negated, nulls: negated) }
    return compareOrder(route, comparison, value, negated)
  }

  /// A test with the same result for all values.
  private func outcome(_ route: ResolvedPath, values: Bool, nulls: Bool) -> ConditionDraft {
    if values == nulls || (route.isDirect && !route.column.isNullable) { return .constant(values) }
    var test = ColumnTest(.nothing, route)
    test.isNegated = values
    test.matchesNull = nulls
    return .test(test, equalTo: [])
  }

  private func finish(_ test: ColumnTest, negated: Bool, _ nulls: Bool, _ equalTo: Value?) -> ConditionDraft {
    var test = test
    test.isNegated = negated
    test.matchesNull = nulls
    return .test(test, equalTo: equalTo.map { [$0] } ?? [])
  }

  private func compareInt(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    // The least int not below the constant, and the greatest not above it.
    let (lower, upper) = IntBounds.around(value)
    let range: (low: Int128, high: Int128)
    switch comparison {
    case .equal, .notEqual: range = (lower, upper)
    case .less: range = (IntBounds.least, lower - 1)
    case .lessOrEqual: range = (IntBounds.least, upper)
    case .greater: range = (upper + 1, IntBounds.greatest)
    case .greaterOrEqual: range = (lower, IntBounds.greatest)
    }
    let negated = comparison == .notEqual
    if range.low > range.high { return outcome(route, values: negated, nulls: nulls) }
    if range.low == IntBounds.least, range.high == IntBounds.greatest {
      return outcome(route, values: !negated, nulls: nulls)
    }
    var test = ColumnTest(.intRange, route)
    test.low = Int64(range.low)
    test.high = Int64(range.high)
    return finish(test, negated: negated, nulls, comparison == .equal ? .int(test.low) : nil)
  }

  private mutating func compareDouble(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    if case .decimal128 = value { return compareOrder(route, comparison, value, nulls) }
    let negated = comparison == .notEqual
    guard let bound = RealBound<Double>(negated ? .equal : comparison, value) else {
      return outcome(route, values: negated, nulls: nulls)
    }
    var test = ColumnTest(.double, route)
    test.operation = bound.operation
    test.double = bound.constant
    let isDate = route.column.type == .date
    return finish(
      test, negated: negated, nulls,
      comparison == .equal ? (isDate ? .date(bound.constant) : .double(bound.constant)) : nil)
  }

  private mutating func compareFloat(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    if case .decimal128 = value { return compareOrder(route, comparison, value, nulls) }
    let negated = comparison == .notEqual
    guard let bound = RealBound<Double>(negated ? .equal : comparison, value).flatMap(RealBound<Float>.init(_:)) else {
      return outcome(route, values: negated, nulls: nulls)
    }
    var test = ColumnTest(.float, route)
    test.operation = bound.operation
    test.float = bound.constant
    return finish(test, negated: negated, nulls, nil)
  }

  private func compareBytes(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    guard let constant = value.text else { return .constant(false) }
    var test = ColumnTest(.byteOrder, route)
    test.bytes = memory.copy(constant)
    test.comparison = comparison
    if comparison == .equal || comparison == .notEqual { test.kind = .bytes }
    return finish(test, negated: comparison == .notEqual, nulls, comparison == .equal ? value : nil)
  }

  private mutating func compareFixed(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    if comparison != .equal && comparison != .notEqual { return compareOrder(route, comparison, value, nulls) }
    var test = ColumnTest(.fixedBytes, route)
    switch value {
    case .objectID(let id): test.bytes = withUnsafeBytes(of: id) { memory.copy(Array($0)) }
    case .uuid(let id): test.bytes = withUnsafeBytes(of: id) { memory.copy(Array($0)) }
    default: return .constant(false)
    }
    return finish(test, negated: comparison == .notEqual, nulls, comparison == .equal ? value : nil)
  }

  private mutating func compareOrder(
    _ route: ResolvedPath, _ comparison: Comparison, _ value: Value, _ nulls: Bool
  ) -> ConditionDraft {
    var test = ColumnTest(.order, route)
    test.constant = constants.count
    constants.append(value)
    test.comparison = comparison == .notEqual ? .equal : comparison
    return finish(test, negated: comparison == .notEqual, nulls, nil)
  }

  // MARK: Membership

  mutating func isIn(_ route: ResolvedPath, _ values: [Value]) -> ConditionDraft {
    let isSmall = values.count <= 4
    var parts: [ConditionDraft] = []
    var numbers: [Int64] = []
    var strings: [[UInt8]] = []
    var others: [Value] = []
    var equalTo: [Value] = []
    // Nobody looks many values up one by one but a hash index.
    let isLookedUp = values.count <= OrderedIntervals.pointMax || route.column.isIndexed || route.column.isPrimaryKey
    for value in values {
      if !isSmall, !isLookedUp, let bytes = value.bytes(storedIn: route.column.type) {
        strings.append(bytes)
        continue
      }
      let part = compare(route, .equal, value)
      guard !isSmall, case .test(let test, let constants) = part, !test.isNegated, !test.matchesNull else {
        parts.append(part)
        continue
      }
      switch test.kind {
      case .intRange:
        numbers.append(test.low)
        equalTo += constants
      case .bytes:
        strings.append(Array(test.bytes))
        equalTo += constants
      case .bool, .nothing: parts.append(part)
      default:
        others.append(value)
        equalTo += constants
      }
    }
    if !isLookedUp { equalTo = [] }
    if !numbers.isEmpty {
      var test = ColumnTest(.intSet, route)
      test.constant = numberSets.count
      numberSets.append(NumberSet(sorted: Set(numbers).sorted()))
      parts.append(.test(test, equalTo: Self.distinct(equalTo)))
    }
    if !strings.isEmpty {
      var test = ColumnTest(.byteSet, route)
      test.constant = byteSets.count
      byteSets.append(ByteSet(strings, memory: memory))
      parts.append(.test(test, equalTo: Self.distinct(equalTo)))
    }
    if !others.isEmpty {
      let matcher = ValueMatcher(.isIn(others), route.column.type, memory: memory)
      let isIndexable = equalTo.count == others.count
      parts.append(
        .check(.value(.column(route), matcher), cost: 60, of: route, equalTo: isIndexable ? Self.distinct(equalTo) : [])
      )
    }
    return .disjunction(parts)
  }

  private static func distinct(_ values: [Value]) -> [Value] { Array(Set(values)) }

  // MARK: Text

  mutating func text(
    _ route: ResolvedPath, _ operation: TextOperator, _ pattern: [UInt8], _ options: TextOptions
  ) -> ConditionDraft {
    let negated = operation == .notEqual
    let isText =
      route.column.storage == .interned || (route.column.storage == .bytes && route.column.type != .mixed)
    if !isText { return outcome(route, values: negated, nulls: negated) }
    if pattern.isEmpty, operation.seeksPart { return .constant(false) }
    if options.isEmpty, operation != .like {
      var test = ColumnTest(.bytes, route)
      test.bytes = memory.copy(pattern)
      switch operation {
      case .contains: test.relation = .contains
      case .beginsWith: test.relation = .hasPrefix
      case .endsWith: test.relation = .hasSuffix
      case .equal, .notEqual, .like: test.relation = .equals
      }
      let constant: Value = route.column.type == .string ? .string(pattern) : .data(pattern)
      return finish(test, negated: negated, negated, operation == .equal ? constant : nil)
    }
    var test = ColumnTest(.text, route)
    test.constant = patterns.count
    patterns.append(TextPattern(operation, pattern, options, memory: memory))
    return finish(test, negated: negated, negated, nil)
  }

  // MARK: Flattening

  /// Appends a draft and what it contains; returns its position.
  mutating func flatten(_ draft: ConditionDraft) -> Int {
    let place = conditions.count
    conditions.append(Condition(kind: .constant, test: ColumnTest(.nothing, memory.noRoute)))
    switch draft {
    case .constant(let holds): conditions[place].holds = holds
    case .all(let parts):
      conditions[place].kind = .all
      flatten(parts.sorted { $0.cost < $1.cost }, below: place)
    case .any(let parts):
      conditions[place].kind = .any
      flatten(parts.sorted { $0.cost < $1.cost }, below: place)
    case .not(let inner):
      conditions[place].kind = .not
      flatten([inner], below: place)
    case .test(var test, _):
      conditions[place].kind = .column
      if test.route.column.storage == .interned {
        test.resolution = resolutionCount
        resolutionCount += 1
      }
      conditions[place].test = test
    case .check(let check, _, _, _):
      conditions[place].kind = .check
      conditions[place].check = checks.count
      checks.append(check)
    case .within(let found, let region):
      conditions[place].kind = .check
      conditions[place].check = checks.count
      checks.append(.within(found, region))
    case .columns(let left, let comparison, let right):
      conditions[place].kind = .columns
      conditions[place].test = ColumnTest(.nothing, left)
      conditions[place].test.comparison = comparison
      conditions[place].right = right
    }
    return place
  }

  private mutating func flatten(_ parts: [ConditionDraft], below parent: Int) {
    var last = -1
    for part in parts {
      let place = flatten(part)
      if last < 0 { conditions[parent].firstChild = place } else { conditions[last].nextSibling = place }
      last = place
    }
  }
}

extension QueryMemory {
  /// Stands in where a condition has no column.
  var noRoute: ResolvedPath {
    ResolvedPath(
      links: copy([ColumnLayout]()), linkCount: 0,
      column: ColumnLayout(
        type: .int, storage: .int, isNullable: false, isIndexed: false, isPrimaryKey: false, elementSize: 8, offset: 0,
        nullOffset: 0, target: -1, backlink: -1), columnIndex: 0, table: 0)
  }
}

extension Value {
  /// The bytes of a text or of data, in a column of that type.
  fileprivate func bytes(storedIn type: ColumnType) -> [UInt8]? {
    switch (self, type) {
    case (.string(let bytes), .string), (.data(let bytes), .data): bytes
    default: nil
    }
  }

  fileprivate var isString: Bool {
    if case .string = self { return true }
    return false
  }

  /// Bools count as 0 and 1 where numbers are compared.
  func numeric(for type: ColumnType) -> Value {
    if case .bool(let value) = self, type.isNumeric { return .int(value ? 1 : 0) }
    return self
  }

  /// Whether the value can be equal to one of a column.
  func isComparable(to type: ColumnType) -> Bool {
    if type == .mixed { return self != .null }
    return switch self {
    case .null: false
    case .bool, .int, .float, .double, .decimal128: type.isNumeric
    case .string: type == .string
    case .data: type == .data
    case .date: type == .date
    case .objectID: type == .objectID
    case .uuid: type == .uuid
    case .link: type == .link
    case .object, .list, .map: type == .mixed
    }
  }
}

extension ColumnType {
  fileprivate var isNumeric: Bool {
    switch self {
    case .bool, .int, .float, .double, .decimal128: true
    case .string, .data, .date, .objectID, .uuid, .link, .mixed: false
    }
  }
}
