import FirnEngine

/// One way in which a row can come to satisfy a predicate: a column of it, or one behind its links, has a value or lies in
/// a closed range. Behind a null link the value is null.
enum Access: Hashable, Sendable {
  case equal(ColumnPath, Value)
  /// Nil bounds are open. Null and NaN lie in no range.
  case range(ColumnPath, lower: Value?, upper: Value?)

  var path: ColumnPath {
    switch self {
    case .equal(let path, _), .range(let path, _, _): path
    }
  }
}

/// The columns that paths from one table end at.
struct PathSchema {
  let table: TableID
  let schema: [TableDescription]

  func column(_ path: ColumnPath) -> ColumnDescription {
    var table = table
    for link in path.links { table = schema.target(of: link, in: table) }
    return schema[table.index].columns[path.column.index]
  }
}

extension Predicate {
  /// Conditions of which every matching row satisfies at least one. Nil: there are no useful ones.
  ///
  /// Of the members of a conjunction one suffices, the most selective; of a disjunction every member must have
  /// conditions of its own. What is unclear (other types than the column's, options of text, negations) is not used, so
  /// errors are always towards more candidates.
  func accesses(_ columns: PathSchema) -> [Access]? {
    switch self {
    case .constant(let value): return value ? nil : []
    case .and(let parts): return Self.accesses(ofAll: parts, columns)
    case .or(let parts):
      var all: [Access] = []
      for part in parts {
        guard let some = part.accesses(columns) else { return nil }
        all += some
      }
      return all
    case .not(let part): return part.negated?.accesses(columns)
    case .compare(let path, let comparison, let value):
      guard let access = Self.access(path, comparison, value, columns) else { return nil }
      // A null string is less than any.
      let column = columns.column(path)
      let includesNull =
        column.type == .string && (column.isNullable || !path.links.isEmpty)
        && (comparison == .less || comparison == .lessOrEqual) && value != .null
      return includesNull ? [access, .equal(path, .null)] : [access]
    case .compareColumns, .mixed: return nil
    case .isIn(let path, let values):
      var all: [Access] = []
      for value in values {
        guard let access = Self.access(path, .equal, value, columns) else { return nil }
        all.append(access)
      }
      return all
    case .text(let path, let textOperator, let pattern, let options):
      return Self.access(path, textOperator, pattern, options, columns).map { [$0] }
    }
  }

  /// The opposite where a condition can be found for it.
  private var negated: Predicate? {
    switch self {
    case .constant(let value): .constant(!value)
    case .not(let part): part
    case .and(let parts): .or(parts.map { .not($0) })
    case .or(let parts): .and(parts.map { .not($0) })
    case .compare(let path, .notEqual, let value): .compare(path, .equal, value)
    case .text(let path, .notEqual, let pattern, let options): .text(path, .equal, pattern, options)
    default: nil
    }
  }

  private static func accesses(ofAll parts: [Predicate], _ columns: PathSchema) -> [Access]? {
    var best: [Access]?
    var ranges: [(path: ColumnPath, access: Access)] = []
    for part in parts {
      guard let accesses = part.accesses(columns) else { continue }
      if accesses.count == 1, case .range(let path, let lower, let upper) = accesses[0] {
        if let index = ranges.firstIndex(where: { $0.path == path }) {
          ranges[index].access = intersection(ranges[index].access, path, lower, upper)
        } else {
          ranges.append((path, accesses[0]))
        }
      } else if cost(accesses) < cost(best) {
        best = accesses
      }
    }
    for range in ranges where cost([range.access]) < cost(best) { best = [range.access] }
    return best
  }

  private static func intersection(_ range: Access, _ path: ColumnPath, _ lower: Value?, _ upper: Value?) -> Access {
    guard case .range(_, var low, var high) = range else { return range }
    if let lower, low == nil || low!.order(to: lower) < 0 { low = lower }
    if let upper, high == nil || high!.order(to: upper) > 0 { high = upper }
    return .range(path, lower: low, upper: high)
  }

  /// A guess at how many rows pass.
  private static func cost(_ accesses: [Access]?) -> Int {
    guard let accesses else { return .max }
    return accesses.reduce(0) { sum, access in
      guard case .range(_, let lower, let upper) = access else { return sum + 1 }
      return sum + (lower == nil || upper == nil ? 100_000 : 1000)
    }
  }

  private static func access(
    _ path: ColumnPath, _ comparison: Comparison, _ value: Value, _ columns: PathSchema
  ) -> Access? {
    let type = columns.column(path)
    if type.collection != nil || value.isNaN { return nil }
    if value == .null {
      switch comparison {
      case .equal, .lessOrEqual: return .equal(path, .null)
      // Every string is greater than null.
      case .greaterOrEqual: return type.type == .string ? nil : .equal(path, .null)
      case .less, .greater, .notEqual: return nil
      }
    }
    if !value.isStored(as: type.type) { return nil }
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
    _ path: ColumnPath, _ textOperator: TextOperator, _ pattern: [UInt8], _ options: TextOptions,
    _ columns: PathSchema
  ) -> Access? {
    let column = columns.column(path)
    if column.collection != nil || !options.isEmpty { return nil }
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
