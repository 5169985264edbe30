/// What has to hold for the elements of a collection that are counted.
enum ElementCheck {
  case every
  /// Of elements that are rows; an element that is null, and `matchesNull`.
  case rows(CompiledPredicate, matchesNull: Bool)
  case values(ValueCheck)

  var readsBacklinks: Bool {
    if case .rows(let predicate, _) = self { return predicate.readsBacklinks }
    return false
  }

  /// Whether the number of such elements compares so with another; stops as soon as that is known.
  func count(
    _ source: ElementSource, _ cluster: UnsafeRawPointer, _ slot: Int, _ contents: GraphContents,
    _ comparison: Comparison, _ number: Int
  ) -> Bool {
    func holds(_ count: Int) -> Bool { comparison.holds(count < number ? -1 : (count == number ? 0 : 1)) }
    if case .every = self { return holds(source.count(cluster, slot, contents)) }
    // Nothing changes beyond this count.
    let enough = comparison == .less || comparison == .greaterOrEqual ? number : (number == .max ? .max : number + 1)
    var count = 0
    if count >= enough { return holds(count) }
    source.forEach(cluster, slot, contents) { element in
      if matches(element, source, contents) { count &+= 1 }
      return count < enough
    }
    return holds(count)
  }

  @inline(__always)
  private func matches(_ element: UnsafeRawPointer?, _ source: ElementSource, _ contents: GraphContents) -> Bool {
    switch self {
    case .every: return true
    case .rows(let predicate, let matchesNull):
      guard let element else { return matchesNull }
      return predicate.matches(RowKey(element.loadUnaligned(as: UInt64.self)), in: contents)
    case .values(let check): return check.holds(element, source.type, contents)
    }
  }
}

/// A condition on single values: elements of a collection, keys of a map.
indirect enum ValueCheck {
  case constant(Bool)
  case all([ValueCheck])
  case any([ValueCheck])
  case not(ValueCheck)
  case test(ValueMatcher)

  /// Whether the condition holds for null.
  var holdsForNull: Bool {
    switch self {
    case .constant(let holds): holds
    case .all(let parts): parts.allSatisfy(\.holdsForNull)
    case .any(let parts): parts.contains(where: \.holdsForNull)
    case .not(let part): !part.holdsForNull
    case .test(let matcher): matcher.holdsForNull
    }
  }

  /// - Parameter element: What a list stores for the element; nil for null.
  func holds(_ element: UnsafeRawPointer?, _ type: ColumnType, _ contents: GraphContents) -> Bool {
    switch self {
    case .constant(let holds): return holds
    case .all(let parts): return parts.allSatisfy { $0.holds(element, type, contents) }
    case .any(let parts): return parts.contains { $0.holds(element, type, contents) }
    case .not(let part): return !part.holds(element, type, contents)
    case .test(let matcher):
      guard let element else { return matcher.holdsForNull }
      if type == .string || type == .data {
        let blob = Blob(word: element.loadUnaligned(as: UInt64.self))
        if let holds = blob.withBytes(matcher.holds) { return holds }
      }
      return matcher.holds(Value(element: element, type: type), contents)
    }
  }
}

/// Brings a condition on values, or on null in the place of a row, into this form.
struct ValueCheckCompiler: PredicateVisitor {
  let type: ColumnType
  let memory: QueryMemory
  /// Whether the condition reads columns, which values do not have.
  private(set) var readsColumns = false

  init(_ type: ColumnType, _ memory: QueryMemory) {
    self.type = type
    self.memory = memory
  }

  func constant(_ holds: Bool) -> ValueCheck { .constant(holds) }
  mutating func and(_ parts: [Predicate]) -> ValueCheck { .all(parts.map { $0.accept(&self) }) }
  mutating func or(_ parts: [Predicate]) -> ValueCheck { .any(parts.map { $0.accept(&self) }) }
  mutating func not(_ part: Predicate) -> ValueCheck { .not(part.accept(&self)) }

  mutating func test(_ operand: Operand, _ test: ValueTest) -> ValueCheck {
    if operand == .element { return .test(ValueMatcher(test, type, memory: memory)) }
    readsColumns = true
    return .constant(false)
  }

  mutating func relation(_ left: Operand, _ relation: Relation, _ right: Operand) -> ValueCheck {
    readsColumns = true
    return .constant(false)
  }

  mutating func count(
    _ collection: CollectionPath, where condition: Predicate, _ comparison: Comparison, _ number: Int64
  ) -> ValueCheck {
    readsColumns = true
    return .constant(false)
  }

  mutating func within(_ place: PlacePath, _ region: SphereRegion) -> ValueCheck {
    readsColumns = true
    return .constant(false)
  }

  mutating func closure(_ closure: RowClosure) -> ValueCheck {
    readsColumns = true
    return .constant(false)
  }
}
