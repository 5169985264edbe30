internal import FirnEngine

/// What a ``Query`` stands for, whatever its type.
@usableFromInline
struct QueryNode {
  private let content: Content

  private enum Content {
    /// The object or value that a condition in a realm is about.
    case root(ResultsCore)
    /// A plain property of the queried class itself. Takes no memory and counts no references.
    case own(OwnColumn)
    case keyPath(QueryKeyPath)
    indirect case subquery(QuerySubquery)
    /// The most frequent condition, which becomes a query without an expression.
    case comparison(OwnComparison)
    case range(OwnRange)
    case condition(QueryExpression)
  }

  private init(_ content: Content) { self.content = content }

  init(_ expression: QueryExpression) { content = .condition(expression) }

  init(_ subquery: QuerySubquery) { content = .subquery(subquery) }

  /// The object or value that a condition is about.
  @usableFromInline
  init(_ core: ResultsCore) { content = .root(core) }

  /// The object or value of a condition that is bound to no realm.
  static var unbound: QueryNode { QueryNode(.keyPath(QueryKeyPath([]))) }

  // MARK: Paths

  @usableFromInline
  func member(_ keyPath: AnyKeyPath, of type: ObjectBase.Type) -> QueryNode { member(keyPath, of: type) { $0 } }

  /// - Parameter subject: Makes the value that the key path is applied to, if that is not the object itself.
  func member(_ keyPath: AnyKeyPath, of type: ObjectBase.Type, _ subject: (ObjectBase) -> Any) -> QueryNode {
    switch content {
    case .root(let core):
      if let own = core.ownColumns[keyPath, core.tableIndex] { return QueryNode(.own(own)) }
      let path = ClassPath.of(keyPath, on: type, subject)
      if let own = core.ownColumn(path) {
        core.ownColumns.insert(keyPath, core.tableIndex, own)
        return QueryNode(.own(own))
      }
      return QueryNode(.keyPath(QueryKeyPath(path)))
    case .keyPath(let path): return QueryNode(.keyPath(path.appending(ClassPath.of(keyPath, on: type, subject))))
    case .own, .subquery, .comparison, .range, .condition:
      fatalError("Cannot apply a keypath to an expression that is not an object.")
    }
  }

  /// The path with one step more: into a mixed value, or to the keys, the values or one value of a map.
  func appending(_ component: QueryKeyPath.Component) -> QueryNode {
    guard let path else { fatalError("Cannot add subscript to an expression that is no property.") }
    return QueryNode(.keyPath(path.appending(component)))
  }

  /// What an operator makes of the collection on the path.
  func aggregate(_ aggregate: QueryAggregate) -> QueryNode {
    guard let path else { fatalError("Cannot apply a keypath to an expression that is no property: \(aggregate).") }
    return QueryNode(.keyPath(path.aggregated(aggregate)))
  }

  private var path: QueryKeyPath? {
    switch content {
    case .root: QueryKeyPath([])
    case .own(let own): QueryKeyPath([.property(own.name.text)])
    case .keyPath(let path): path
    case .subquery, .comparison, .range, .condition: nil
    }
  }

  /// The same, as one side of a comparison.
  var operand: QueryOperand {
    if case .subquery(let subquery) = content { return .subquery(subquery) }
    guard let path else { fatalError("A condition cannot be compared with a value. Use &&, || and !.") }
    return .keyPath(path.components.isEmpty ? QueryKeyPath([.itself]) : path)
  }

  /// The same, to be read as another type.
  var value: QueryNode {
    if path == nil { fatalError("A condition has no value.") }
    return self
  }

  // MARK: Comparing

  /// Whether ``compareOwn(_:_:)`` may be called.
  @usableFromInline
  var isOwn: Bool { if case .own = content { true } else { false } }

  @usableFromInline
  func isOwnEqual(to constant: _Constant) -> QueryNode { compareOwn(.equal, constant) }

  func compareOwn(_ comparison: Comparison, _ constant: _Constant) -> QueryNode {
    guard case .own(let own) = content else { fatalError("The expression is no plain property.") }
    return QueryNode(
      .comparison(OwnComparison(column: own.column, name: own.name, comparison: comparison, constant: constant)))
  }

  /// Nil for texts, of which there are no ranges.
  @usableFromInline
  func isOwn(from lower: _Constant, to upper: _Constant) -> QueryNode? {
    guard case .own(let own) = content, let lower = lower.scalar, let upper = upper.scalar else { return nil }
    return QueryNode(.range(OwnRange(own, lower, upper)))
  }

  func compare(_ operation: QueryOperator, _ right: QueryOperand, _ options: StringOptions = []) -> QueryNode {
    if case .constant(let constant) = right, let holds = constant.given as? Bool, let condition {
      return holds == (operation == .equal) ? self : QueryNode(condition.negated)
    }
    let left = operand
    let modifier: QueryComparison.Modifier = left.needsAny || right.needsAny ? .any : .direct
    return QueryNode(
      .comparison(
        QueryComparison(modifier: modifier, left: left, operation: operation, options: options, right: right)))
  }

  /// Whether the collection has a value.
  func hasElement(_ value: Any) -> QueryNode {
    QueryNode(.comparison(QueryComparison(left: .constant(QueryConstant(value)), operation: .isIn, right: operand)))
  }

  // MARK: Conditions

  /// What was put together as a condition; nil for a property, also of type Bool.
  private var condition: QueryExpression? {
    switch content {
    case .comparison(let own): .own(own)
    case .range(let own): .comparison(own.named)
    case .condition(let expression): expression
    case .root, .own, .keyPath, .subquery: nil
    }
  }

  /// The condition, or that a Bool property is true.
  var expression: QueryExpression {
    if let condition { return condition }
    guard case .keyPath(let path) = operand else { fatalError("A number is no condition: compare it with another.") }
    return .flag(path, true)
  }

  /// What a query in a collection keeps of the condition. Traps for one that does not suit the class.
  func filter(in core: ResultsCore) -> Filter {
    switch content {
    case .own(let own): .comparison(own.column, .equal, _Constant(.bool(true)))
    case .comparison(let own): .comparison(own.column, own.comparison, own.constant)
    case .range(let own): .range(own)
    case .root, .keyPath, .subquery, .condition: .predicate(core.predicate(for: expression))
    }
  }
}

extension ResultsCore {
  /// The column of a plain property of the class itself.
  func ownColumn(_ path: ClassPath) -> OwnColumn? {
    guard path.isPlain, case .property(let name)? = path.components.first,
      let column = table.layout.descriptions.firstIndex(where: { $0.name == name })
    else { return nil }
    return OwnColumn(column: ColumnID(column), name: PropertyName(name))
  }
}
