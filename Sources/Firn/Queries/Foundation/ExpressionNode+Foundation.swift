internal import Foundation

/// The part as queries know it; traps for one that neither Foundation nor Firn made.
private func node<Part: PredicateExpression>(_ part: Part) -> any ExpressionNode {
  guard let node = part as? any ExpressionNode else {
    fatalError("A predicate has a part of type '\(Part.self)', which queries do not know.")
  }
  return node
}

extension PredicateExpressions.Value: ExpressionNode {
  var shape: ExpressionShape { .value(value) }
}

extension PredicateExpressions.NilLiteral: ExpressionNode {
  var shape: ExpressionShape { .value(Wrapped?.none as Any) }
}

extension PredicateExpressions.Variable: ExpressionNode {
  var shape: ExpressionShape { .variable(key) }
}

extension PredicateExpressions.KeyPath: ExpressionNode {
  var shape: ExpressionShape { .property(of: node(root), keyPath) }
}

extension PredicateExpressions.Conjunction: ExpressionNode {
  var shape: ExpressionShape { .and(node(lhs), node(rhs)) }
}

extension PredicateExpressions.Disjunction: ExpressionNode {
  var shape: ExpressionShape { .or(node(lhs), node(rhs)) }
}

extension PredicateExpressions.Negation: ExpressionNode {
  var shape: ExpressionShape { .not(node(wrapped)) }
}

extension PredicateExpressions.Equal: ExpressionNode {
  var shape: ExpressionShape { .equal(node(lhs), node(rhs), isNegated: false) }
}

extension PredicateExpressions.NotEqual: ExpressionNode {
  var shape: ExpressionShape { .equal(node(lhs), node(rhs), isNegated: true) }
}

extension PredicateExpressions.Comparison: ExpressionNode {
  var shape: ExpressionShape {
    let operation: QueryOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: fatalError("A predicate has the unknown comparison '\(op)'.")
      }
    return .order(node(lhs), operation, node(rhs))
  }
}

extension PredicateExpressions.OptionalFlatMap: ExpressionNode {
  var shape: ExpressionShape { .flatMap(node(wrapped), variable.key, node(transform)) }
}

extension PredicateExpressions.NilCoalesce: ExpressionNode {
  var shape: ExpressionShape { .coalesce(node(lhs), node(rhs)) }
}

extension PredicateExpressions.Conditional: ExpressionNode {
  var shape: ExpressionShape { .choice(node(test), then: node(trueBranch), else: node(falseBranch)) }
}

// MARK: - Collections

extension PredicateExpressions.SequenceContains: ExpressionNode {
  var shape: ExpressionShape { .isIn(sequence: node(sequence), node(element)) }
}

extension PredicateExpressions.RangeExpressionContains: ExpressionNode {
  var shape: ExpressionShape { .isWithin(range: node(range), node(element)) }
}

extension PredicateExpressions.SequenceContainsWhere: ExpressionNode {
  var shape: ExpressionShape { .quantified(node(sequence), variable.key, node(test), isAll: false) }
}

extension PredicateExpressions.SequenceAllSatisfy: ExpressionNode {
  var shape: ExpressionShape { .quantified(node(sequence), variable.key, node(test), isAll: true) }
}

extension PredicateExpressions.Filter: ExpressionNode {
  var shape: ExpressionShape { .filter(node(sequence), variable.key, node(filter)) }
}

extension PredicateExpressions.SequenceStartsWith: ExpressionNode {
  var shape: ExpressionShape { .begins(node(base), with: node(prefix)) }
}

extension PredicateExpressions.CollectionContainsCollection: ExpressionNode {
  var shape: ExpressionShape { .contains(node(base), part: node(other)) }
}

extension PredicateExpressions.SequenceMaximum: ExpressionNode {
  var shape: ExpressionShape { .other([node(elements)], mayFail: false) }
}

extension PredicateExpressions.SequenceMinimum: ExpressionNode {
  var shape: ExpressionShape { .other([node(elements)], mayFail: false) }
}

extension PredicateExpressions.CollectionIndexSubscript: ExpressionNode {
  var shape: ExpressionShape { .other([node(wrapped), node(index)], mayFail: true) }
}

extension PredicateExpressions.CollectionRangeSubscript: ExpressionNode {
  var shape: ExpressionShape { .other([node(wrapped), node(range)], mayFail: true) }
}

extension PredicateExpressions.DictionaryKeySubscript: ExpressionNode {
  var shape: ExpressionShape { .other([node(wrapped), node(key)], mayFail: false) }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ExpressionNode {
  var shape: ExpressionShape { .other([node(wrapped), node(key), node(`default`)], mayFail: false) }
}

// MARK: - Values

extension PredicateExpressions.Range: ExpressionNode {
  var shape: ExpressionShape { .other([node(lower), node(upper)], mayFail: true) }
}

extension PredicateExpressions.ClosedRange: ExpressionNode {
  var shape: ExpressionShape { .other([node(lower), node(upper)], mayFail: true) }
}

extension PredicateExpressions.Arithmetic: ExpressionNode {
  var shape: ExpressionShape { .other([node(lhs), node(rhs)], mayFail: true) }
}

extension PredicateExpressions.IntDivision: ExpressionNode {
  var shape: ExpressionShape { .other([node(lhs), node(rhs)], mayFail: true) }
}

extension PredicateExpressions.IntRemainder: ExpressionNode {
  var shape: ExpressionShape { .other([node(lhs), node(rhs)], mayFail: true) }
}

extension PredicateExpressions.FloatDivision: ExpressionNode {
  var shape: ExpressionShape { .other([node(lhs), node(rhs)], mayFail: false) }
}

extension PredicateExpressions.UnaryMinus: ExpressionNode {
  var shape: ExpressionShape { .other([node(wrapped)], mayFail: true) }
}

extension PredicateExpressions.StringContainsRegex: ExpressionNode {
  var shape: ExpressionShape { .other([node(subject), node(regex)], mayFail: true) }
}

extension PredicateExpressions.ForcedUnwrap: ExpressionNode {
  var shape: ExpressionShape { .other([node(inner)], mayFail: true) }
}

extension PredicateExpressions.ForceCast: ExpressionNode {
  var shape: ExpressionShape { .other([node(input)], mayFail: true) }
}

extension PredicateExpressions.ConditionalCast: ExpressionNode {
  var shape: ExpressionShape { .other([node(input)], mayFail: false) }
}

extension PredicateExpressions.TypeCheck: ExpressionNode {
  var shape: ExpressionShape { .other([node(input)], mayFail: false) }
}
