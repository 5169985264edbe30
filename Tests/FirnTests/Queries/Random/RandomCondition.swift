import Foundation

@testable import Firn

/// A condition on things, and what it means in plain Swift.
struct RandomCondition {
  var expression: QueryExpression
  var holds: (ThingRow, ThingWorld) -> Bool

  init(_ expression: QueryExpression, _ holds: @escaping (ThingRow, ThingWorld) -> Bool) {
    self.expression = expression
    self.holds = holds
  }

  /// - Parameter variable: What stands for the element in a subquery.
  static func random(_ random: inout SeededRandom, depth: Int, variable: String? = nil) -> RandomCondition {
    if depth > 0, random.chance(45) {
      let parts = (0..<(1 + random.below(3))).map { _ in Self.random(&random, depth: depth - 1, variable: variable) }
      switch random.below(3) {
      case 0:
        return RandomCondition(.and(parts.map(\.expression))) { row, world in parts.allSatisfy { $0.holds(row, world) }
        }
      case 1:
        return RandomCondition(.or(parts.map(\.expression))) { row, world in parts.contains { $0.holds(row, world) } }
      default: return RandomCondition(.not(parts[0].expression)) { !parts[0].holds($0, $1) }
      }
    }
    let scope = ConditionScope(variable: variable)
    switch random.below(12) {
    case 0...3: return scope.value(&random)
    case 4: return scope.text(&random)
    case 5: return scope.relation(&random)
    case 6, 7: return scope.anyValue(&random)
    case 8: return scope.aggregate(&random)
    case 9: return scope.anyObject(&random)
    case 10 where depth > 0: return scope.subquery(&random, depth: depth)
    default:
      let constant = random.chance(50)
      return RandomCondition(.constant(constant)) { _, _ in constant }
    }
  }
}

/// Values as conditions see them.
enum PlainValue: Equatable {
  case null
  case number(Double)
  case text(String)
  case bool(Bool)
  case date(Date)

  static func number(_ int: Int?) -> PlainValue { int.map { .number(Double($0)) } ?? .null }
  static func number(_ double: Double?) -> PlainValue { double.map { .number($0) } ?? .null }
  static func text(_ text: String?) -> PlainValue { text.map { .text($0) } ?? .null }

  /// What a query is given.
  var given: Any? {
    switch self {
    case .null: nil
    case .number(let number): number
    case .text(let text): text
    case .bool(let bool): bool
    case .date(let date): date
    }
  }

  /// How the value stands to another; nil when they cannot be ordered.
  private func order(to other: PlainValue) -> Int? {
    func way<C: Comparable>(_ a: C, _ b: C) -> Int { a < b ? -1 : (a == b ? 0 : 1) }
    switch (self, other) {
    case (.number(let a), .number(let b)): return a.isNaN || b.isNaN ? nil : way(a, b)
    case (.text(let a), .text(let b)):
      return a.utf8.elementsEqual(b.utf8) ? 0 : (a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1)
    case (.bool(let a), .bool(let b)): return way(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)): return way(a, b)
    default: return nil
    }
  }

  /// - Parameter ordersNull: Whether null sorts below every value, as in texts of the queried class itself.
  func holds(_ operation: QueryOperator, _ other: PlainValue, ordersNull: Bool = false) -> Bool {
    if self == .null, other == .null { return [.equal, .lessOrEqual, .greaterOrEqual].contains(operation) }
    if self == .null || other == .null {
      if operation == .notEqual { return true }
      let orders: [QueryOperator] = self == .null ? [.less, .lessOrEqual] : [.greater, .greaterOrEqual]
      return ordersNull && orders.contains(operation)
    }
    guard let order = order(to: other) else { return operation == .notEqual }
    return switch operation {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    default: false
    }
  }

  /// What texts are compared by.
  private static func folded(_ text: String, _ options: StringOptions) -> [Character] {
    var text = text
    if options.contains(.diacriticInsensitive) {
      for (mark, plain) in [("Ä", "A"), ("ä", "a"), ("é", "e")] {
        text = text.replacingOccurrences(of: mark, with: plain)
      }
    }
    return Array(options.contains(.caseInsensitive) ? text.lowercased() : text)
  }

  func holds(_ operation: QueryOperator, text other: PlainValue, _ options: StringOptions) -> Bool {
    guard case .text(let text) = self, case .text(let pattern) = other else {
      if self == .null, other == .null { return operation == .equal || operation == .like }
      return operation == .notEqual
    }
    let (a, b) = (Self.folded(text, options), Self.folded(pattern, options))
    switch operation {
    case .equal: return a == b
    case .notEqual: return a != b
    case .beginsWith: return !b.isEmpty && a.starts(with: b)
    case .endsWith: return !b.isEmpty && a.reversed().starts(with: b.reversed())
    case .contains: return !b.isEmpty && (0...a.count).contains { a[$0...].starts(with: b) }
    case .like: return Self.isLike(a[...], b[...])
    default: return false
    }
  }

  private static func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" { return (text.startIndex...text.endIndex).contains { isLike(text[$0...], pattern.dropFirst()) } }
    guard let head = text.first, first == "?" || first == head else { return false }
    return isLike(text.dropFirst(), pattern.dropFirst())
  }
}
