internal import Foundation

/// A part of a predicate of Foundation, as far as queries tell parts apart.
protocol ExpressionNode: PredicateExpression {
  var shape: ExpressionShape { get }
}

/// What a part of a predicate says of its own parts.
enum ExpressionShape {
  case value(Any)
  case variable(PredicateExpressions.VariableID)
  case property(of: any ExpressionNode, AnyKeyPath)
  case and(any ExpressionNode, any ExpressionNode)
  case or(any ExpressionNode, any ExpressionNode)
  case not(any ExpressionNode)
  /// Whether two values are equal, or different.
  case equal(any ExpressionNode, any ExpressionNode, isNegated: Bool)
  case order(any ExpressionNode, QueryOperator, any ExpressionNode)
  /// What is made of a value that is there: `$0.owner?.name`.
  case flatMap(any ExpressionNode, PredicateExpressions.VariableID, any ExpressionNode)
  /// `??`.
  case coalesce(any ExpressionNode, any ExpressionNode)
  case choice(any ExpressionNode, then: any ExpressionNode, else: any ExpressionNode)
  case isIn(sequence: any ExpressionNode, any ExpressionNode)
  case isWithin(range: any ExpressionNode, any ExpressionNode)
  case quantified(any ExpressionNode, PredicateExpressions.VariableID, any ExpressionNode, isAll: Bool)
  case filter(any ExpressionNode, PredicateExpressions.VariableID, any ExpressionNode)
  case begins(any ExpressionNode, with: any ExpressionNode)
  case contains(any ExpressionNode, part: any ExpressionNode)
  /// Anything else that is made of its parts alone. It may fail where evaluating throws or traps for some values.
  case other([any ExpressionNode], mayFail: Bool)
}

extension ExpressionNode {
  /// The type of the value.
  var outputType: Any.Type { Output.self }

  func value(_ bindings: PredicateBindings) throws -> Any { try evaluate(bindings) }

  /// The value, if it depends on nothing but itself.
  var constant: Constant? {
    if case .value(let value) = shape { return Constant(value: value) }
    guard !hasVariables(depth: 0), let value = try? value(PredicateBindings()) else { return nil }
    return Constant(value: value)
  }

  /// Also true of what is nested too deep to be a constant.
  private func hasVariables(depth: Int) -> Bool {
    if depth > 16 { return true }
    switch shape {
    case .value: return false
    case .coalesce(let left, let right):
      return left.hasVariables(depth: depth + 1) || right.hasVariables(depth: depth + 1)
    case .other(let parts, _): return parts.contains { $0.hasVariables(depth: depth + 1) }
    default: return true
    }
  }

  /// Whether it joins conditions.
  var joins: Bool {
    switch shape {
    case .and, .or, .not, .choice: true
    default: false
    }
  }

  /// The operands of nested `&&`, or of nested `||`, in the order of the text; the part itself where it is neither. Not
  /// recursive: chains may be long.
  func operands(isAnd: Bool) -> [any ExpressionNode] {
    var operands: [any ExpressionNode] = []
    var waiting: [any ExpressionNode] = [self]
    while let next = waiting.popLast() {
      switch next.shape {
      case .and(let left, let right) where isAnd: waiting += [right, left]
      case .or(let left, let right) where !isAnd: waiting += [right, left]
      default: operands.append(next)
      }
    }
    return operands
  }
}

/// A value that a part of a predicate always has.
struct Constant {
  let value: Any

  /// What is inside of optionals; nil for none.
  var unwrapped: Any? { Unwrapping.value(value) }
}
