import Foundation
import TestSupport

@testable import Firn

/// Writes expressions in all the ways in which the language can say them, by chance.
struct PredicateSpelling {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  private(set) var random: SeededRandom
  /// Whether arguments are named by their index.
  private let usesIndexes: Bool

  init(_ expression: QueryExpression, _ random: SeededRandom) {
    self.random = random
    usesIndexes = self.random.chance(20)
    write(expression, in: .whole)
  }

  /// What an expression stands in: each binds tighter than the one before.
  private enum Place: Int {
    case whole, or, and, not
  }

  private mutating func write(_ expression: QueryExpression, in place: Place) {
    let own: Place =
      switch expression {
      case .or: .or
      case .and: .and
      case .not: .not
      case .joined(let junction): junction.joint == .and ? .and : .or
      case .constant, .comparison, .flag, .own, .closure: .not
      }
    var needsParentheses = own.rawValue <= place.rawValue && place != .whole
    if case .comparison = expression { needsParentheses = false }
    if case .constant = expression { needsParentheses = false }
    let extra = random.chance(10) ? 1 + random.below(2) : 0
    let count = (needsParentheses ? 1 : 0) + extra
    for _ in 0..<count { add(["(", "( "][random.below(2)]) }
    switch expression {
    case .constant(let holds): word(holds ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .and(let parts): write(parts, ["AND", "&&"], .and)
    case .or(let parts): write(parts, ["OR", "||"], .or)
    case .joined(let junction) where junction.joint == .and: write(junction.parts, ["AND", "&&"], .and)
    case .joined(let junction): write(junction.parts, ["OR", "||"], .or)
    case .not(let part):
      if random.chance(50) { add("!") } else { word("NOT") }
      write(part, in: .not)
    case .comparison(let comparison): write(comparison)
    case .own(let own): write(own.named)
    case .flag(let path, let holds):
      write(path)
      add(" == \(holds)")
    case .closure: fatalError("Closures have no text.")
    }
    for _ in 0..<count { add(")") }
  }

  private mutating func write(_ parts: [QueryExpression], _ joints: [String], _ place: Place) {
    for (index, part) in parts.enumerated() {
      if index > 0 { word(joints[random.below(2)]) }
      write(part, in: place)
    }
  }

  private mutating func write(_ comparison: QueryComparison) {
    switch comparison.modifier {
    case .direct: break
    case .any: word(random.chance(70) ? "ANY" : "SOME")
    case .none: word("NONE")
    case .all: word("ALL")
    }
    write(comparison.left)
    let spellings: [String] =
      switch comparison.operation {
      case .equal: ["=", "=="]
      case .notEqual: ["!=", "<>"]
      case .lessOrEqual: ["<=", "=<"]
      case .greaterOrEqual: [">=", "=>"]
      default: [comparison.operation.rawValue]
      }
    word(spellings[random.below(spellings.count)])
    var letters = comparison.options.contains(.caseInsensitive) ? "c" : ""
    if comparison.options.contains(.diacriticInsensitive) { letters += "d" }
    if !letters.isEmpty { add("[\(random.chance(20) ? "n" : "")\(letters)]") }
    write(comparison.right)
  }

  private mutating func write(_ operand: QueryOperand) {
    switch operand {
    case .keyPath(let path): write(path)
    case .constant(let constant): write(value: constant.given)
    case .list(let list) where list.isWritten:
      add("{")
      for (index, element) in list.elements.enumerated() {
        if index > 0 { add(random.chance(50) ? "," : " , ") }
        write(value: element)
      }
      add("}")
    case .list(let list): argument(list.elements.map { $0 ?? NSNull() })
    case .subquery(let subquery):
      word("SUBQUERY")
      add("(")
      write(subquery.collection)
      add(", $\(subquery.variable),")
      write(subquery.condition, in: .whole)
      add(").@count")
    }
  }

  // MARK: Paths

  private mutating func write(_ path: QueryKeyPath) {
    let text = ExpressionText.of(path)
    if !usesIndexes, random.chance(10), !text.contains(where: { "$['".contains($0) }) {
      add(" %K ")
      arguments.append(text)
      return
    }
    add(" ")
    for (index, component) in path.components.enumerated() {
      switch component {
      case .index(let position): add(random.chance(80) ? "[\(position)]" : "[ \(position) ]")
      case .key(let key): subscripted { $0.write(value: key) }
      case .anyElement: add(random.chance(50) ? "[#any]" : "[ #ANY ]")
      default:
        if index > 0 { add(".") }
        write(component, isFirst: index == 0)
      }
    }
  }

  private mutating func write(_ component: QueryKeyPath.Component, isFirst: Bool) {
    switch component {
    case .property(let name):
      let isKeyword = PredicateKeyword(rawValue: name.lowercased())?.mayBeName == false
      add((isFirst && isKeyword) || random.chance(5) ? "#" + name : name)
    case .itself: word(random.chance(50) ? "SELF" : "self")
    default: add(ExpressionText.of(QueryKeyPath([component])))
    }
  }

  private mutating func subscripted(_ body: (inout PredicateSpelling) -> Void) {
    add("[")
    body(&self)
    add("]")
  }

  // MARK: Values

  private mutating func write(value: Any?) {
    guard random.chance(60), let literal = literal(value) else { return argument(value ?? NSNull()) }
    add(literal)
  }

  private mutating func argument(_ value: Any) {
    arguments.append(value)
    add(usesIndexes ? "$\(arguments.count - 1)" : "%@")
  }

  /// The value as text, if it can be told from others by that.
  private mutating func literal(_ value: Any?) -> String? {
    guard let value else { return cased(["NULL", "NIL"][random.below(2)]) }
    switch value {
    case let value as Bool: return cased(value ? ["TRUE", "YES"][random.below(2)] : ["FALSE", "NO"][random.below(2)])
    case let value as Int: return " \(value)"
    case let value as Double: return " \(value)"
    case let value as String: return quoted(value)
    case let value as Date:
      guard value.timeIntervalSince1970 == value.timeIntervalSince1970.rounded() else { return nil }
      return " @" + value.formatted(.iso8601)
    default: return nil
    }
  }

  private mutating func quoted(_ value: String) -> String {
    let quote: Character = random.chance(50) ? "'" : "\""
    var text = String(quote)
    for scalar in value.unicodeScalars {
      let needsEscape = scalar == "\\" || Character(scalar) == quote
      switch scalar {
      case _ where needsEscape: text += "\\\(scalar)"
      case "\n" where random.chance(50): text += "\\n"
      case _ where scalar.value < 0x100 && random.chance(10): text += String(format: "\\x%02x", Int(scalar.value))
      case _ where scalar.value < 0x10000 && random.chance(10): text += String(format: "\\u%04X", Int(scalar.value))
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + String(quote)
  }

  // MARK: Words

  private mutating func word(_ word: String) { add(" \(cased(word)) ") }

  private mutating func cased(_ word: String) -> String {
    switch random.below(4) {
    case 0: word.lowercased()
    case 1: String(word.map { random.chance(50) ? Character($0.lowercased()) : $0 })
    default: word
    }
  }

  private mutating func add(_ part: String) { text += part }
}
