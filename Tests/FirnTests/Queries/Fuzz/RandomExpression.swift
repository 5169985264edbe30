import Foundation
import TestSupport

@testable import Firn

/// Random conditions on ``FuzzNode``. Most of them suit the class.
struct RandomExpression {
  var random: SeededRandom
  /// The variables of the subqueries around, the innermost last.
  private var variables: [String] = []

  init(_ random: SeededRandom) { self.random = random }

  /// In the form that the parser gives: no chain begins with one of its kind, none has one part, and nothing is negated
  /// twice.
  mutating func expression(depth: Int = 3) -> QueryExpression {
    switch depth == 0 ? 0 : random.below(10) {
    case 6:
      let inner = expression(depth: depth - 1)
      if case .not = inner { return inner }
      return .not(inner)
    case 7: return chain(depth, isAnd: true)
    case 8: return chain(depth, isAnd: false)
    case 9: return .constant(random.chance(50))
    default: return .comparison(comparison(depth))
    }
  }

  private mutating func chain(_ depth: Int, isAnd: Bool) -> QueryExpression {
    var parts = (0..<2 + random.below(3)).map { _ in expression(depth: depth - 1) }
    switch (parts[0], isAnd) {
    case (.and, true), (.or, false): parts[0] = .comparison(comparison(0))
    default: break
    }
    return isAnd ? .and(parts) : .or(parts)
  }

  // MARK: Comparisons

  /// What a path leads to.
  private enum Kind: CaseIterable {
    case number, double, text, bytes, bool, date, mixed, link, other
  }

  private static let ordered: [QueryOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  private mutating func comparison(_ depth: Int) -> QueryComparison {
    if depth > 0, random.chance(12), variables.count < 3 { return subquery(depth) }
    if random.chance(10) { return aggregate() }
    var (components, kind, isPlural) = path()
    if kind == .mixed, random.chance(50) { components += steps() }
    var result = QueryComparison(
      left: .keyPath(QueryKeyPath(components)), operation: operation(for: kind), right: .constant(QueryConstant(nil)))
    if isPlural != random.chance(3) { result.modifier = random.chance(60) ? .any : .none }
    switch result.operation {
    case .isIn, .between:
      let count = result.operation == .between ? 2 : random.below(4)
      let elements = (0..<count).map { _ in constant(kind) }
      result.right = .list(QueryList(elements: elements, isWritten: random.chance(60)))
    default:
      if random.chance(10) {
        let (other, _, _) = path(of: kind)
        result.right = .keyPath(QueryKeyPath(other))
      } else {
        result.right = .constant(QueryConstant(constant(kind)))
      }
    }
    if kind == .text || kind == .bytes || kind == .mixed, random.chance(30), result.operation != .less {
      result.options =
        [[.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]][
          random.below(3)]
    }
    if random.chance(8), Self.ordered.contains(result.operation) { swap(&result.left, &result.right) }
    return result
  }

  private mutating func operation(for kind: Kind) -> QueryOperator {
    if random.chance(3) { return [.matches, .between, .like, .isIn, .less][random.below(5)] }
    switch kind {
    case .number, .double, .date: return random.chance(80) ? pick(Self.ordered) : pick([.isIn, .between])
    case .text, .bytes:
      return pick(Self.ordered + [.beginsWith, .endsWith, .contains, .like, .isIn, .contains, .like])
    case .mixed: return pick(Self.ordered + [.beginsWith, .contains, .like, .isIn, .between])
    case .bool, .link, .other: return pick([.equal, .notEqual, .isIn])
    }
  }

  private mutating func aggregate() -> QueryComparison {
    let (path, kind): ([QueryKeyPath.Component], Kind) =
      switch random.below(8) {
      case 0: ([.property("numbers"), .aggregate(.count)], .number)
      case 1: ([.property("numbers"), .aggregate(pick([.min, .max, .sum]))], .number)
      case 2: ([.property("prices"), .aggregate(pick([.min, .max, .sum, .average]))], .double)
      case 3: ([.property("friends"), .aggregate(pick([.min, .max, .sum])), .property("number")], .number)
      case 4: ([.property("parent"), .property("children"), .aggregate(.count)], .number)
      case 5: ([.property("anys"), .aggregate(pick([.min, .max, .sum, .average]))], .mixed)
      case 6: ([.property("roles"), .aggregate(.max), .property("price")], .double)
      default: ([.property("prices"), .allKeys], .text)
      }
    let isOnKeys = path.contains(.allKeys)
    return QueryComparison(
      left: .keyPath(QueryKeyPath(path)), operation: pick(isOnKeys ? [.equal, .notEqual, .like] : Self.ordered),
      right: .constant(QueryConstant(isOnKeys ? FuzzValues.key(&random) : constant(kind))))
  }

  private mutating func subquery(_ depth: Int) -> QueryComparison {
    var path: [QueryKeyPath.Component] = pick([
      [.property("friends")], [.property("children")], [.property("parent"), .property("circle")],
      [.property("roles")], [.property("names")],
    ])
    if let variable = variables.last, random.chance(50) { path.insert(.variable(variable), at: 0) }
    let variable = "x\(variables.count)"
    variables.append(variable)
    let condition = expression(depth: depth - 1)
    variables.removeLast()
    let subquery = QuerySubquery(collection: QueryKeyPath(path), variable: variable, condition: condition)
    var result = QueryComparison(
      left: .subquery(subquery), operation: pick(Self.ordered), right: .constant(QueryConstant(random.below(3))))
    if random.chance(20) { swap(&result.left, &result.right) }
    return result
  }

  // MARK: Paths

  private mutating func path(
    of wanted: Kind? = nil
  ) -> (components: [QueryKeyPath.Component], kind: Kind, isPlural: Bool) {
    var start: [QueryKeyPath.Component] = []
    var isPlural = false
    if let variable = variables.last, random.chance(60) {
      start = [.variable(variable)]
    } else if random.chance(5) {
      start = [.itself]
    }
    for _ in 0..<[0, 0, 0, 1, 1, 2][random.below(6)] {
      if wanted != nil || random.chance(60) {
        start.append(.property("parent"))
      } else {
        start.append(.property(pick(["friends", "circle", "children", "roles"])))
        isPlural = true
      }
    }
    let kind = wanted ?? pick(Kind.allCases)
    let singles: [String] =
      switch kind {
      case .number: ["number", "maybeNumber", "small", "in", "true", "id"]
      case .double: ["price", "ratio", "amount", "metres"]
      case .text: ["name", "note", "colour"]
      case .bytes: ["bytes"]
      case .bool: ["flag"]
      case .date: ["date"]
      case .mixed: ["any"]
      case .link: ["parent", "place", "spot"]
      case .other: ["oid", "token"]
      }
    let many: [String] =
      switch kind {
      case .number: ["numbers"]
      case .double: ["prices"]
      case .text: ["names", "notes"]
      case .mixed: ["anys", "mixed"]
      case .link: ["friends", "children", "roles", "spots"]
      case .bytes, .bool, .date, .other: []
      }
    if wanted == nil, !many.isEmpty, random.chance(30) { return (start + [.property(pick(many))], kind, true) }
    if kind == .text, random.chance(20) { return (start + [.property("place"), .property("city")], kind, isPlural) }
    return (start + [.property(pick(singles))], kind, isPlural)
  }

  private mutating func steps() -> [QueryKeyPath.Component] {
    (0...random.below(2)).map { _ in
      switch random.below(3) {
      case 0: .index(random.below(3))
      case 1: .key(FuzzValues.key(&random))
      default: .anyElement
      }
    }
  }

  // MARK: Constants

  private mutating func constant(_ kind: Kind) -> Any? {
    if random.chance(12) { return nil }
    switch random.chance(3) ? pick(Kind.allCases) : kind {
    case .number: return FuzzValues.number(&random)
    case .double: return random.chance(70) ? FuzzValues.double(&random) : FuzzValues.number(&random)
    case .text: return FuzzValues.text(&random)
    case .bytes: return Data(FuzzValues.text(&random).utf8)
    case .bool: return random.chance(50)
    case .date: return FuzzValues.date(&random)
    case .mixed:
      return switch random.below(4) {
      case 0: FuzzValues.mixed(&random)
      case 1: FuzzValues.text(&random)
      default: FuzzValues.number(&random)
      }
    case .link: return FuzzNode(value: ["id": 1])
    case .other: return random.chance(50) ? FuzzValues.oid(&random) : FuzzValues.token(&random)
    }
  }

  private mutating func pick<T>(_ values: [T]) -> T { values[random.below(values.count)] }
}
