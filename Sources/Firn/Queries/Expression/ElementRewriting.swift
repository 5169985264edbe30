/// Makes of a condition on an object one on the elements of a collection of the object.
///
/// The condition uses one collection, and all its uses are the same element then. Paths without a collection are looked
/// for in the element as well.
struct ElementRewriting {
  private var collection: QueryKeyPath?

  /// The number of elements that satisfy a condition. Traps for a condition that is not about one collection.
  static func subquery(_ condition: QueryExpression) -> QuerySubquery {
    var rewriting = ElementRewriting()
    let rewritten = rewriting.rewrite(condition)
    QueryExpression.check(condition.depth + 1)
    guard let collection = rewriting.collection else {
      fatalError(
        "Subqueries must contain a keypath starting with a collection: '\(QueryPrinter.text(of: condition))' has none.")
    }
    return QuerySubquery(collection: collection, variable: "", condition: rewritten)
  }

  private mutating func rewrite(_ expression: QueryExpression) -> QueryExpression {
    switch expression {
    case .constant, .closure: return expression
    case .and(let parts): return .and(parts.map { rewrite($0) })
    case .or(let parts): return .or(parts.map { rewrite($0) })
    case .joined(let junction):
      let parts = junction.parts.map { rewrite($0) }
      return junction.joint == .and ? .and(parts) : .or(parts)
    case .not(let inner): return .not(rewrite(inner))
    case .flag(let path, let value): return .flag(rewrite(path), value)
    case .own(let own): return .comparison(own.named)
    case .comparison(let comparison): return .comparison(rewrite(comparison))
    }
  }

  private mutating func rewrite(_ comparison: QueryComparison) -> QueryComparison {
    var result = comparison
    result.left = rewrite(comparison.left)
    result.right = rewrite(comparison.right)
    let needsAny = result.left.needsAny || result.right.needsAny
    if comparison.modifier == .any, !needsAny { result.modifier = .direct }
    if comparison.operation == .isIn, case .constant = comparison.left, !needsAny {
      // Whether the collection has a value: for an element, whether it is the value.
      result.operation = .equal
      swap(&result.left, &result.right)
    }
    return result
  }

  private mutating func rewrite(_ operand: QueryOperand) -> QueryOperand {
    switch operand {
    case .keyPath(let path): .keyPath(rewrite(path))
    // A collection of its own, of the element's class.
    case .constant, .list, .subquery: operand
    }
  }

  private mutating func rewrite(_ path: QueryKeyPath) -> QueryKeyPath {
    if case .variable? = path.components.first { return path }
    if path.hasSubscripts || path.components.contains(.allKeys) {
      fatalError("Subqueries do not support subscripts and keys of maps: '\(QueryPrinter.text(of: path))'.")
    }
    guard let place = path.collections.first else { return path }
    let found = Array(path.components[...place])
    if let collection, collection.components != found {
      fatalError(
        "A subquery is about the elements of one collection: '\(QueryPrinter.text(of: collection))' and "
          + "'\(QueryPrinter.text(of: QueryKeyPath(found)))' are two. Count them one by one.")
    }
    var start = QueryKeyPath(found)
    start.collections = [place]
    collection = start
    let isValues = path.components.count > place + 1 && path.components[place + 1] == .allValues
    let rest = path.components[(place + (isValues ? 2 : 1))...]
    var result = QueryKeyPath([.variable("")] + rest)
    result.collections = path.collections.dropFirst().map { $0 - place - (isValues ? 1 : 0) }
    return result
  }
}

extension QueryOperand {
  /// Whether it stands for several values.
  var needsAny: Bool { if case .keyPath(let path) = self { path.needsAny } else { false } }
}
