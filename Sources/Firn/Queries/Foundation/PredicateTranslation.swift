internal import FirnEngine
internal import Foundation

/// Makes of a predicate of Foundation a condition by names, which means the same, and of the parts of it for which there
/// is none closures.
struct PredicateTranslation {
  /// The way to an object or a property.
  struct Place {
    var components: [QueryKeyPath.Component] = []
    /// Whether the property itself may be nil, or the object that a link leads to.
    var isOptional = false
  }

  /// Makes a closure that holds where some conditions on the queried object do, looked at one after the other.
  typealias ClosureMaker = ([any ExpressionNode], Set<[PathStep]>) -> RowClosure

  let core: ResultsCore
  private let variable: PredicateExpressions.VariableID
  private let makeClosure: ClosureMaker
  /// The ways from the object that a condition is about to what variables stand for.
  private var places: [PredicateExpressions.VariableID: Place]
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
    places = [variable: Place()]
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

  func closure(_ nodes: [any ExpressionNode]) -> QueryExpression {
    .closure(makeClosure(nodes, PredicateReads.of(nodes, variable, core).paths))
  }

  // MARK: Conditions

  /// Nil where nothing but a closure means the same, which can be made for a condition on the queried object only.
  mutating func expression(_ node: any ExpressionNode) -> QueryExpression? {
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

  mutating func expressions(_ nodes: [any ExpressionNode]) -> [QueryExpression]? {
    var expressions: [QueryExpression] = []
    for node in nodes {
      guard let expression = expression(node) else { return nil }
      expressions.append(expression)
    }
    return expressions
  }

  mutating func exact(_ node: any ExpressionNode) -> QueryExpression? {
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
      let isNil = isNil(path)
      let wasOutermost = isOutermost
      isOutermost = false
      places[variable] = path
      defer { isOutermost = wasOutermost }
      guard let holds = expression(body) else { return nil }
      return other ? .or([isNil, holds]) : .and([.not(isNil), holds])
    default: return nil
    }
  }

  // MARK: Collections

  /// The collection whose elements are counted, and the condition for an element to count.
  typealias Counted = (path: Place, subquery: QuerySubquery?)

  mutating func count(_ node: any ExpressionNode) -> Counted? { counted(node) { $0.countPath } }

  mutating func emptiness(_ node: any ExpressionNode) -> Counted? { counted(node) { $0.isEmptyPath } }

  mutating func counted(
    _ node: any ExpressionNode, _ own: (any CountedElements.Type) -> AnyKeyPath
  ) -> Counted? {
    guard case .property(let sequence, let keyPath) = node.shape,
      let type = sequence.outputType as? any CountedElements.Type, own(type) == keyPath
    else { return nil }
    if case .filter(let all, let variable, let test) = sequence.shape {
      return subquery(all, variable, test, isNegated: false).map { (path: Place(), subquery: $0) }
    }
    return place(sequence).map { (path: $0, subquery: nil) }
  }

  func comparison(counting counted: Counted, _ operation: QueryOperator, _ number: Int) -> QueryExpression {
    if let subquery = counted.subquery { return comparison(.subquery(subquery), operation, number) }
    let count = Place(components: counted.path.components + [.aggregate(.count)])
    return comparison(count, operation, number)
  }

  mutating func subquery(
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
    places = [variable: Place(components: [.variable(name)])]
    isOutermost = false
    guard let condition = expression(test) else { return nil }
    return QuerySubquery(
      collection: QueryKeyPath(path.components), variable: name, condition: isNegated ? .not(condition) : condition)
  }

  // MARK: Bounds

  /// A condition that the engine can evaluate and that holds wherever that on a text does.
  mutating func bound(of node: any ExpressionNode) -> QueryExpression? {
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
  mutating func place(_ node: any ExpressionNode) -> Place? {
    switch node.shape {
    case .variable(let variable): return places[variable]
    case .property(let root, let keyPath):
      guard let type = root.outputType as? ObjectBase.Type, let path = place(root),
        let name = ExactProperty.name(of: keyPath, on: type)
      else { return nil }
      return Place(
        components: path.components + [.property(name)], isOptional: node.outputType is any OptionalProtocol.Type)
    case .flatMap(let wrapped, let variable, let transform):
      guard case .object? = ComparedType(wrapped.outputType), let path = place(wrapped) else { return nil }
      places[variable] = path
      return place(transform)
    default: return nil
    }
  }

  /// Whether there is no value at the end of a path. A property that is never nil is missing where the link to its object
  /// is nil.
  func isNil(_ path: Place) -> QueryExpression {
    if path.isOptional { return comparison(path, .equal, nil) }
    let link = Place(components: path.components.dropLast(), isOptional: true)
    guard case .property? = link.components.last else { return .constant(false) }
    return comparison(link, .equal, nil)
  }

  func operand(_ path: Place) -> QueryOperand {
    .keyPath(QueryKeyPath(path.components.isEmpty ? [.itself] : path.components))
  }

  func comparison(
    _ path: Place, _ operation: QueryOperator, _ value: Any?
  ) -> QueryExpression {
    comparison(operand(path), operation, value)
  }

  func comparison(_ left: QueryOperand, _ operation: QueryOperator, _ value: Any?) -> QueryExpression {
    .comparison(QueryComparison(left: left, operation: operation, right: .constant(QueryConstant(value))))
  }

  func isIn(_ path: Place, _ values: [Any]) -> QueryExpression {
    .comparison(
      QueryComparison(left: operand(path), operation: .isIn, right: .list(QueryList(elements: values))))
  }
}
