import FirnEngine

/// One way in which a row can come to satisfy a predicate: what lies at the end of a path has a value or lies in a closed
/// range. Behind a null link the value is null; where the path leads through collections, one of the values counts. Places
/// count as the numbers of their cells.
enum Access: Hashable, Sendable {
  case equal(RoutedPath, Value)
  /// Nil bounds are open. Null and NaN lie in no range.
  case range(RoutedPath, lower: Value?, upper: Value?)

  var path: RoutedPath {
    switch self {
    case .equal(let path, _), .range(let path, _, _): path
    }
  }

  /// The same, seen from where another path begins.
  fileprivate func behind(_ way: [PathStep]) -> Access {
    switch self {
    case .equal(let path, let value): .equal(path.behind(way), value)
    case .range(let path, let lower, let upper): .range(path.behind(way), lower: lower, upper: upper)
    }
  }
}

extension Predicate {
  /// Conditions of which every matching row of a table satisfies at least one. Nil: there are no useful ones.
  ///
  /// Of the members of a conjunction one suffices, the most selective; of a disjunction every member must have
  /// conditions of its own. Some element has to satisfy the condition of a collection that is counted to be more than none.
  /// What is unclear (other types than the column's, options of text, negations, keys of maps, aggregates) is not used, so
  /// errors are always towards more candidates.
  func accesses(_ table: TableID, _ schema: [TableDescription]) -> [Access]? {
    var visitor = AccessVisitor(scope: .rows(table), schema: schema)
    return accept(&visitor)?.map(\.access)
  }

  /// The opposite where a condition can be found for it.
  fileprivate var negated: Predicate? {
    switch self {
    case .constant(let value): .constant(!value)
    case .not(let part): part
    case .and(let parts): .or(parts.map { .not($0) })
    case .or(let parts): .and(parts.map { .not($0) })
    case .test(let operand, .compare(.notEqual, let value)): .test(operand, .compare(.equal, value))
    case .test(let operand, .text(.notEqual, let pattern, let options)): .test(operand, .text(.equal, pattern, options))
    case .test, .relation, .count, .within, .closure: nil
    }
  }
}

private struct AccessVisitor: PredicateVisitor {
  /// What the conditions are about.
  enum Scope {
    case rows(TableID)
    /// Elements of a collection, or links to the rows that they are.
    case elements(ColumnDescription)
  }

  struct Found {
    var access: Access
    /// Whether there is one value at the end of the path.
    var isSingle = true
  }

  let scope: Scope
  let schema: [TableDescription]

  func constant(_ holds: Bool) -> [Found]? { holds ? nil : [] }

  mutating func and(_ parts: [Predicate]) -> [Found]? {
    var best: [Found]?
    var ranges: [Found] = []
    for part in parts {
      guard let found = part.accept(&self) else { continue }
      if found.count == 1, found[0].isSingle, case .range(let path, let lower, let upper) = found[0].access {
        if let index = ranges.firstIndex(where: { $0.access.path == path }) {
          ranges[index].access = Self.intersection(ranges[index].access, path, lower, upper)
        } else {
          ranges.append(found[0])
        }
      } else if Self.cost(found) < Self.cost(best) {
        best = found
      }
    }
    for range in ranges where Self.cost([range]) < Self.cost(best) { best = [range] }
    return best
  }

  mutating func or(_ parts: [Predicate]) -> [Found]? {
    var all: [Found] = []
    for part in parts {
      guard let some = part.accept(&self) else { return nil }
      all += some
    }
    return all
  }

  mutating func not(_ part: Predicate) -> [Found]? { part.negated?.accept(&self) ?? nil }

  func test(_ operand: Operand, _ test: ValueTest) -> [Found]? {
    guard let (steps, column) = resolve(operand) else { return nil }
    let path = RoutedPath(steps)
    switch test {
    case .compare(let comparison, let value):
      guard let access = Self.access(path, comparison, value, column) else { return nil }
      // A null string may be less than any.
      let includesNull =
        column.type == .string && (column.isNullable || steps.count > 1)
        && (comparison == .less || comparison == .lessOrEqual) && value != .null
      return (includesNull ? [access, .equal(path, .null)] : [access]).map { Found(access: $0) }
    case .isIn(let values):
      var all: [Found] = []
      for value in values {
        guard let access = Self.access(path, .equal, value, column) else { return nil }
        all.append(Found(access: access))
      }
      return all
    case .text(let textOperator, let pattern, let options):
      return Self.access(path, textOperator, pattern, options, column).map { [Found(access: $0)] }
    case .nested: return nil
    }
  }

  func relation(_ left: Operand, _ relation: Relation, _ right: Operand) -> [Found]? { nil }

  /// The cells of places that may lie in a region. What is no place lies in none.
  func within(_ place: PlacePath, _ region: SphereRegion) -> [Found]? {
    if case .elements(let element) = scope, element.target == nil { return nil }
    let path = RoutedPath(place)
    return region.covering(most: 8).map {
      Found(access: .range(path, lower: .int(Int64($0.lower)), upper: .int(Int64($0.upper))))
    }
  }

  func count(
    _ collection: CollectionPath, where condition: Predicate, _ comparison: Comparison, _ number: Int64
  ) -> [Found]? {
    let asksForSome =
      switch comparison {
      case .greater: number >= 0
      case .greaterOrEqual, .equal: number >= 1
      case .notEqual: number == 0
      case .less, .lessOrEqual: false
      }
    guard asksForSome, let scope = scope(of: collection) else { return nil }
    var visitor = AccessVisitor(scope: scope, schema: schema)
    return condition.accept(&visitor)?.map {
      Found(access: $0.access.behind(collection.reads), isSingle: false)
    }
  }

  func closure(_ closure: RowClosure) -> [Found]? { nil }

  // MARK: Columns

  /// Where an operand lies, seen from the scope, and what its column holds.
  private func resolve(_ operand: Operand) -> (path: [PathStep], column: ColumnDescription)? {
    switch (operand, scope) {
    case (.column(let path), .rows(let table)):
      let column = column(path, table)
      return column.collection == nil ? (path.reads, column) : nil
    case (.column(let path), .elements(let element)):
      return element.target.map { (path.reads, column(path, $0)) }.flatMap { $0.1.collection == nil ? $0 : nil }
    case (.element, .elements(let element)): return ([], element)
    case (.element, .rows), (.inside, _), (.elementCount, _), (.aggregate, _): return nil
    }
  }

  private func column(_ path: ColumnPath, _ table: TableID) -> ColumnDescription {
    var table = table
    for link in path.links { table = schema.target(of: link, in: table) }
    return schema[table.index].columns[path.column.index]
  }

  private func scope(of collection: CollectionPath) -> Scope? {
    let start: TableID?
    switch scope {
    case .rows(let table): start = table
    case .elements(let element): start = element.target
    }
    guard let start else { return nil }
    switch collection.elements {
    case .column(let column): return .elements(self.column(ColumnPath(links: collection.links, column), start))
    case .backlinks(let origin, _):
      return .elements(ColumnDescription(name: "", type: .link, target: origin))
    case .keys: return nil
    }
  }

  // MARK: Values

  private static func intersection(_ range: Access, _ path: RoutedPath, _ lower: Value?, _ upper: Value?) -> Access {
    guard case .range(_, var low, var high) = range else { return range }
    if let lower, low == nil || low!.order(to: lower) < 0 { low = lower }
    if let upper, high == nil || high!.order(to: upper) > 0 { high = upper }
    return .range(path, lower: low, upper: high)
  }

  /// A guess at how many rows pass. Places may lie anywhere.
  private static func cost(_ found: [Found]?) -> Int {
    guard let found else { return .max }
    return found.reduce(0) { sum, found in
      guard case .range(let path, let lower, let upper) = found.access else { return sum + 1 }
      if path.isPlace, case (.int(let lower), .int(let upper)) = (lower, upper) {
        return sum + 1 + Int(100_000 * Double(max(0, upper - lower)) / Double(PlaceCell.allNumbers.count))
      }
      return sum + (lower == nil || upper == nil ? 100_000 : 1000)
    }
  }

  private static func access(
    _ path: RoutedPath, _ comparison: Comparison, _ value: Value, _ column: ColumnDescription
  ) -> Access? {
    if value.isUnordered { return nil }
    if value == .null {
      switch comparison {
      case .equal, .lessOrEqual: return .equal(path, .null)
      // Every string may be greater than null.
      case .greaterOrEqual: return column.type == .string ? nil : .equal(path, .null)
      case .less, .greater, .notEqual: return nil
      }
    }
    if !value.isStored(as: column.type) { return nil }
    switch comparison {
    case .equal:
      // Equal decimals may differ in their bytes.
      if case .decimal128 = value { return .range(path, lower: value, upper: value) }
      return .equal(path, value)
    case .less, .lessOrEqual: return .range(path, lower: nil, upper: value)
    case .greater, .greaterOrEqual: return .range(path, lower: value, upper: nil)
    case .notEqual: return nil
    }
  }

  private static func access(
    _ path: RoutedPath, _ textOperator: TextOperator, _ pattern: [UInt8], _ options: TextOptions,
    _ column: ColumnDescription
  ) -> Access? {
    if !options.isEmpty { return nil }
    let value: (([UInt8]) -> Value)
    switch column.type {
    case .string: value = Value.string
    case .data: value = Value.data
    default: return nil
    }
    switch textOperator {
    case .equal: return .equal(path, value(pattern))
    case .beginsWith:
      if pattern.isEmpty { return nil }
      var end = pattern
      while end.last == 0xFF { end.removeLast() }
      if let last = end.popLast() { end.append(last + 1) }
      return .range(path, lower: value(pattern), upper: end.isEmpty ? nil : value(end))
    case .notEqual, .contains, .endsWith, .like: return nil
    }
  }
}

extension Value {
  fileprivate func isStored(as type: ColumnType) -> Bool {
    switch (self, type) {
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
      (.date, .date), (.objectID, .objectID), (.uuid, .uuid), (.decimal128, .decimal128), (.link, .link):
      true
    default: false
    }
  }
}
