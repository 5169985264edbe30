import Firn
import Foundation
import TestSupport

/// One condition on hounds in three notations.
struct HoundCondition: CustomStringConvertible {
  typealias Parts = PredicateExpressions
  typealias Expression = any StandardPredicateExpression<Bool>

  var text: String
  var arguments: [Any] = []
  var typed: (Query<Hound>) -> Query<Bool>
  var expression: (Parts.Variable<Hound>) -> Expression

  var description: String { "\(text) \(arguments)" }
  var predicate: Foundation.Predicate<Hound> { Foundation.Predicate { expression($0) } }

  /// ASCII texts without equals: of others typed and text queries mean the bytes.
  static let texts = ["", "a", "A", "Rex", "Re", "xRex", "it"]

  static func random(_ random: inout SeededRandom, depth: Int) -> HoundCondition {
    if depth > 0, random.chance(50) {
      let left = Self.random(&random, depth: depth - 1)
      let right = Self.random(&random, depth: depth - 1)
      switch random.below(3) {
      case 0:
        return HoundCondition(
          text: "(\(left.text) AND \(right.text))", arguments: left.arguments + right.arguments,
          typed: { left.typed($0) && right.typed($0) }, expression: { and(left.expression($0), right.expression($0)) })
      case 1:
        return HoundCondition(
          text: "(\(left.text) OR \(right.text))", arguments: left.arguments + right.arguments,
          typed: { left.typed($0) || right.typed($0) }, expression: { or(left.expression($0), right.expression($0)) })
      default:
        return HoundCondition(
          text: "NOT (\(left.text))", arguments: left.arguments, typed: { !left.typed($0) },
          expression: { not(left.expression($0)) })
      }
    }
    return random.chance(55) ? ownValue(&random) : otherValue(&random)
  }

  // MARK: Values of the hound

  private static func ownValue(_ random: inout SeededRandom) -> HoundCondition {
    let number = random.below(6)
    let order = Order.allCases.randomElement(using: &random)!
    let word = texts[1...].randomElement(using: &random)!
    switch random.below(9) {
    case 0:
      return HoundCondition(
        text: "age \(order.rawValue) %@", arguments: [number], typed: { order.query($0.age, number) },
        expression: { order.expression(key($0, \.age), number) })
    case 1:
      let weight = [0, -0.0, 1.5, -1.5].randomElement(using: &random)!
      return HoundCondition(
        text: "weight \(order.rawValue) %@", arguments: [weight], typed: { order.query($0.weight, weight) },
        expression: { order.expression(key($0, \.weight), weight) })
    case 2:
      let score: Int? = random.chance(25) ? nil : number
      return HoundCondition(
        text: "score == %@", arguments: [score as Any], typed: { $0.score == score },
        expression: { Parts.Equal(lhs: key($0, \.score), rhs: Parts.Value(score)) })
    case 3:
      return HoundCondition(
        text: "name != %@", arguments: [word], typed: { $0.name != word },
        expression: { Parts.NotEqual(lhs: key($0, \.name), rhs: Parts.Value(word)) })
    case 4:
      return HoundCondition(
        text: "name BEGINSWITH %@", arguments: [word], typed: { $0.name.starts(with: word) },
        expression: { Parts.SequenceStartsWith(base: key($0, \.name), prefix: Parts.Value(word)) })
    case 5:
      return HoundCondition(
        text: "name CONTAINS %@", arguments: [word], typed: { $0.name.contains(word) },
        expression: { Parts.CollectionContainsCollection(base: key($0, \.name), other: Parts.Value(word)) })
    case 6:
      let range = number...number + random.below(3)
      return HoundCondition(
        text: "age BETWEEN {%@, %@}", arguments: [range.lowerBound, range.upperBound],
        typed: { $0.age.contains(range) },
        expression: { Parts.RangeExpressionContains(range: Parts.Value(range), element: key($0, \.age)) })
    case 7:
      let ages = (0..<random.below(7)).map { _ in random.below(6) }
      return HoundCondition(
        text: "age IN %@", arguments: [ages], typed: { $0.age.in(ages) },
        expression: { Parts.SequenceContains(sequence: Parts.Value(ages), element: key($0, \.age)) })
    default:
      return HoundCondition(
        text: "isGood == TRUE", typed: { $0.isGood }, expression: { key($0, \.isGood) })
    }
  }

  // MARK: Others

  private static func otherValue(_ random: inout SeededRandom) -> HoundCondition {
    let number = random.below(6)
    let order = Order.allCases.randomElement(using: &random)!
    let word = texts.randomElement(using: &random)!
    switch random.below(8) {
    case 0:
      let kind = HoundKind.allCases.randomElement(using: &random)!
      return HoundCondition(
        text: "kind == %@", arguments: [kind], typed: { $0.kind == kind },
        expression: { Parts.Equal(lhs: key($0, \.kind), rhs: Parts.Value(kind)) })
    case 1:
      let age: Int? = random.chance(25) ? nil : number
      return HoundCondition(
        text: age == nil ? "boss != nil" : "boss.age != %@", arguments: age.map { [$0] } ?? [],
        typed: { query in age.map { query.boss.age != $0 } ?? (query.boss != nil) },
        expression: { hound in
          Parts.NotEqual(lhs: Parts.OptionalFlatMap(key(hound, \.boss)) { key($0, \.age) }, rhs: Parts.Value(age))
        })
    case 2:
      return HoundCondition(
        text: "home.city == %@", arguments: [word], typed: { $0.home.city == word },
        expression: { hound in
          Parts.Equal(
            lhs: Parts.OptionalFlatMap(key(hound, \.home)) { key($0, \.city) }, rhs: Parts.Value(String?.some(word)))
        })
    case 3:
      return HoundCondition(
        text: "boss == nil", typed: { $0.boss == nil },
        expression: { Parts.Equal(lhs: key($0, \.boss), rhs: Parts.NilLiteral()) })
    case 4:
      return HoundCondition(
        text: "pups.@count \(order.rawValue) %@", arguments: [number], typed: { order.query($0.pups.count, number) },
        expression: { order.expression(key(key($0, \.pups), \.count), number) })
    case 5:
      return HoundCondition(
        text: "ANY pups.age > %@", arguments: [number], typed: { $0.pups.age > number },
        expression: { hound in
          Parts.SequenceContainsWhere(key(hound, \.pups)) {
            Parts.Comparison(lhs: key($0, \.age), rhs: Parts.Value(number), op: .greaterThan)
          }
        })
    case 6:
      return HoundCondition(
        text: "ANY marks == %@", arguments: [number], typed: { $0.marks.contains(number) },
        expression: { Parts.SequenceContains(sequence: key($0, \.marks), element: Parts.Value(number)) })
    default:
      return HoundCondition(
        text: "SUBQUERY(parents, $x, $x.age > %@).@count \(order.rawValue) 1", arguments: [number],
        typed: { order.query(($0.parents.age > number).count, 1) },
        expression: { hound in
          let old = Parts.Filter(key(hound, \.parents)) {
            Parts.Comparison(lhs: key($0, \.age), rhs: Parts.Value(number), op: .greaterThan)
          }
          return order.expression(key(old, \.count), 1)
        })
    }
  }

  // MARK: Parts

  enum Order: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func query<Number: _HasPersistedType & _QueryOperand>(_ query: Query<Number>, _ number: Number) -> Query<Bool>
    where Number.PersistedType: _QueryOrdered {
      switch self {
      case .equal: query == number
      case .notEqual: query != number
      case .less: query < number
      case .lessOrEqual: query <= number
      case .greater: query > number
      case .greaterOrEqual: query >= number
      }
    }

    func expression<Left: StandardPredicateExpression>(_ left: Left, _ number: Left.Output) -> Expression
    where Left.Output: Comparable & Codable & Sendable {
      let right = Parts.Value(number)
      return switch self {
      case .equal: Parts.Equal(lhs: left, rhs: right)
      case .notEqual: Parts.NotEqual(lhs: left, rhs: right)
      case .less: Parts.Comparison(lhs: left, rhs: right, op: .lessThan)
      case .lessOrEqual: Parts.Comparison(lhs: left, rhs: right, op: .lessThanOrEqual)
      case .greater: Parts.Comparison(lhs: left, rhs: right, op: .greaterThan)
      case .greaterOrEqual: Parts.Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual)
      }
    }
  }

  private static func key<Root: PredicateExpression, Value>(
    _ root: Root, _ keyPath: any KeyPath<Root.Output, Value> & Sendable
  ) -> Parts.KeyPath<Root, Value> {
    Parts.KeyPath(root: root, keyPath: keyPath)
  }

  private static func and<Left: StandardPredicateExpression<Bool>, Right: StandardPredicateExpression<Bool>>(
    _ left: Left, _ right: Right
  ) -> Expression {
    Parts.Conjunction(lhs: left, rhs: right)
  }

  private static func or<Left: StandardPredicateExpression<Bool>, Right: StandardPredicateExpression<Bool>>(
    _ left: Left, _ right: Right
  ) -> Expression {
    Parts.Disjunction(lhs: left, rhs: right)
  }

  private static func not<Part: StandardPredicateExpression<Bool>>(_ part: Part) -> Expression {
    Parts.Negation(part)
  }
}
