/// Walks a predicate: one function per shape, called by ``Predicate/accept(_:)``.
package protocol PredicateVisitor {
  associatedtype Result

  mutating func constant(_ holds: Bool) -> Result
  mutating func and(_ parts: [Predicate]) -> Result
  mutating func or(_ parts: [Predicate]) -> Result
  mutating func not(_ part: Predicate) -> Result
  mutating func test(_ operand: Operand, _ test: ValueTest) -> Result
  mutating func relation(_ left: Operand, _ relation: Relation, _ right: Operand) -> Result
  mutating func count(
    _ collection: CollectionPath, where condition: Predicate, _ comparison: Comparison, _ number: Int64
  ) -> Result
  mutating func within(_ place: PlacePath, _ region: SphereRegion) -> Result
  mutating func closure(_ closure: RowClosure) -> Result
}

extension Predicate {
  package func accept<Visitor: PredicateVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
    switch self {
    case .constant(let holds): visitor.constant(holds)
    case .and(let parts): visitor.and(parts)
    case .or(let parts): visitor.or(parts)
    case .not(let part): visitor.not(part)
    case .test(let operand, let test): visitor.test(operand, test)
    case .relation(let left, let relation, let right): visitor.relation(left, relation, right)
    case .count(let collection, let condition, let comparison, let number):
      visitor.count(collection, where: condition, comparison, number)
    case .within(let place, let region): visitor.within(place, region)
    case .closure(let closure): visitor.closure(closure)
    }
  }
}

extension Predicate {
  /// Everything that the predicate reads, as paths from a row on.
  package var reads: Set<[PathStep]> {
    var visitor = ReadVisitor()
    accept(&visitor)
    return visitor.reads
  }

  /// The part of it that closures read.
  package var closureReads: Set<[PathStep]> {
    var visitor = ReadVisitor()
    accept(&visitor)
    return visitor.closureReads
  }
}

extension ColumnPath {
  package var reads: [PathStep] { links.map { .column($0) } + [.column(column)] }
}

extension CollectionPath {
  /// What decides which elements there are.
  package var reads: [PathStep] {
    let last: PathStep =
      switch elements {
      case .column(let column), .keys(let column): .column(column)
      case .backlinks(let origin, let column): .backlinks(origin: origin, column)
      }
    return links.map { .column($0) } + [last]
  }
}

private struct ReadVisitor: PredicateVisitor {
  var reads: Set<[PathStep]> = []
  var closureReads: Set<[PathStep]> = []

  func constant(_ holds: Bool) {}
  mutating func and(_ parts: [Predicate]) { for part in parts { part.accept(&self) } }
  mutating func or(_ parts: [Predicate]) { for part in parts { part.accept(&self) } }
  mutating func not(_ part: Predicate) { part.accept(&self) }
  mutating func test(_ operand: Operand, _ test: ValueTest) { add(operand) }

  mutating func relation(_ left: Operand, _ relation: Relation, _ right: Operand) {
    add(left)
    add(right)
  }

  mutating func count(
    _ collection: CollectionPath, where condition: Predicate, _ comparison: Comparison, _ number: Int64
  ) {
    let way = collection.reads
    reads.insert(way)
    for path in condition.reads { reads.insert(way + path) }
  }

  mutating func within(_ place: PlacePath, _ region: SphereRegion) { reads.formUnion(place.reads) }

  mutating func closure(_ closure: RowClosure) {
    reads.formUnion(closure.reads)
    closureReads.formUnion(closure.reads)
  }

  private mutating func add(_ operand: Operand) {
    switch operand {
    case .column(let path), .inside(let path, _): reads.insert(path.reads)
    case .element: break
    case .elementCount(let collection): reads.insert(collection.reads)
    case .aggregate(_, let collection, let column):
      reads.insert(collection.reads)
      if let column { reads.insert(collection.reads + column.reads) }
    }
  }
}
