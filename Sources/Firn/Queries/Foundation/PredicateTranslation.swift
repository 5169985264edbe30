internal import FirnEngine
internal import Foundation

/// Makes of a predicate of Foundation a condition by names, which means the same, and of the parts of it for which there
/// is none closures.
struct PredicateTranslation {
  /// Makes a closure that holds where some conditions on the queried object do, looked at one after the other.
  typealias ClosureMaker = ([any ExpressionNode], Set<[PathStep]>) -> RowClosure

  let core: ResultsCore
  private let variable: PredicateExpressions.VariableID
  private let makeClosure: ClosureMaker
  /// The ways from the object that a condition is about to what variables stand for.
  private var places: [PredicateExpressions.VariableID: [QueryKeyPath.Component]]
  /// Whether a condition is about the queried object, and about no other variable.
  private var isOutermost = true
  private var depth = 0

  /// So deep may conditions lie within each other; chains of `&&` and of `||` count once.
  private static let depthMax = PredicateLimits.depthMax

  init(
    _ core: ResultsCore, _ variable: PredicateExpressions.VariableID, makeClosure: @escaping ClosureMaker
  ) {
    self.core = core
    self.variable = variable
    self.makeClosure = makeClosure
    places = [variable: []]
  }

  /// A part that may fail is a closure wholly, so that no more of it is evaluated than Foundation would; but for what is
  /// joined by `&&` alone, where a part that throws and one that does not hold come to the same. Closures come after all
  /// else, in the order of the text, so that one may rely on what stands before it.
  mutating func condition(_ node: any ExpressionNode) -> QueryExpression {
    var parts: [QueryExpression] = []
    var left: [any ExpressionNode] = []
    for part in node.operands(isAnd: true) {
      if PredicateReads.of([part], variable, core).mayFail {
        left.append(part)
      } else if part.joins {
        parts.append(expression(part) ?? closure([part]))
      } else if let exact = exact(part) {
        parts.append(exact)
      } else {
        if let bound = bound(of: part) { parts.append(bound) }
        left.append(part)
      }
    }
    if !left.isEmpty { parts.append(closure(left)) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private func closure(_ nodes: [any ExpressionNode]) -> QueryExpression {
    .closure(makeClosure(nodes, PredicateReads.of(nodes, variable, core).paths))
  }

  // MARK: Conditions

  /// Nil where nothing but a closure means the same, which can be made for a condition on the queried object only.
  private mutating func expression(_ node: any ExpressionNode) -> QueryExpression? {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax { PredicateReads.trapForDepth() }
    switch node.shape {
    case .and: return expressions(node.operands(isAnd: true)).map { .and($0) }
    case .or: return expressions(node.operands(isAnd: false)).map { .or($0) }
    case .not(let part): return expression(part).map { .not($0) }
    case .choice(let test, let first, let second):
      guard let test = expression(test), let first = expression(first), let second = expression(second) else {
        return nil
      }
      return .or([.and([test, first]), .and([.not(test), second])])
    default:
      if let exact = exact(node) { return exact }
      if !isOutermost { return nil }
      return bound(of: node).map { .and([$0, closure([node])]) } ?? closure([node])
    }
  }

  private mutating func expressions(_ nodes: [any ExpressionNode]) -> [QueryExpression]? {
    var expressions: [QueryExpression] = []
    for node in nodes {
      guard let expression = expression(node) else { return nil }
      expressions.append(expression)
    }
    return expressions
  }

  private mutating func exact(_ node: any ExpressionNode) -> QueryExpression? {
    switch node.shape {
    case .value(let value): return (value as? Bool).map { .constant($0) }
    case .property:
      if let collection = emptiness(node) { return comparison(counting: collection, .equal, 0) }
      guard let path = place(node), case .flag? = ComparedType(node.outputType) else { return nil }
      return comparison(path, .equal, true)
    case .equal(let left, let right, let isNegated):
      guard let equality = equality(left, right) ?? equality(right, left) else { return nil }
      return isNegated ? .not(equality) : equality
    case .order(let left, let operation, let right):
      if let order = order(left, operation, right) { return order }
      return operation.mirrored.flatMap { order(right, $0, left) }
    case .isIn(let sequence, let element): return membership(sequence, element)
    case .isWithin(let range, let element):
      guard let range = range.constant?.value as? any ConstantRange else { return nil }
      return within(range, element)
    case .quantified(let sequence, let variable, let test, let isAll):
      guard let subquery = subquery(sequence, variable, test, isNegated: isAll) else { return nil }
      return comparison(.subquery(subquery), isAll ? .equal : .greater, 0)
    case .coalesce(let left, let right):
      guard case .flatMap(let wrapped, let variable, let body) = left.shape, let path = place(wrapped),
        let other = right.constant?.value as? Bool, body.outputType == Bool.self
      else { return nil }
      let isThere = comparison(path, .notEqual, nil)
      let wasOutermost = isOutermost
      isOutermost = false
      places[variable] = path
      defer { isOutermost = wasOutermost }
      guard let holds = expression(body) else { return nil }
      return other ? .or([.not(isThere), holds]) : .and([isThere, holds])
    default: return nil
    }
  }

  // MARK: Comparisons

  private mutating func equality(_ left: any ExpressionNode, _ right: any ExpressionNode) -> QueryExpression? {
    if let constant = right.constant {
      if let number = constant.value as? Int, let collection = count(left) {
        return comparison(counting: collection, .equal, number)
      }
      if let path = place(left) { return equality(path, left.outputType, constant.unwrapped) }
      guard case .coalesce(let inner, let other) = left.shape, let path = place(inner), let other = other.constant,
        let value = constant.unwrapped, let equal = equality(path, inner.outputType, value)
      else { return nil }
      return areEqual(other.value, value) ? .or([equal, comparison(path, .equal, nil)]) : equal
    }
    guard let leftPath = place(left), let rightPath = place(right) else { return nil }
    switch ComparedType(left.outputType) {
    case .exact?, .flag?, .object?:
      return .comparison(
        QueryComparison(left: operand(leftPath), operation: .equal, right: operand(rightPath)))
    case .text?, nil: return nil
    }
  }

  /// - Parameter value: Nil for null.
  private func equality(_ path: [QueryKeyPath.Component], _ type: Any.Type, _ value: Any?) -> QueryExpression? {
    guard let compared = ComparedType(type) else { return nil }
    guard case .text = compared, let value else { return comparison(path, .equal, value) }
    guard let text = value as? String, let texts = EqualTexts.all(of: text) else { return nil }
    return texts.count == 1 ? comparison(path, .equal, text) : isIn(path, texts)
  }

  private mutating func order(
    _ left: any ExpressionNode, _ operation: QueryOperator, _ right: any ExpressionNode
  ) -> QueryExpression? {
    if let constant = right.constant {
      if let number = constant.value as? Int, let collection = count(left) {
        return comparison(counting: collection, operation, number)
      }
      guard case .exact(isOrdered: true)? = ComparedType(left.outputType) else { return nil }
      if let path = place(left) { return comparison(path, operation, constant.value) }
      guard case .coalesce(let inner, let other) = left.shape, let path = place(inner), let other = other.constant,
        let holds = holds(other.value, operation, constant.value)
      else { return nil }
      let compared = comparison(path, operation, constant.value)
      return holds ? .or([compared, comparison(path, .equal, nil)]) : compared
    }
    guard case .exact(isOrdered: true)? = ComparedType(left.outputType), let leftPath = place(left),
      let rightPath = place(right)
    else { return nil }
    return .comparison(QueryComparison(left: operand(leftPath), operation: operation, right: operand(rightPath)))
  }

  private mutating func within(_ range: any ConstantRange, _ element: any ExpressionNode) -> QueryExpression? {
    guard case .exact(isOrdered: true)? = ComparedType(element.outputType), let path = place(element) else {
      return nil
    }
    let (lower, upper, includesUpper) = range.bounds
    var parts: [QueryExpression] = []
    if let lower { parts.append(comparison(path, .greaterOrEqual, lower)) }
    if let upper { parts.append(comparison(path, includesUpper ? .lessOrEqual : .less, upper)) }
    return parts.isEmpty ? nil : .and(parts)
  }

  private mutating func membership(
    _ sequence: any ExpressionNode, _ element: any ExpressionNode
  ) -> QueryExpression? {
    if let constant = sequence.constant {
      if let range = constant.value as? any ConstantRange { return within(range, element) }
      guard let path = place(element), let compared = ComparedType(element.outputType),
        let values = constant.value as? any Sequence
      else { return nil }
      return isIn(path, compared, Self.elements(of: values))
    }
    guard let path = place(sequence), let type = sequence.outputType as? any CountedElements.Type,
      let constant = element.constant
    else { return nil }
    switch ComparedType(type.elementType) {
    case nil: return nil
    // Collections look for NaN and zeros in their own way.
    case .exact? where constant.unwrapped is any BinaryFloatingPoint: return nil
    // Collections of texts look for bytes, too.
    case .text?, .exact?, .flag?, .object?: break
    }
    let value = QueryOperand.constant(QueryConstant(constant.unwrapped))
    return .comparison(QueryComparison(left: value, operation: .isIn, right: operand(path)))
  }

  private func isIn(
    _ path: [QueryKeyPath.Component], _ compared: ComparedType, _ values: [Any?]
  ) -> QueryExpression? {
    guard case .text = compared else { return isIn(path, values) }
    var all: [Any?] = []
    for value in values {
      guard let value else {
        all.append(nil)
        continue
      }
      guard let text = value as? String, let texts = EqualTexts.all(of: text) else { return nil }
      all += texts
    }
    return isIn(path, all)
  }

  private static func elements<Values: Sequence>(of values: Values) -> [Any?] { values.map { Unwrapping.value($0) } }

  // MARK: Collections

  /// The collection whose elements are counted, and the condition for an element to count.
  private typealias Counted = (path: [QueryKeyPath.Component], subquery: QuerySubquery?)

  private mutating func count(_ node: any ExpressionNode) -> Counted? { counted(node) { $0.countPath } }

  private mutating func emptiness(_ node: any ExpressionNode) -> Counted? { counted(node) { $0.isEmptyPath } }

  private mutating func counted(
    _ node: any ExpressionNode, _ own: (any CountedElements.Type) -> AnyKeyPath
  ) -> Counted? {
    guard case .property(let sequence, let keyPath) = node.shape,
      let type = sequence.outputType as? any CountedElements.Type, own(type) == keyPath
    else { return nil }
    if case .filter(let all, let variable, let test) = sequence.shape {
      return subquery(all, variable, test, isNegated: false).map { (path: [], subquery: $0) }
    }
    return place(sequence).map { (path: $0, subquery: nil) }
  }

  private func comparison(counting counted: Counted, _ operation: QueryOperator, _ number: Int) -> QueryExpression {
    if let subquery = counted.subquery { return comparison(.subquery(subquery), operation, number) }
    return comparison(counted.path + [.aggregate(.count)], operation, number)
  }

  private mutating func subquery(
    _ sequence: any ExpressionNode, _ variable: PredicateExpressions.VariableID, _ test: any ExpressionNode,
    isNegated: Bool
  ) -> QuerySubquery? {
    guard let path = place(sequence), let type = sequence.outputType as? any CountedElements.Type,
      type.elementType is ObjectBase.Type
    else { return nil }
    let outer = (places, isOutermost)
    defer { (places, isOutermost) = outer }
    let name = "element\(depth)"
    // What is said of the objects around is not said of the element.
    places = [variable: [.variable(name)]]
    isOutermost = false
    guard let condition = expression(test) else { return nil }
    return QuerySubquery(
      collection: QueryKeyPath(path), variable: name, condition: isNegated ? .not(condition) : condition)
  }

  // MARK: Bounds

  /// A condition that the engine can evaluate and that holds wherever that on a text does.
  private mutating func bound(of node: any ExpressionNode) -> QueryExpression? {
    let (text, operation, part): (any ExpressionNode, QueryOperator, any ExpressionNode)
    switch node.shape {
    case .begins(let base, let prefix): (text, operation, part) = (base, .beginsWith, prefix)
    case .contains(let base, let other): (text, operation, part) = (base, .contains, other)
    default: return nil
    }
    guard text.outputType == String.self, let path = place(text), let part = part.constant?.value as? String,
      !part.isEmpty, let texts = EqualTexts.all(of: part)
    else { return nil }
    let parts = texts.map { comparison(path, operation, $0) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  // MARK: Paths

  /// The way to a persisted property through single links, or to an object; nil for anything else.
  private mutating func place(_ node: any ExpressionNode) -> [QueryKeyPath.Component]? {
    switch node.shape {
    case .variable(let variable): return places[variable]
    case .property(let root, let keyPath):
      guard let type = root.outputType as? ObjectBase.Type, let path = place(root),
        let name = ExactProperty.name(of: keyPath, on: type)
      else { return nil }
      return path + [.property(name)]
    case .flatMap(let wrapped, let variable, let transform):
      guard case .object? = ComparedType(wrapped.outputType), let path = place(wrapped) else { return nil }
      places[variable] = path
      return place(transform)
    default: return nil
    }
  }

  private func operand(_ path: [QueryKeyPath.Component]) -> QueryOperand {
    .keyPath(QueryKeyPath(path.isEmpty ? [.itself] : path))
  }

  private func comparison(
    _ path: [QueryKeyPath.Component], _ operation: QueryOperator, _ value: Any?
  ) -> QueryExpression {
    comparison(operand(path), operation, value)
  }

  private func comparison(_ left: QueryOperand, _ operation: QueryOperator, _ value: Any?) -> QueryExpression {
    .comparison(QueryComparison(left: left, operation: operation, right: .constant(QueryConstant(value))))
  }

  private func isIn(_ path: [QueryKeyPath.Component], _ values: [Any?]) -> QueryExpression {
    .comparison(
      QueryComparison(left: operand(path), operation: .isIn, right: .list(QueryList(elements: values))))
  }

  // MARK: Constants

  private func areEqual(_ left: Any, _ right: Any) -> Bool {
    func equals<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    return (left as? any Equatable).map { equals($0) } ?? false
  }

  private func holds(_ left: Any, _ operation: QueryOperator, _ right: Any) -> Bool? {
    func holds<Value: Comparable>(_ left: Value) -> Bool? {
      guard let right = right as? Value else { return nil }
      switch operation {
      case .less: return left < right
      case .lessOrEqual: return left <= right
      case .greater: return left > right
      case .greaterOrEqual: return left >= right
      default: return nil
      }
    }
    return (left as? any Comparable).flatMap { holds($0) }
  }
}
