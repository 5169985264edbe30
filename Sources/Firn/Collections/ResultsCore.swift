internal import CFirn
internal import FirnEngine
internal import FirnReactive

/// What a ``Results`` refers to: a query on a table, on a collection, or on backlinks.
///
/// State              guarded by
/// home               the realm's thread, or the thread that writes
/// away               a lock of `evaluationLocks`
/// made, madePlan     a lock of `compilationLocks`
/// filter             immutable from the second reference on
/// everything else    immutable
///
/// The locks are shared by all queries, a few of each kind: a query is often made, counted and dropped.
@usableFromInline
final class ResultsCore {
  indirect enum Source {
    case table
    /// The list `column` of `row` in `owner`; the elements are rows of `table`.
    case list(owner: TableHandle, row: RowKey, column: ColumnID)
    /// The rows of `table` whose link or list `column` leads to `row` in `owner`.
    case backlinks(owner: TableHandle, row: RowKey, column: ColumnID)

    /// The row that the query belongs to, without which it shows nothing.
    var owner: (table: TableHandle, row: RowKey)? {
      switch self {
      case .table: nil
      case .list(let owner, let row, _), .backlinks(let owner, let row, _): (owner, row)
      }
    }

    /// Whether it is a collection of values.
    var isOfValues: Bool {
      guard case .list(let owner, _, let column) = self else { return false }
      return owner.layout.columns[column.index].type != .link
    }

    /// The same in another realm of the store.
    func moved(to other: RealmInstance) -> Source {
      switch self {
      case .table: self
      case .list(let owner, let row, let column):
        .list(owner: other.handle(owner.number), row: row, column: column)
      case .backlinks(let owner, let row, let column):
        .backlinks(owner: other.handle(owner.number), row: row, column: column)
      }
    }
  }

  let instance: RealmInstance
  /// The table of the elements.
  let table: TableHandle
  let source: Source
  @exclusivity(unchecked) private var filter: Filter
  /// The position of the table in the schema.
  var tableIndex: Int { table.layout.index }
  /// That of the realm when the query was made.
  private let generation: UInt64
  /// Whether reads of the realm are tracked.
  var isTracked: Bool { generation & RealmContext.trackedGeneration != 0 }
  let sort: [SortKey]
  /// What is done with the matches after they were sorted.
  let steps: [ResultsStep]
  /// Whether the elements are values of a collection: keys are their positions then, and `table` only leads to the realm.
  var isOfValues: Bool { source.isOfValues }
  /// Whether there are rows that do not match.
  private var isFiltered: Bool { !filter.isAll }
  /// Tables that links of the predicate, the sort and the steps lead to.
  let linkedTables: [TableID]

  /// Made when they are first needed, which they are not by a count that an index answers.
  @exclusivity(unchecked) private var home: HomeEvaluation?
  @exclusivity(unchecked) private var away: EvaluationBox?
  @exclusivity(unchecked) private var made: CompiledPredicate?
  @exclusivity(unchecked) private var madePlan: RowPlan?
  private static let evaluationLocks = SharedLocks()
  private static let compilationLocks = SharedLocks()

  /// The predicate, ready to be evaluated; nil when all rows match.
  var compiled: CompiledPredicate? {
    guard isFiltered else { return nil }
    return Self.compilationLocks.withLock(of: self) {
      if let made { return made }
      let compiled = CompiledPredicate(predicate, table: table.table, layout: instance.store.graph.layout)
      made = compiled
      return compiled
    }
  }

  /// How ordered indexes may serve the order of the query; nil when the table has none.
  var plan: RowPlan? {
    guard table.layout.hasOrderedIndexes, case .table = source, !sort.isEmpty || !steps.isEmpty else { return nil }
    let compiled = self.compiled
    return Self.compilationLocks.withLock(of: self) {
      if let madePlan { return madePlan }
      let plan = RowPlan(compiled, sort: sort, table: table.table, layout: instance.store.graph.layout)
      madePlan = plan
      return plan
    }
  }

  /// The ordered indexes that a transaction has to bring up to date before it is evaluated. Not all of the class: what is
  /// written may change one in many rows at once, and be read by another.
  private var readIndexes: [Int] {
    guard table.layout.hasOrderedIndexes, case .table = source else { return [] }
    if !steps.isEmpty { return instance.store.graph.layout.orderedIndexes(of: table.table).map(\.number) }
    return (compiled?.readIndexes ?? []) + (plan?.readIndexes ?? [])
  }

  /// What has been compiled so far.
  private var compiledSoFar: CompiledPredicate? { Self.compilationLocks.withLock(of: self) { made } }

  init(
    instance: RealmInstance, table: TableHandle, source: Source = .table, filter: Filter = .all, sort: [SortKey] = [],
    steps: [ResultsStep] = [], compiled: CompiledPredicate? = nil
  ) {
    self.instance = instance
    self.table = table
    self.source = source
    self.filter = filter
    self.sort = sort
    self.steps = steps
    made = compiled
    var readsOwnColumns = steps.isEmpty && sort.allSatisfy { $0.path.links.isEmpty }
    if case .predicate = filter { readsOwnColumns = false }
    linkedTables =
      readsOwnColumns
      ? [] : Self.linkedTables(filter, sort, steps, from: table.table, instance.store.graph.layout)
    // Last, because an atomic load keeps what was not moved to its property before.
    generation = RealmContext.generation(self.instance.context)
  }

  /// All rows of a table, in the way that takes least.
  init(allRowsOf table: TableHandle, _ instance: RealmInstance) {
    self.instance = instance
    self.table = table
    source = .table
    filter = .all
    sort = []
    steps = []
    linkedTables = []
    generation = RealmContext.generation(self.instance.context)
  }

  /// Those rows of an unfiltered query for which a condition on one column of the class itself holds.
  private init(_ all: ResultsCore, own filter: Filter) {
    instance = all.instance
    generation = all.generation
    table = all.table
    source = all.source
    self.filter = filter
    sort = all.sort
    steps = []
    linkedTables = all.linkedTables
  }

  /// What key paths to properties of a class itself stand for.
  var ownColumns: OwnColumns { instance.store.ownColumns }

  /// The condition as data.
  var predicate: Predicate { filter.predicate }

  /// The paths that the condition reads and that lead to other rows.
  var linkPaths: Set<[PathStep]> { predicate.reads.filter(\.leadsToOtherRows) }

  private static func linkedTables(
    _ filter: Filter, _ sort: [SortKey], _ steps: [ResultsStep], from table: TableID, _ layout: GraphLayout
  ) -> [TableID] {
    var reads = filter.predicate.reads.union(sort.map(\.path.reads))
    for case .rows(let step) in steps { reads.formUnion(step.reads) }
    var tables: [TableID] = []
    for path in reads {
      var reached = PathStep.tables(along: path, from: table.index, layout).dropFirst().map { TableID($0) }
      if case .backlinks(let origin, _) = path.last { reached.append(origin) }
      for table in reached where !tables.contains(table) { tables.append(table) }
    }
    return tables
  }

  // MARK: Deriving

  /// Those rows of a query for which a condition holds. What nobody else refers to becomes that query itself.
  @usableFromInline
  static func filtered(_ core: consuming ResultsCore, _ condition: QueryNode) -> ResultsCore {
    let more = condition.filter(in: core)
    if core.isUnused, more.isOwn, isKnownUniquelyReferenced(&core) {
      core.filter = more
      return core
    }
    return core.filtered(more)
  }

  /// Whether it is without conditions, and nothing is known of it yet.
  private var isUnused: Bool {
    !isFiltered && !isOfValues && steps.isEmpty && home == nil && away == nil && madePlan == nil
  }

  func filtered(_ condition: QueryNode) -> ResultsCore { filtered(condition.filter(in: self)) }

  func filtered(_ more: Filter) -> ResultsCore {
    if isOfValues { return filteredValues(more.predicate) }
    if !steps.isEmpty { return adding(.rows(.filter(more.predicate))) }
    if !isFiltered {
      if more.isOwn { return ResultsCore(self, own: more) }
      return ResultsCore(instance: instance, table: table, source: source, filter: more, sort: sort)
    }
    let combined: Predicate
    switch predicate {
    case .and(let parts): combined = .and(parts + [more.predicate])
    case let predicate: combined = .and([predicate, more.predicate])
    }
    return ResultsCore(instance: instance, table: table, source: source, filter: .predicate(combined), sort: sort)
  }

  func sorted(_ keys: [SortKey]) -> ResultsCore {
    if keys.isEmpty { return self }
    if !steps.isEmpty { return adding(.rows(.sort(keys))) }
    return ResultsCore(
      instance: instance, table: table, source: source, filter: filter, sort: keys + sort, compiled: compiledSoFar
    )
  }

  /// The same query with one step more.
  func adding(_ step: ResultsStep) -> ResultsCore {
    ResultsCore(
      instance: instance, table: table, source: source, filter: filter, sort: sort, steps: steps + [step],
      compiled: compiledSoFar)
  }

  /// The same query on another realm of the store.
  func moved(to other: RealmInstance) -> ResultsCore {
    ResultsCore(
      instance: other, table: other.handle(table.number), source: source.moved(to: other), filter: filter,
      sort: sort, steps: steps, compiled: compiledSoFar)
  }

  // MARK: Reading

  /// What evaluating cost so far, counted for tests. Only at home.
  var work: QueryWork {
    var work = Self.evaluationLocks.withLock(of: self) { away?.evaluation.work } ?? QueryWork()
    if let home { work.add(home.evaluation.work) }
    return work
  }

  /// All rows of the table, in their own order.
  var isWholeTable: Bool {
    guard case .table = source else { return false }
    return isPlain
  }

  /// No condition, no order, nothing else: what the source holds.
  var isPlain: Bool { !isFiltered && sort.isEmpty && steps.isEmpty }

  /// Whether the realm was invalidated since the query was made, or the object whose collection or links it shows is
  /// gone.
  var isInvalidated: Bool {
    if instance.isFrozen, instance.isReleased { return true }
    if generation != RealmContext.generation(instance.context) { return true }
    guard let owner = source.owner else { return false }
    return !instance.read { $0.contains(owner.row, in: owner.table.table) }
  }

  @usableFromInline
  var count: Int {
    noteRead()
    if isWholeTable { return instance.read { $0.rowCount(table.table) } }
    if let count = indexedCount { return count }
    if let place = allBacklinks { return readSettled { place.postings($0)?.count ?? 0 } }
    if let count = withMaintained({ $0.count(in: $1) }) { return count }
    return withEvaluation { $0.count(self, $1) }
  }

  /// The count of a condition that one index answers by itself, without evaluating anything.
  private var indexedCount: Int? {
    guard case .table = source, steps.isEmpty, !instance.isReadingTransaction else { return nil }
    if case .comparison(let column, .equal, let constant) = filter,
      let count = instance.read({ postings(column, constant, in: $0).map { $0?.count ?? 0 } })
    {
      return count
    }
    guard table.layout.hasOrderedIndexes, let range = filter.columnRange else { return nil }
    return instance.read { $0.indexedCount(of: range, in: table.layout) }
  }

  /// The rows of an ordered index in the order of the query, if its condition is on one column of the class itself.
  func indexedRows(in contents: GraphContents) -> SortedRows? {
    guard table.layout.hasOrderedIndexes, case .table = source, !sort.isEmpty else { return nil }
    let range = filter.columnRange
    if isFiltered, range == nil { return nil }
    return contents.indexedRows(of: range, in: table.table, sortedBy: sort)
  }

  /// The keys of an equality that a hash index answers by itself, ascending. Not inside of a write transaction.
  private func indexedKeys(in contents: GraphContents) -> [UInt64]? {
    guard case .comparison(let column, .equal, let constant) = filter, case .table = source,
      let postings = postings(column, constant, in: contents)
    else { return nil }
    var keys: [UInt64] = []
    postings?.append(to: &keys)
    return keys
  }

  /// The rows in which a column has a value: none, or their postings. Nil when the column has no index for such a value.
  @inline(__always)
  private func postings(_ name: ColumnID, _ constant: _Constant, in contents: GraphContents) -> Postings?? {
    let column = table.layout.columns[name.index]
    guard column.isIndexed else { return nil }
    if var string = constant.string {
      guard column.type == .string else { return nil }
      return .some(string.withUTF8 { contents.postings(BytesKey(UnsafeRawBufferPointer($0)), column: column) })
    }
    let value = constant.value
    switch (column.type, value) {
    case (.int, .int), (.bool, .bool), (.uuid, .uuid):
      return .some(contents.postings(value: value, column: column))
    default:
      return nil
    }
  }

  /// Where the links lie, if the query selects all of them in their own order.
  var allBacklinks: BacklinkPlace? {
    guard case .backlinks(let owner, let row, let column) = source, isPlain else { return nil }
    return BacklinkPlace(origin: table.table, column: column, target: owner.table, row: row)
  }

  /// Calls `body` with the content that the calling thread may see, in a transaction with the backlinks of what it wrote.
  func readSettled<Result>(_ body: (GraphContents) -> Result) -> Result {
    if !instance.isFrozen, instance.isHomeForReading, let writer = instance.writer {
      return body(writer.settledContents)
    }
    return instance.read(body)
  }

  func key(at position: Int) -> RowKey? {
    noteRead()
    if isWholeTable { return instance.read { $0.key(at: position, in: table.table) } }
    if let place = allBacklinks { return readSettled { place.postings($0)?.key(at: position) } }
    if let key = withMaintained({ position < $0.count(in: $1) ? $0.select(position, in: $1) : nil }) { return key }
    return withEvaluation { $0.key(at: position, self, $1) }
  }

  /// The row at the position that `choose` picks out of as many as there are, which one index has in order by itself: read
  /// without evaluating anything. Nil when there is no such index.
  private func indexedKey(_ choose: (Int) -> Int) -> RowKey?? {
    guard steps.isEmpty, !sort.isEmpty, table.layout.hasOrderedIndexes, !instance.isReadingTransaction else {
      return nil
    }
    return instance.read { contents in
      indexedRows(in: contents).map { $0.count == 0 ? nil : $0.key(at: choose($0.count)) }
    }
  }

  var firstKey: RowKey? {
    noteRead()
    if isWholeTable || allBacklinks != nil { return key(at: 0) }
    if let found = indexedKey({ _ in 0 }) { return found }
    if let key = withMaintained({ $0.count(in: $1) == 0 ? nil : $0.select(0, in: $1) }) { return key }
    return withEvaluation { evaluation, contents in
      if case .table = source, sort.isEmpty, steps.isEmpty, let compiled, evaluation.matches == nil {
        return compiled.firstMatch(in: contents)
      }
      return evaluation.key(at: 0, self, contents)
    }
  }

  var lastKey: RowKey? {
    noteRead()
    if isWholeTable {
      return instance.read { $0.key(at: $0.rowCount(table.table) - 1, in: table.table) }
    }
    if let place = allBacklinks { return readSettled { place.postings($0).flatMap { $0.key(at: $0.count - 1) } } }
    if let found = indexedKey({ $0 - 1 }) { return found }
    if let key = withMaintained({ view, contents -> RowKey? in
      let count = view.count(in: contents)
      return count == 0 ? nil : view.select(count - 1, in: contents)
    }) {
      return key
    }
    return withEvaluation { $0.lastKey(self, $1) }
  }

  /// The keys of all elements in their order.
  func allKeys() -> [UInt64] {
    noteRead()
    return withMaintained { $0.allKeys(in: $1) } ?? withEvaluation { $0.ordered(self, $1) }
  }

  func index(of key: RowKey) -> Int? {
    noteRead()
    if isWholeTable {
      return instance.read { $0.contains(key, in: table.table) ? $0.rank(of: key, in: table.table) : nil }
    }
    if let place = allBacklinks {
      return readSettled { place.postings($0)?.positions(of: key) }.flatMap { $0.isEmpty ? nil : $0.lowerBound }
    }
    if let position = withMaintained({ $0.position(of: key, in: $1) }) { return position }
    if case .table = source, let compiled, !instance.read({ compiled.matches(key, in: $0) }) { return nil }
    return withEvaluation { evaluation, contents in
      let keys = evaluation.ordered(self, contents)
      guard case .table = source, sort.isEmpty, steps.isEmpty else { return keys.firstIndex(of: key.rawValue) }
      let place = keys.place(of: key.rawValue)
      return place < keys.count && keys[place] == key.rawValue ? place : nil
    }
  }

  /// The position of an object; nil is looked for among nulls. Traps for an object that was deleted or belongs to another
  /// realm.
  func index(of object: ObjectBase?) -> Int? {
    guard let object else { return showsNulls ? index(of: RowKey(Self.nullKey)) : nil }
    if !RealmInstance.isManaged(object, lookedForIn: instance) { return nil }
    return object._table?.layout === table.layout ? index(of: RowKey(object._key)) : nil
  }

  func index(matching condition: Predicate) -> Int? {
    noteRead(counting: KeyPathFilter(paths: condition.reads))
    if isOfValues { return indexOfValue(matching: condition) }
    let compiled = CompiledPredicate(condition, table: table.table, layout: instance.store.graph.layout)
    return withEvaluation { evaluation, contents in
      if isWholeTable { return compiled.firstMatch(in: contents).map { contents.rank(of: $0, in: table.table) } }
      return evaluation.ordered(self, contents).firstIndex { compiled.matches(RowKey($0), in: contents) }
    }
  }

  /// Calls `body` with the evaluation that belongs to what the calling thread may see.
  func withEvaluation<Result>(_ body: (inout Evaluation, GraphContents) -> Result) -> Result {
    if !instance.isFrozen, instance.isHomeForReading {
      if _slowPath(instance.isReleased) { instance.openVersion() }
      if let writer = instance.writer {
        let box = homeEvaluation
        box.evaluation.follow(writer, self)
        return body(&box.evaluation, writer.settledContents(ofIndexes: readIndexes))
      }
      let box = homeEvaluation
      let version = instance.version.unsafelyUnwrapped
      box.evaluation.reset(to: version.number)
      return version.withContents { body(&box.evaluation, $0) }
    }
    return withEvaluation(of: instance.heldVersion(), body)
  }

  /// The same away from home, for a version that the caller holds.
  func withEvaluation<Result>(of version: Version, _ body: (inout Evaluation, GraphContents) -> Result) -> Result {
    if version.isBorrowed {
      // Asked for by a condition in code, which may run under the lock of another query.
      var evaluation = Evaluation()
      evaluation.reset(to: version.number)
      return version.withContents { body(&evaluation, $0) }
    }
    return Self.evaluationLocks.withLock(of: self) {
      let box = away ?? EvaluationBox()
      away = box
      box.evaluation.reset(to: version.number)
      return version.withContents { body(&box.evaluation, $0) }
    }
  }

  /// Whether the matches in a version are known at home.
  func isEvaluated(_ version: Version) -> Bool { home?.evaluation.isCurrent(version.number) == true }

  /// What is known at home.
  var homeEvaluation: HomeEvaluation {
    if let home { return home }
    let box = HomeEvaluation()
    home = box
    return box
  }

  // MARK: Iterating

  func makeWalk() -> RowWalk {
    noteRead()
    let isHome = !instance.isFrozen && instance.isHomeForReading
    let isDirect = instance.isFrozen || (isHome && instance.owner != nil)
    if isHome, let writer = instance.writer {
      if isWholeTable { return .over(self, writer, isDirect: isDirect) }
      return .over(self, nil, keys: allKeys(), isDirect: isDirect)
    }
    let version = instance.heldVersion()
    let walk = version.withContents { lazyWalk($0, version, isHome: isHome, isDirect: isDirect) }
    return walk ?? .over(self, version, keys: allKeys(), isDirect: isDirect)
  }

  /// A walk that finds its rows as it goes, or takes the keys of an index or view; nil where all rows have to be known
  /// first.
  private func lazyWalk(_ contents: GraphContents, _ version: Version, isHome: Bool, isDirect: Bool) -> RowWalk? {
    guard case .table = source, sort.isEmpty, steps.isEmpty else { return nil }
    if !isFiltered { return .over(self, version, contents, nil, isDirect: isDirect) }
    if isHome, isEvaluated(version), home?.evaluation.matches != nil { return nil }
    if let keys = indexedKeys(in: contents) { return .over(self, version, keys: keys, isDirect: isDirect) }
    if let keys = fewMaintainedKeys { return .over(self, version, keys: keys, isDirect: isDirect) }
    guard let compiled, !compiled.usesIndex(in: contents) else { return nil }
    return .over(self, version, contents, compiled, isDirect: isDirect)
  }
}
