import FirnEngine
import FirnReactive
import Testing

/// What groups must come to, computed the slow way.
enum GroupOracle {
  struct Group {
    var key: [Value]
    var rows: [RowKey]
  }

  /// The groups of a query's rows, by comparing keys.
  static func groups(
    _ query: GroupQuery, _ contents: GraphContents, _ schema: [TableDescription]
  ) -> [Group] {
    var groups: [Group] = query.keys.isEmpty ? [Group(key: [], rows: [])] : []
    for row in Oracle.run(query.rows, contents, schema) {
      let key = query.keys.map { contents.value(at: $0, of: row, in: query.rows.table) }
      if let index = groups.firstIndex(where: { compare($0.key, key) == 0 }) {
        groups[index].rows.append(row)
      } else {
        groups.append(Group(key: key, rows: [row]))
      }
    }
    return groups.sorted { compare($0.key, $1.key) < 0 }
  }

  static func compare(_ a: [Value], _ b: [Value]) -> Int {
    zip(a, b).lazy.map { $0.order(to: $1) }.first { $0 != 0 } ?? 0
  }

  /// Whether a group comes to a value.
  static func isRight(
    _ value: Value, _ measure: GroupQuery.Measure, _ group: Group, _ query: GroupQuery, _ contents: GraphContents
  ) -> Bool {
    let values = group.rows.map { contents.value(at: measure.path, of: $0, in: query.rows.table) }
      .filter { $0 != .null && !$0.isNaN }
    switch measure.aggregate {
    case .min: return isSame(value, values.min { $0.order(to: $1) < 0 })
    case .max: return isSame(value, values.max { $0.order(to: $1) < 0 })
    case .sum, .average: break
    }
    let isSum = measure.aggregate == .sum
    if values.isEmpty, !isSum { return value == .null }
    let count = isSum ? 1 : values.count
    switch value {
    case .int(let sum): return sum == values.reduce(0) { if case .int(let number) = $1 { $0 &+ number } else { $0 } }
    case .decimal128(let bits):
      var sum = DecimalFloat.zero
      for case .decimal128(let bits) in values { sum = sum + DecimalFloat(bits) }
      // Few digits: exact.
      return DecimalFloat(bits).order(to: isSum ? sum : sum / DecimalFloat(Int64(count))) == 0
    case .double(let result):
      var exact = WideInteger()
      var infinities: Set<Double> = []
      for value in values {
        switch value {
        case .int(let number): exact = exact + WideInteger(Int128(number)).shifted(by: 1074)
        case .double(let number) where number.isInfinite: infinities.insert(number)
        case .double(let number): exact = exact + WideInteger(unitsOf: number)
        default: return false
        }
      }
      if infinities.count == 2 { return result.isNaN }
      if let infinity = infinities.first { return result == infinity }
      return exact.isNearest(result, dividedBy: count)
    default: return value == .null && values.isEmpty && isExtremeTypeOnly(measure)
    }
  }

  private static func isExtremeTypeOnly(_ measure: GroupQuery.Measure) -> Bool { measure.aggregate == .average }

  private static func isSame(_ value: Value, _ other: Value?) -> Bool { value.order(to: other ?? .null) == 0 }
}

/// An observer of groups that is told everything, sometimes late.
final class GroupSubscriber {
  let view: GroupView
  let query: GroupQuery
  var open: GroupChange?
  var known: [(key: [Value], result: GroupResult)] = []

  init(_ view: GroupView, _ query: GroupQuery) {
    self.view = view
    self.query = query
    known = Self.content(view.table)
  }

  static func content(_ table: GroupTable) -> [(key: [Value], result: GroupResult)] {
    var all: [(key: [Value], result: GroupResult)] = []
    table.forEachGroup { all.append(($0, $1)) }
    return all
  }

  /// The first mistake in what is open, or nil. Forgets it.
  func mistake() -> String? {
    let new = Self.content(view.table)
    let positions = open?.positions ?? PositionChanges()
    open = nil
    defer { known = new }
    var keys = known.map(\.key)
    for list in [positions.deletions, positions.insertions, positions.modifications] {
      if zip(list, list.dropFirst()).contains(where: { $0 >= $1 }) { return "positions do not ascend" }
    }
    if !positions.deletions.allSatisfy(keys.indices.contains) { return "a deletion is outside" }
    for position in positions.deletions.reversed() { keys.remove(at: position) }
    for position in positions.insertions {
      if position > keys.count || position >= new.count { return "an insertion is outside" }
      keys.insert(new[position].key, at: position)
    }
    if keys.count != new.count || zip(keys, new).contains(where: { GroupOracle.compare($0, $1.key) != 0 }) {
      return "applying the change does not give the new groups"
    }
    let modified = known.indices.filter { index in
      guard let other = new.first(where: { GroupOracle.compare($0.key, known[index].key) == 0 }) else { return false }
      return !Self.isSame(known[index].result, other.result)
    }
    if modified != positions.modifications { return "modifications are wrong" }
    return nil
  }

  static func isSame(_ a: GroupResult, _ b: GroupResult) -> Bool {
    a.count == b.count && zip(a.values, b.values).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
  }
}
