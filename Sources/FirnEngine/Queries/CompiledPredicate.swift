/// A predicate bound to one table: columns resolved, constants in stored form, an access path chosen.
///
/// Made once per query; immutable, so that any thread may use it on any contents of its graph. Inside a transaction pass
/// the writer's settled contents, because indexes are read.
///
/// - `conditions` form a tree in a flat array, cheapest first below a conjunction
/// - `accesses` are the ways to find all candidates by index; without one, clusters are scanned
package final class CompiledPredicate: @unchecked Sendable {
  package let predicate: Predicate
  package let table: TableID
  package let layout: GraphLayout
  let conditions: UnsafeMutablePointer<Condition>
  let resolutionCount: Int
  let patterns: UnsafeMutablePointer<TextPattern>
  let numberSets: [NumberSet]
  let byteSets: [ByteSet]
  let constants: [Value]
  let checks: [RowCheck]
  /// Whether backlinks are read, which a transaction brings up to date when it is settled.
  package let readsBacklinks: Bool
  let accesses: [IndexAccess]
  /// What the condition says about each ordered index of the table, also when that is nothing.
  let ordered: [OrderedAccess]
  /// The numbers of the ordered indexes that may be read, which a transaction has to settle before.
  package let readIndexes: [Int]
  private let conditionCount: Int
  private let memory: QueryMemory

  /// - Parameter isOfElements: Whether it is part of a condition on the elements of a collection: null texts have no order
  ///   there, as behind links.
  package init(_ predicate: Predicate, table: TableID, layout: GraphLayout, isOfElements: Bool = false) {
    self.predicate = predicate
    self.table = table
    self.layout = layout
    var compiler = PredicateCompiler(layout: layout, table: table, isOfElements: isOfElements)
    let draft = compiler.draft(predicate)
    _ = compiler.flatten(draft)
    memory = compiler.memory
    let indexes = isOfElements ? [] : layout.orderedIndexes(of: table)
    let planned = PlanConstants(values: compiler.constants, memory: memory)
    ordered = indexes.map { OrderedAccess(draft, $0, planned) }
    accesses = IndexAccess.all(for: draft, ordered, planned)
    readIndexes = Array(Set(accesses.flatMap { $0.ordered.map(\.index.number) }))
    conditionCount = compiler.conditions.count
    conditions = .allocate(capacity: conditionCount)
    conditions.initialize(from: compiler.conditions, count: conditionCount)
    resolutionCount = compiler.resolutionCount
    patterns = .allocate(capacity: max(1, compiler.patterns.count))
    patterns.initialize(from: compiler.patterns, count: compiler.patterns.count)
    numberSets = compiler.numberSets
    byteSets = compiler.byteSets
    constants = compiler.constants
    checks = compiler.checks
    readsBacklinks = compiler.checks.contains(where: \.readsBacklinks)
  }

  deinit {
    conditions.deinitialize(count: conditionCount)
    conditions.deallocate()
    // Patterns are plain data.
    patterns.deallocate()
  }

  /// Whether all rows match, or none, whatever they hold; nil when it depends.
  package var constantResult: Bool? { conditions[0].kind == .constant ? conditions[0].holds : nil }
}
