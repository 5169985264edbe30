import Foundation

@testable import Firn

/// Expressions as texts that say all that is in them but positions.
enum ExpressionText {
  static func of(_ expression: QueryExpression) -> String {
    switch expression {
    case .constant(let holds): holds ? "true" : "false"
    case .and(let parts): "and(" + parts.map(of).joined(separator: ", ") + ")"
    case .or(let parts): "or(" + parts.map(of).joined(separator: ", ") + ")"
    case .joined(let junction):
      (junction.joint == .and ? "and(" : "or(") + junction.parts.map(of).joined(separator: ", ") + ")"
    case .not(let part): "not(" + of(part) + ")"
    case .closure: "closure"
    case .flag(let path, let holds): "\(holds ? "" : "no ")flag \(of(path))"
    case .comparison(let comparison): of(comparison)
    case .own(let own): of(own.named)
    }
  }

  private static func of(_ comparison: QueryComparison) -> String {
    let modifier: String
    switch comparison.modifier {
    case .direct: modifier = ""
    case .any: modifier = "ANY "
    case .none: modifier = "NONE "
    case .all: modifier = "ALL "
    }
    var options = comparison.options.contains(.caseInsensitive) ? "c" : ""
    if comparison.options.contains(.diacriticInsensitive) { options += "d" }
    if !options.isEmpty { options = "[\(options)]" }
    return "\(modifier)\(of(comparison.left)) \(comparison.operation.rawValue)\(options) \(of(comparison.right))"
  }

  static func of(_ operand: QueryOperand) -> String {
    switch operand {
    case .keyPath(let path): return of(path)
    case .constant(let constant): return of(constant.given)
    case .list(let list):
      let elements = list.elements.map { of($0) }.joined(separator: ", ")
      return list.isWritten ? "{\(elements)}" : "<\(elements)>"
    case .subquery(let subquery):
      return "SUBQUERY(\(of(subquery.collection)), $\(subquery.variable), \(of(subquery.condition)))"
    }
  }

  private static func of(_ constant: Any?) -> String {
    guard let constant, !(constant is NSNull) else { return "null" }
    if let text = constant as? String { return "'\(text)'" }
    return "\(type(of: constant)):\(constant)"
  }

  static func of(_ path: QueryKeyPath) -> String {
    var text = ""
    for component in path.components {
      if !text.isEmpty {
        switch component {
        case .index, .key, .anyElement: break
        default: text += "."
        }
      }
      switch component {
      case .property(let name): text += name
      case .aggregate(let aggregate): text += aggregate.rawValue
      case .allKeys: text += "@allKeys"
      case .allValues: text += "@allValues"
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += "['\(key)']"
      case .anyElement: text += "[#any]"
      case .itself: text += "SELF"
      case .variable(let name): text += "$\(name)"
      }
    }
    return text
  }
}

/// What a text is read as.
func parsed(_ text: String, _ arguments: Any..., limits: PredicateLimits = PredicateLimits()) throws -> String {
  ExpressionText.of(try ParsedPredicate(text, arguments, limits).expression)
}

/// What is wrong with a text.
func invalid(
  _ text: String, _ arguments: Any..., limits: PredicateLimits = PredicateLimits()
) -> InvalidPredicate? {
  do {
    _ = try ParsedPredicate(text, arguments, limits)
    return nil
  } catch {
    return error
  }
}
