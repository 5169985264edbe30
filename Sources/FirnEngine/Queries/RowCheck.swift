/// A condition that is looked at row by row.
final class RowCheck: Sendable {
  private let kind: Kind

  private enum Kind: @unchecked Sendable {
    // What the cases hold points into the memory of the predicate that the check belongs to, and never changes.

    case value(ResolvedOperand, ValueMatcher)
    case relation(ResolvedOperand, Relation, ResolvedOperand)
    case count(ElementSource, ElementCheck, Comparison, Int)
    case within(ResolvedPlace, SphereRegion)
    case closure(RowClosure)
  }

  private init(_ kind: Kind) { self.kind = kind }

  static func value(_ operand: ResolvedOperand, _ matcher: ValueMatcher) -> RowCheck {
    RowCheck(.value(operand, matcher))
  }

  static func relation(_ left: ResolvedOperand, _ relation: Relation, _ right: ResolvedOperand) -> RowCheck {
    RowCheck(.relation(left, relation, right))
  }

  static func count(
    _ source: ElementSource, _ check: ElementCheck, _ comparison: Comparison, _ number: Int64
  ) -> RowCheck {
    RowCheck(.count(source, check, comparison, Int(number)))
  }

  static func within(_ place: ResolvedPlace, _ region: SphereRegion) -> RowCheck { RowCheck(.within(place, region)) }
  static func closure(_ closure: RowClosure) -> RowCheck { RowCheck(.closure(closure)) }

  var readsBacklinks: Bool {
    switch kind {
    case .within: false
    case .value(let operand, _): operand.readsBacklinks
    case .relation(let left, _, let right): left.readsBacklinks || right.readsBacklinks
    case .count(let source, let check, _, _): source.readsBacklinks || check.readsBacklinks
    case .closure(let closure): closure.readsBacklinks
    }
  }

  func holds(_ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> Bool {
    switch kind {
    case .value(.inside(let path, let steps), let matcher):
      return contents.holds(matcher, inside: path, steps, cluster, slot)
    case .value(let operand, let matcher):
      return matcher.holds(operand.value(cluster, slot, contents), contents)
    case .relation(let left, let relation, let right):
      return relation.holds(left.value(cluster, slot, contents), right.value(cluster, slot, contents))
    case .count(let source, let check, let comparison, let number):
      return check.count(source, cluster, slot, contents, comparison, number)
    case .within(let place, let region):
      return place.point(cluster, slot, contents).map(region.contains) ?? false
    case .closure(let closure): return closure.holds(Cluster.key(cluster, slot), contents)
    }
  }
}

/// A value bound to the layouts of a graph.
enum ResolvedOperand {
  case column(ResolvedPath)
  /// The row itself, of a table.
  case row(TableID)
  case inside(ResolvedPath, [NestedStep])
  case elementCount(ElementSource)
  case aggregate(Aggregate, ElementSource, of: ResolvedPath?)

  var readsBacklinks: Bool {
    switch self {
    case .elementCount(let source), .aggregate(_, let source, _): source.readsBacklinks
    case .column, .row, .inside: false
    }
  }

  /// What matchers take the values for.
  var type: ColumnType {
    switch self {
    case .column(let path): path.column.type
    case .row: .link
    case .inside: .mixed
    case .elementCount: .int
    case .aggregate(let aggregate, let source, let path):
      aggregate.resultType(of: path?.column.type ?? source.type)
    }
  }

  func value(_ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents) -> Value {
    switch self {
    case .column(let path):
      guard let row = path.follow(cluster, slot, contents) else { return .null }
      return contents.value(path.columnIndex, at: row, in: contents.layout.tables[path.table])
    case .row: return .link(Cluster.key(cluster, slot))
    case .inside: return .null
    case .elementCount(let source): return .int(Int64(source.count(cluster, slot, contents)))
    case .aggregate(let aggregate, let source, let path):
      var state = ElementAggregate(aggregate, path?.column.type ?? source.type)
      source.forEach(cluster, slot, contents) { element in
        if let element { state.add(source.value(element, path, contents)) }
        return true
      }
      return state.result
    }
  }
}

extension ElementSource {
  /// An element, or a column of the row that it is.
  fileprivate func value(_ element: UnsafeRawPointer, _ path: ResolvedPath?, _ contents: GraphContents) -> Value {
    guard let path else { return Value(element: element, type: type) }
    let key = RowKey(element.loadUnaligned(as: UInt64.self))
    guard let row = contents.locate(key, in: table) else { return .null }
    return ResolvedOperand.column(path).value(row.cluster, row.slot, contents)
  }
}

extension Relation {
  fileprivate func holds(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .compare(let comparison):
      // A Bool column counts as 0 or 1 beside a number.
      if case .bool = left, case .bool = right { return left.holds(comparison, right) }
      return left.numeric(for: .int).holds(comparison, right.numeric(for: .int))
    case .text(let operation, let options):
      if left == .null || right == .null {
        let areEqual = left == right
        return operation == .equal ? areEqual : (operation == .notEqual && !areEqual)
      }
      let memory = QueryMemory()
      let matches = withExtendedLifetime(memory) {
        right.withText { TextMatcher(operation, Array($0), options, memory: memory).holds(left) }
      }
      return matches ?? (operation == .notEqual)
    }
  }
}

extension GraphContents {
  /// Whether a test holds for what lies inside of a mixed value or a map of a row.
  fileprivate func holds(
    _ matcher: ValueMatcher, inside path: ResolvedPath, _ steps: [NestedStep], _ cluster: UnsafeRawPointer, _ slot: Int
  ) -> Bool {
    guard let row = path.follow(cluster, slot, self) else { return holds(matcher, inside: .null, steps[...]) }
    let layout = layout.tables[path.table]
    if path.column.storage != .map {
      return holds(matcher, inside: value(path.columnIndex, at: row, in: layout), steps[...])
    }
    guard case .key(let key) = steps.first else { return false }
    let value =
      mapValue(forKey: key, ColumnID(path.columnIndex), of: Cluster.key(row.cluster, row.slot), in: TableID(path.table))
    return holds(matcher, inside: value ?? .null, steps.dropFirst())
  }
}
