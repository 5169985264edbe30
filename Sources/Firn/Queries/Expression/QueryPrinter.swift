internal import Foundation

/// Writes expressions as the format of a predicate, with arguments.
struct QueryPrinter {
  private var text = ""
  private var arguments: [Any] = []
  /// Whether values are in the text, not among the arguments.
  private let isWritten: Bool
  /// The printed names of the subqueries around, the innermost last.
  private var variables: [(name: String, printed: String)] = []
  private var namedCount = 0

  private init(isWritten: Bool) { self.isWritten = isWritten }

  /// The format and its arguments, in order; nil is `NSNull`.
  static func format(of expression: QueryExpression) -> (String, [Any]) {
    var printer = QueryPrinter(isWritten: false)
    printer.write(expression)
    return (printer.text, printer.arguments)
  }

  /// For messages: values are shown in the text, shortened.
  static func text(of expression: QueryExpression) -> String {
    var printer = QueryPrinter(isWritten: true)
    printer.write(expression)
    return printer.text
  }

  static func text(of path: QueryKeyPath) -> String {
    var printer = QueryPrinter(isWritten: true)
    printer.write(path)
    return printer.text
  }

  /// A name, shortened where it is for a message.
  private func shown(_ name: String) -> String { isWritten ? ShownValue.text(name) : name }

  static func text(of constant: QueryConstant) -> String { shown(constant.given) }

  // MARK: Conditions

  private mutating func write(_ expression: QueryExpression) {
    switch expression {
    case .constant(let holds): text += holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): write(parts, joinedBy: " && ", empty: true)
    case .or(let parts): write(parts, joinedBy: " || ", empty: false)
    case .joined(let junction): write(junction)
    case .not(.comparison(let comparison)): writeInParentheses(comparison, start: "NOT ")
    case .not(.own(let own)): writeInParentheses(own.named, start: "NOT ")
    case .not(let inner):
      text += "NOT "
      write(inner)
    case .comparison(let comparison): writeInParentheses(comparison)
    case .own(let own): writeInParentheses(own.named)
    case .closure: text += "CLOSURE"
    case .flag(let path, let value):
      write(path)
      text += " == \(value)"
    }
  }

  /// Writes `((a && b) && c)`.
  private mutating func write(_ parts: [QueryExpression], joinedBy separator: String, empty: Bool) {
    guard let first = parts.first else { return write(.constant(empty)) }
    text += String(repeating: "(", count: parts.count - 1)
    write(first)
    for part in parts.dropFirst() {
      text += separator
      write(part)
      text += ")"
    }
  }

  /// Writes `(a && (b && c))` as it was joined, which may be deep.
  private mutating func write(_ junction: QueryJunction) {
    enum Item {
      case expression(QueryExpression)
      case text(String)
    }
    var waiting = [Item.expression(.joined(junction))]
    while let next = waiting.popLast() {
      switch next {
      case .text(let next): text += next
      case .expression(.joined(let junction)):
        text += "("
        waiting.append(.text(")"))
        waiting.append(.expression(junction.right))
        waiting.append(.text(junction.joint == .and ? " && " : " || "))
        waiting.append(.expression(junction.left))
      case .expression(let expression): write(expression)
      }
    }
  }

  private mutating func writeInParentheses(_ comparison: QueryComparison, start: String = "") {
    text += "(" + start
    switch comparison.modifier {
    case .direct: break
    case .any: text += "ANY "
    case .none: text += "NONE "
    case .all: text += "ALL "
    }
    write(comparison.left)
    text += " \(comparison.operation.rawValue)\(comparison.options.suffix) "
    write(comparison.right)
    text += ")"
  }

  // MARK: Operands

  private mutating func write(_ operand: QueryOperand) {
    switch operand {
    case .keyPath(let path): write(path)
    case .constant(let constant): write(constant.given)
    case .list(let list) where list.isWritten || isWritten:
      text += "{"
      for (index, element) in list.elements.enumerated() {
        if index > 0 { text += ", " }
        if isWritten, index == 10 {
          text += "…"
          break
        }
        write(element)
      }
      text += "}"
    case .list(let list): write(list.elements.map { Self.argument($0) })
    case .subquery(let subquery): write(subquery)
    }
  }

  private mutating func write(_ subquery: QuerySubquery) {
    text += "SUBQUERY("
    write(subquery.collection)
    var printed = subquery.variable
    if printed.isEmpty {
      // Those of typed queries have none, and are numbered in the order in which they appear.
      namedCount += 1
      printed = "col\(namedCount)"
    }
    text += ", $\(printed), "
    variables.append((subquery.variable, printed))
    write(subquery.condition)
    variables.removeLast()
    text += ").@count"
  }

  private mutating func write(_ path: QueryKeyPath) {
    for (index, component) in path.components.enumerated() {
      switch component {
      case .index(let position): writeSubscript(position)
      case .key(let key): writeSubscript(key)
      case .anyElement:
        text += isWritten ? "[#any]" : "[%K]"
        if !isWritten { arguments.append("#any") }
      default:
        if index > 0 { text += "." } else if !isWritten, Self.isReserved(component) { text += "#" }
        text += name(of: component)
      }
    }
  }

  /// Whether a name would be read as something else.
  private static func isReserved(_ component: QueryKeyPath.Component) -> Bool {
    guard case .property(let name) = component else { return false }
    return PredicateKeyword(rawValue: name.lowercased())?.mayBeName == false
  }

  private func name(of component: QueryKeyPath.Component) -> String {
    switch component {
    case .property(let name): shown(name)
    case .aggregate(let aggregate): aggregate.rawValue
    case .allKeys: "@allKeys"
    case .allValues: "@allValues"
    case .itself: "self"
    case .variable(let variable): shown("$" + (variables.last { $0.name == variable }?.printed ?? variable))
    case .index, .key, .anyElement: ""
    }
  }

  private mutating func writeSubscript(_ value: Any) {
    text += "["
    write(value)
    text += "]"
  }

  // MARK: Values

  private mutating func write(_ given: Any?) {
    if isWritten {
      text += Self.shown(given)
    } else {
      text += "%@"
      arguments.append(Self.argument(given))
    }
  }

  private static func argument(_ given: Any?) -> Any { given.flatMap { Unwrapping.value($0) } ?? NSNull() }

  private static func shown(_ given: Any?) -> String {
    guard let value = given.flatMap({ Unwrapping.value($0) }) else { return "nil" }
    return value is String ? "'\(ShownValue.text(value))'" : ShownValue.text(value)
  }
}

extension StringOptions {
  /// How they are written behind an operator.
  fileprivate var suffix: String {
    isEmpty
      ? "" : "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}
