/// What each shape of a predicate becomes.
extension PredicateCompiler: PredicateVisitor {
  func constant(_ holds: Bool) -> ConditionDraft { .constant(holds) }

  mutating func and(_ parts: [Predicate]) -> ConditionDraft { .conjunction(parts.map { draft($0) }) }

  mutating func or(_ parts: [Predicate]) -> ConditionDraft { .disjunction(parts.map { draft($0) }) }

  mutating func not(_ part: Predicate) -> ConditionDraft { draft(part).negated }

  mutating func test(_ operand: Operand, _ test: ValueTest) -> ConditionDraft {
    guard case .column(let path) = operand else { return check(resolve(operand), test) }
    let route = route(path)
    if route.column.storage.isCollection { return .constant(false) }
    switch test {
    case .compare(let comparison, let value): return compare(route, comparison, value)
    case .isIn(let values): return isIn(route, values)
    case .text(let operation, let pattern, let options) where route.column.type != .mixed:
      return text(route, operation, pattern, options)
    case .text, .nested: return check(.column(route), test)
    }
  }

  mutating func relation(_ left: Operand, _ relation: Relation, _ right: Operand) -> ConditionDraft {
    let (left, right) = (resolve(left), resolve(right))
    for case .column(let route) in [left, right] where route.column.storage.isCollection { return .constant(false) }
    if case .compare(let comparison) = relation, case .column(let left) = left, case .column(let right) = right {
      return .columns(left, comparison, right)
    }
    return .check(.relation(left, relation, right), cost: 300, of: nil, equalTo: [])
  }

  mutating func count(
    _ collection: CollectionPath, where condition: Predicate, _ comparison: Comparison, _ number: Int64
  ) -> ConditionDraft {
    let source = ElementSource(collection, from: table, layout, memory)
    return .check(.count(source, elementCheck(condition, source), comparison, number), cost: 500, of: nil, equalTo: [])
  }

  mutating func within(_ place: PlacePath, _ region: SphereRegion) -> ConditionDraft {
    .within(ResolvedPlace(place, from: table, among: layout.tables, memory), region)
  }

  func closure(_ closure: RowClosure) -> ConditionDraft {
    .check(.closure(closure), cost: 10_000, of: nil, equalTo: [])
  }

  private func elementCheck(_ condition: Predicate, _ source: ElementSource) -> ElementCheck {
    if condition == .constant(true) { return .every }
    var compiler = ValueCheckCompiler(source.type, memory)
    let onValues = condition.accept(&compiler)
    if source.type != .link { return .values(onValues) }
    let predicate = CompiledPredicate(condition, table: source.table, layout: layout, isOfElements: true)
    // A null has no columns.
    return .rows(predicate, matchesNull: !compiler.readsColumns && onValues.holdsForNull)
  }

  private func check(_ operand: ResolvedOperand, _ test: ValueTest) -> ConditionDraft {
    .check(.value(operand, ValueMatcher(test, operand.type, memory: memory)), cost: 300, of: nil, equalTo: [])
  }

  private func resolve(_ operand: Operand) -> ResolvedOperand {
    switch operand {
    case .column(let path): .column(route(path))
    case .element: .row(table)
    case .inside(let path, let steps): .inside(route(path), steps)
    case .elementCount(let collection): .elementCount(ElementSource(collection, from: table, layout, memory))
    case .aggregate(let aggregate, let collection, let column): resolve(aggregate, collection, column)
    }
  }

  private func resolve(
    _ aggregate: Aggregate, _ collection: CollectionPath, _ column: ColumnPath?
  ) -> ResolvedOperand {
    let source = ElementSource(collection, from: table, layout, memory)
    return .aggregate(aggregate, source, of: column.map { memory.route($0, from: source.table, in: layout) })
  }
}
