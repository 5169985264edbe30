import Foundation

@testable import Firn

/// A condition, an order and what is done then, with what they mean in plain Swift.
struct RandomQuery: CustomStringConvertible {
  let condition: RandomCondition
  private let sort: [Order]
  private let distinct: [ConditionScope.Property]
  private let window: Range<Int>?

  private struct Order {
    var property: ConditionScope.Property
    var mapKey: String?
    var ascending: Bool
    var nilsLast: Bool

    var descriptor: Firn.SortDescriptor {
      let path = property.names.joined(separator: ".")
      return Firn.SortDescriptor(
        keyPath: mapKey.map { "prices['\($0)']" } ?? path, ascending: ascending, nilsLast: nilsLast)
    }
  }

  init(_ random: inout SeededRandom) {
    if random.chance(30) {
      (condition, sort, distinct, window) = Self.indexed(&random)
      return
    }
    condition = .random(&random, depth: 3)
    sort = (0..<[0, 0, 1, 1, 2, 3][random.below(6)]).map { _ in
      let mapKey = random.chance(10) ? ThingValues.names[random.below(3)] : nil
      return Order(
        property: ConditionScope.property(&random), mapKey: mapKey, ascending: random.chance(60),
        nilsLast: random.chance(25))
    }
    distinct = random.chance(25) ? (0...random.below(2)).map { _ in ConditionScope.property(&random) } : []
    let start = random.chance(60) ? 0 : random.below(10)
    window = random.chance(25) ? start..<start + random.below(12) : nil
  }

  /// What an ordered index may serve: conditions on its first properties, the order of the others.
  private static func indexed(
    _ random: inout SeededRandom
  ) -> (RandomCondition, [Order], [ConditionScope.Property], Range<Int>?) {
    let properties = IndexedThing.orders[random.below(IndexedThing.orders.count)].map { ConditionScope.property($0) }
    let boundCount = random.below(properties.count + 1)
    var parts = properties[..<boundCount].map { ConditionScope(variable: nil).value(of: $0, &random) }
    if random.chance(30) { parts.append(.random(&random, depth: 1)) }
    let condition = RandomCondition(.and(parts.map(\.expression))) { row, world in
      parts.allSatisfy { $0.holds(row, world) }
    }
    let left = Array(properties[(random.chance(50) ? boundCount : 0)...])
    let ascending = random.chance(50)
    let isSorted = random.chance(80)
    let sort = isSorted ? left.map { Order(property: $0, mapKey: nil, ascending: ascending, nilsLast: false) } : []
    let start = random.below(4)
    return (condition, sort, random.chance(20) ? left : [], random.chance(25) ? start..<start + random.below(9) : nil)
  }

  var description: String {
    let (format, arguments) = QueryPrinter.format(of: condition.expression)
    let orders = sort.map { "\($0.descriptor)" }
    return "\(format) \(arguments), \(orders), distinct \(distinct.map(\.names)), window \(window as Any)"
  }

  // MARK: Run

  func filtered<T: AnyThing>(_ things: Results<T>) -> Results<T> { filtered(things, condition.expression) }

  private func filtered<T: AnyThing>(_ things: Results<T>, _ expression: QueryExpression) -> Results<T> {
    let core = things.core
    return Results(core: core.filtered(QueryNode(expression)))
  }

  func results<T: AnyThing>(_ things: Results<T>) -> Results<T> { arranged(filtered(things)) }

  /// The query as it is read from its printed form.
  func parsed<T: AnyThing>(_ things: Results<T>) throws -> Results<T> {
    let (format, arguments) = QueryPrinter.format(of: condition.expression)
    return arranged(filtered(things, try ParsedPredicate(format, arguments, PredicateLimits()).expression))
  }

  private func arranged<T: AnyThing>(_ results: Results<T>) -> Results<T> {
    var results = results
    if !sort.isEmpty { results = results.sorted(by: sort.map(\.descriptor)) }
    if !distinct.isEmpty { results = results.distinct(by: distinct.map { $0.names.joined(separator: ".") }) }
    if let window { results = results.limit(window.count, offset: window.lowerBound) }
    return results
  }

  // MARK: In plain Swift

  func expected(_ world: ThingWorld) -> [Int] {
    var ids = world.ids.filter { condition.holds(world.rows[$0]!, world) }
    if !sort.isEmpty {
      ids = ids.enumerated().sorted { a, b in
        for order in sort {
          let difference = Self.order(order, a.element, b.element, world)
          if difference != 0 { return difference < 0 }
        }
        return a.offset < b.offset
      }.map(\.element)
    }
    if !distinct.isEmpty {
      var known: [[PlainValue]] = []
      ids = ids.filter { id in
        if distinct.contains(where: { Self.isBehindNullLink($0, id, world) }) { return false }
        let values = distinct.map { $0.read(world.rows[id]!, world) }
        let isKnown = known.contains { other in zip(values, other).allSatisfy { Self.order($0, $1) == 0 } }
        if !isKnown { known.append(values) }
        return !isKnown
      }
    }
    guard let window else { return ids }
    return Array(ids[window.clamped(to: 0..<ids.count)])
  }

  private static func isBehindNullLink(_ property: ConditionScope.Property, _ id: Int, _ world: ThingWorld) -> Bool {
    var row = world.rows[id]!
    for name in property.names.dropLast() {
      if name == "place" { return row.zip == nil }
      guard let boss = world.boss(of: row) else { return true }
      row = boss
    }
    return false
  }

  private static func order(_ order: Order, _ a: Int, _ b: Int, _ world: ThingWorld) -> Int {
    func value(_ id: Int) -> (value: PlainValue, isMissing: Bool) {
      let row = world.rows[id]!
      if let key = order.mapKey { return (.number(row.prices[key] ?? nil), false) }
      return (order.property.read(row, world), isBehindNullLink(order.property, id, world))
    }
    let (left, right) = (value(a), value(b))
    if order.nilsLast, left.value == .null || right.value == .null {
      return (left.value == .null ? 1 : 0) - (right.value == .null ? 1 : 0)
    }
    let difference =
      left.isMissing || right.isMissing
      ? (left.isMissing ? 1 : 0) - (right.isMissing ? 1 : 0) : Self.order(left.value, right.value)
    return order.ascending ? difference : -difference
  }

  /// Null, then NaN, then values.
  private static func order(_ a: PlainValue, _ b: PlainValue) -> Int {
    func rank(_ value: PlainValue) -> Int {
      if value == .null { return 0 }
      if case .number(let number) = value, number.isNaN { return 1 }
      return 2
    }
    if rank(a) != rank(b) || rank(a) < 2 { return rank(a) - rank(b) }
    return a.holds(.less, b) ? -1 : (a.holds(.equal, b) ? 0 : 1)
  }
}
