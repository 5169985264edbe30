import Foundation

@testable import Firn

/// Makes random conditions on the queried things, or on those of a subquery.
struct ConditionScope {
  let variable: String?

  typealias Read = (ThingRow, ThingWorld) -> PlainValue

  static let orders: [QueryOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  /// A property that holds one value.
  struct Property {
    enum Kind { case int, double, text, bool, date }

    var names: [String]
    var kind: Kind
    var isOptional: Bool
    var read: Read
    /// Whether null sorts below texts.
    var ordersNull = false
  }

  static var own: [Property] {
    [
      Property(names: ["number"], kind: .int, isOptional: false) { row, _ in .number(row.number) },
      Property(names: ["rank"], kind: .int, isOptional: true) { row, _ in .number(row.rank) },
      Property(names: ["score"], kind: .double, isOptional: true) { row, _ in .number(row.score) },
      Property(names: ["text"], kind: .text, isOptional: true, read: { row, _ in .text(row.text) }, ordersNull: true),
      Property(names: ["city"], kind: .text, isOptional: false, read: { row, _ in .text(row.city) }, ordersNull: true),
      Property(names: ["flag"], kind: .bool, isOptional: false) { row, _ in .bool(row.flag) },
      Property(names: ["born"], kind: .date, isOptional: true) { row, _ in row.born.map { .date($0) } ?? .null },
      Property(names: ["place", "zip"], kind: .int, isOptional: false) { row, _ in .number(row.zip) },
      Property(names: ["place", "name"], kind: .text, isOptional: true) { row, _ in .text(row.placeName) },
    ]
  }

  /// A property of a thing, or behind its boss.
  static func property(_ random: inout SeededRandom) -> Property {
    property(own[random.below(own.count)], bosses: [0, 0, 0, 1, 1, 2][random.below(6)])
  }

  /// The property at the end of some names.
  static func property(_ names: [String]) -> Property {
    let bosses = names.prefix { $0 == "boss" }.count
    return property(own.first { $0.names == Array(names.dropFirst(bosses)) }!, bosses: bosses)
  }

  private static func property(_ property: Property, bosses: Int) -> Property {
    var property = property
    for _ in 0..<bosses {
      let read = property.read
      property.names.insert("boss", at: 0)
      property.read = { row, world in world.boss(of: row).map { read($0, world) } ?? .null }
      property.ordersNull = false
    }
    return property
  }

  func path(_ components: [QueryKeyPath.Component]) -> QueryOperand {
    .keyPath(QueryKeyPath((variable.map { [.variable($0)] } ?? []) + components))
  }

  func path(_ property: Property) -> QueryOperand { path(property.names.map { .property($0) }) }

  func constant(_ value: PlainValue, _ kind: Property.Kind) -> QueryOperand {
    if kind == .int, case .number(let number) = value { return .constant(QueryConstant(Int(number))) }
    return .constant(QueryConstant(value.given))
  }

  func constant(_ kind: Property.Kind, isOptional: Bool, _ random: inout SeededRandom) -> PlainValue {
    if isOptional, random.chance(15) { return .null }
    switch kind {
    case .int: return .number(random.below(6))
    case .double: return .number(ThingValues.score(&random))
    case .text: return .text(ThingValues.text(&random))
    case .bool: return .bool(random.chance(50))
    case .date: return .date(Date(timeIntervalSince1970: Double(random.below(4))))
    }
  }

  private func condition(
    modifier: QueryComparison.Modifier = .direct, _ left: QueryOperand, _ operation: QueryOperator,
    _ right: QueryOperand, _ options: StringOptions = [], _ holds: @escaping (ThingRow, ThingWorld) -> Bool
  ) -> RandomCondition {
    RandomCondition(
      .comparison(
        QueryComparison(modifier: modifier, left: left, operation: operation, options: options, right: right)), holds)
  }

  // MARK: Single values

  func value(_ random: inout SeededRandom) -> RandomCondition { value(of: Self.property(&random), &random) }

  func value(of property: Property, _ random: inout SeededRandom) -> RandomCondition {
    let read = property.read
    let isOrdered = property.kind != .bool
    switch random.below(10) {
    case 0,
      1 where true:
      let values = (0..<random.below(4)).map { _ in
        constant(property.kind, isOptional: property.isOptional, &random)
      }
      let given = values.map { value -> Any? in
        if property.kind == .int, case .number(let number) = value { return Int(number) }
        return value.given
      }
      return condition(path(property), .isIn, .list(QueryList(elements: given))) { row, world in
        values.contains { read(row, world).holds(.equal, $0) }
      }
    case 2 where isOrdered && property.kind != .text:
      let (low, high) = (
        constant(property.kind, isOptional: false, &random), constant(property.kind, isOptional: false, &random)
      )
      let given = [low, high].map { value -> Any? in
        if property.kind == .int, case .number(let number) = value { return Int(number) }
        return value.given
      }
      return condition(path(property), .between, .list(QueryList(elements: given))) { row, world in
        let value = read(row, world)
        return value != .null && value.holds(.greaterOrEqual, low) && value.holds(.lessOrEqual, high)
      }
    default:
      let value = constant(property.kind, isOptional: property.isOptional, &random)
      let operation = isOrdered ? Self.orders[random.below(6)] : Self.orders[random.below(2)]
      return condition(path(property), operation, constant(value, property.kind)) { row, world in
        read(row, world).holds(operation, value, ordersNull: property.ordersNull && variable == nil)
      }
    }
  }

  private static let textOperators: [QueryOperator] = [.equal, .notEqual, .beginsWith, .endsWith, .contains, .like]
  private static let patterns = ["", "a", "A", "ab", "b", "zo", "äp", "Ap", "ea", "a*", "*o?", "?b*", "*"]

  private static func options(_ operation: QueryOperator, _ random: inout SeededRandom) -> StringOptions {
    if operation == .like { return random.chance(50) ? [] : .caseInsensitive }
    return [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]][random.below(4)]
  }

  func text(_ random: inout SeededRandom) -> RandomCondition {
    var property = Self.property(&random)
    while property.kind != .text { property = Self.property(&random) }
    let read = property.read
    let operation = Self.textOperators[random.below(6)]
    let options = Self.options(operation, &random)
    let pattern = PlainValue.text(Self.patterns[random.below(Self.patterns.count)])
    return condition(path(property), operation, constant(pattern, .text), options) { row, world in
      read(row, world).holds(operation, text: pattern, options)
    }
  }

  func relation(_ random: inout SeededRandom) -> RandomCondition {
    let left = Self.property(&random)
    let others = Self.own.filter { $0.kind == left.kind }
    let right = others[random.below(others.count)]
    if left.kind == .text, random.chance(50) {
      let operation = Self.textOperators[random.below(5)]
      let options = Self.options(operation, &random)
      return condition(path(left), operation, path(right), options) { row, world in
        left.read(row, world).holds(operation, text: right.read(row, world), options)
      }
    }
    let operation = left.kind == .bool ? Self.orders[random.below(2)] : Self.orders[random.below(6)]
    return condition(path(left), operation, path(right)) { row, world in
      left.read(row, world).holds(operation, right.read(row, world))
    }
  }

  // MARK: Collections of values

  func anyValue(_ random: inout SeededRandom) -> RandomCondition {
    let modifier: QueryComparison.Modifier = random.chance(70) ? .any : .none
    func any(
      _ components: [QueryKeyPath.Component], _ kind: Property.Kind, isOptional: Bool, _ random: inout SeededRandom,
      _ values: @escaping (ThingRow) -> [PlainValue]
    ) -> RandomCondition {
      let value = constant(kind, isOptional: isOptional, &random)
      let operation = Self.orders[random.below(6)]
      return condition(modifier: modifier, path(components), operation, constant(value, kind)) { row, _ in
        values(row).contains { $0.holds(operation, value) } == (modifier == .any)
      }
    }
    switch random.below(7) {
    case 0, 1:
      return any([.property("numbers")], .int, isOptional: true, &random) { $0.numbers.map { .number($0) } }
    case 2: return any([.property("words")], .text, isOptional: false, &random) { $0.words.map { .text($0) } }
    case 3:
      return any([.property("prices")], .double, isOptional: true, &random) { $0.prices.values.map { .number($0) } }
    case 4:
      let value = constant(.int, isOptional: true, &random)
      return condition(constant(value, .int), .isIn, path([.property("numbers")])) { row, _ in
        row.numbers.contains { PlainValue.number($0).holds(.equal, value) }
      }
    case 5 where variable == nil:
      let name = ThingValues.names[random.below(3)]
      let key = PlainValue.text(name)
      let operation: QueryOperator = random.chance(50) ? .equal : .beginsWith
      return condition(modifier: .any, path([.property("prices"), .allKeys]), operation, constant(key, .text)) {
        row, _ in
        row.prices.keys.contains { PlainValue.text($0).holds(operation, text: key, []) }
      }
    default:
      let name = ThingValues.names[random.below(3)]
      let value = constant(.double, isOptional: true, &random)
      let operation = Self.orders[random.below(6)]
      if variable != nil {
        return any([.property("numbers")], .int, isOptional: true, &random) { $0.numbers.map { .number($0) } }
      }
      return condition(path([.property("prices"), .key(name)]), operation, constant(value, .double)) { row, _ in
        PlainValue.number(row.prices[name] ?? nil).holds(operation, value)
      }
    }
  }

  // MARK: Aggregates

  func aggregate(_ random: inout SeededRandom) -> RandomCondition {
    let operators: [QueryAggregate] = [.count, .min, .max, .sum, .average]
    let aggregate = operators[random.below(5)]
    let ofObjects = random.chance(50)
    var components: [QueryKeyPath.Component]
    let values: Read2
    if ofObjects {
      let name = random.chance(50) ? "friends" : "staff"
      components = [.property(name), .aggregate(aggregate)]
      if aggregate != .count { components.append(.property("rank")) }
      values = { row, world in
        (name == "friends" ? world.friends(of: row) : world.staff(of: row)).map(\.rank)
      }
    } else {
      components = [.property("numbers"), .aggregate(aggregate)]
      values = { row, _ in row.numbers }
    }
    let canBeNull = aggregate != .count && aggregate != .sum
    let value = constant(.int, isOptional: canBeNull, &random)
    let operation = Self.orders[random.below(6)]
    func result(_ row: ThingRow, _ world: ThingWorld) -> PlainValue {
      let all = values(row, world)
      let known = all.compactMap(\.self)
      return switch aggregate {
      case .count: .number(all.count)
      case .min: .number(known.min())
      case .max: .number(known.max())
      case .sum: .number(known.reduce(0, +))
      case .average: known.isEmpty ? .null : .number(Double(known.reduce(0, +)) / Double(known.count))
      }
    }
    if random.chance(20) {
      return condition(path(components), operation, path([.property("number")])) { row, world in
        result(row, world).holds(operation, .number(row.number))
      }
    }
    return condition(path(components), operation, constant(value, .int)) { row, world in
      result(row, world).holds(operation, value)
    }
  }

  typealias Read2 = (ThingRow, ThingWorld) -> [Int?]

  // MARK: Objects in collections

  func anyObject(_ random: inout SeededRandom) -> RandomCondition {
    let property = Self.property(&random)
    let modifier: QueryComparison.Modifier = random.chance(70) ? .any : .none
    let ways: [([String], (ThingRow, ThingWorld) -> [ThingRow])] = [
      (["friends"], { row, world in world.friends(of: row) }), (["staff"], { row, world in world.staff(of: row) }),
      (["boss", "friends"], { row, world in world.boss(of: row).map { world.friends(of: $0) } ?? [] }),
      (["friends", "staff"], { row, world in world.friends(of: row).flatMap { world.staff(of: $0) } }),
    ]
    let (names, elements) = ways[random.below(ways.count)]
    let value = constant(property.kind, isOptional: property.isOptional, &random)
    let operation = property.kind == .bool ? Self.orders[random.below(2)] : Self.orders[random.below(6)]
    let left = path((names + property.names).map { .property($0) })
    return condition(modifier: modifier, left, operation, constant(value, property.kind)) { row, world in
      elements(row, world).contains {
        property.read($0, world).holds(operation, value)
      } == (modifier == .any)
    }
  }

  func subquery(_ random: inout SeededRandom, depth: Int) -> RandomCondition {
    let name = random.chance(50) ? "friends" : "staff"
    let inner = RandomCondition.random(&random, depth: depth - 1, variable: "x\(depth)")
    let operation = Self.orders[random.below(6)]
    let number = random.below(3)
    let collection = QueryKeyPath((variable.map { [.variable($0)] } ?? []) + [.property(name)])
    let subquery = QuerySubquery(collection: collection, variable: "x\(depth)", condition: inner.expression)
    return condition(.subquery(subquery), operation, .constant(QueryConstant(number))) { row, world in
      let elements = name == "friends" ? world.friends(of: row) : world.staff(of: row)
      return PlainValue.number(elements.count { inner.holds($0, world) }).holds(operation, .number(number))
    }
  }
}
