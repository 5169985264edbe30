internal import CFirn
internal import FirnEngine
internal import FirnReactive

/// What a ``Results`` refers to: a query on a table, or on a list.
///
/// State              guarded by
/// home               the realm's thread, or the thread that writes
/// away               a lock of `evaluationLocks`
/// made               a lock of `compilationLocks`
/// everything else    immutable
///
/// The locks are shared by all queries, a few of each kind: a query is often made, counted and dropped.
final class ResultsCore {
  enum Source {
    case table
    /// The list `column` of `row` in `owner`; the elements are rows of `table`.
    case list(owner: TableHandle, row: RowKey, column: ColumnID)
  }

  let instance: RealmInstance
  /// The table of the elements.
  let table: TableHandle
  let source: Source
  let predicate: Predicate
  let sort: [SortKey]
  /// Whether there are rows that do not match.
  private let isFiltered: Bool
  /// Tables that links of the predicate and the sort lead to.
  let linkedTables: [TableID]

  @exclusivity(unchecked) private var home = Evaluation()
  @exclusivity(unchecked) private var away = Evaluation()
  @exclusivity(unchecked) private var made: CompiledPredicate?
  private static let evaluationLocks = (0..<16).map { _ in Guarded(()) }
  private static let compilationLocks = (0..<16).map { _ in Guarded(()) }

  private func lock(_ locks: [Guarded<Void>]) -> Guarded<Void> {
    locks[Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 6 & 15]
  }

  /// The predicate, ready to be evaluated; nil when all rows match.
  var compiled: CompiledPredicate? {
    guard isFiltered else { return nil }
    return lock(Self.compilationLocks).withLock { _ in
      if let made { return made }
      let compiled = CompiledPredicate(predicate, table: table.table, layout: instance.store.graph.layout)
      made = compiled
      return compiled
    }
  }

  /// What has been compiled so far.
  private var compiledSoFar: CompiledPredicate? { lock(Self.compilationLocks).withLock { _ in made } }

  init(
    instance: RealmInstance, table: TableHandle, source: Source = .table, predicate: Predicate = .constant(true),
    sort: [SortKey] = [], compiled: CompiledPredicate? = nil
  ) {
    self.instance = instance
    self.table = table
    self.source = source
    self.predicate = predicate
    self.sort = sort
    if case .constant(true) = predicate { isFiltered = false } else { isFiltered = true }
    made = compiled
    let layout = instance.store.graph.layout
    var linked: [TableID] = []
    if isFiltered { predicate.forEachPath { Self.addTables($0, from: table.table, layout, to: &linked) } }
    for key in sort { Self.addTables(key.path, from: table.table, layout, to: &linked) }
    linkedTables = linked
  }

  private static func addTables(
    _ path: ColumnPath, from table: TableID, _ layout: GraphLayout, to tables: inout [TableID]
  ) {
    var table = table.index
    for link in path.links {
      table = Int(layout.tables[table].columns[link.index].target)
      if !tables.contains(TableID(table)) { tables.append(TableID(table)) }
    }
  }

  /// The query as a maintained view sees it; nil for queries on lists.
  var viewQuery: ViewQuery? {
    guard case .table = source else { return nil }
    return ViewQuery(table: table.table, predicate: predicate, sort: sort)
  }

  // MARK: Deriving

  func filtered(_ more: Predicate) -> ResultsCore {
    let combined: Predicate
    switch predicate {
    case .constant(true): combined = more
    case .and(let parts): combined = .and(parts + [more])
    default: combined = .and([predicate, more])
    }
    return ResultsCore(instance: instance, table: table, source: source, predicate: combined, sort: sort)
  }

  func sorted(_ keys: [SortKey]) -> ResultsCore {
    if keys.isEmpty { return self }
    return ResultsCore(
      instance: instance, table: table, source: source, predicate: predicate, sort: keys + sort, compiled: compiledSoFar
    )
  }

  /// The same query on another realm of the store.
  func moved(to other: RealmInstance) -> ResultsCore {
    var source = source
    if case .list(let owner, let row, let column) = source {
      source = .list(owner: other.handle(owner.layout.index), row: row, column: column)
    }
    return ResultsCore(
      instance: other, table: other.handle(table.layout.index), source: source, predicate: predicate, sort: sort,
      compiled: compiledSoFar)
  }

  // MARK: Reading

  /// What evaluating cost so far, counted for tests. Only at home.
  var work: QueryWork {
    var work = lock(Self.evaluationLocks).withLock { _ in away.work }
    work.add(home.work)
    return work
  }

  /// All rows of the table, in their own order.
  var isWholeTable: Bool {
    guard case .table = source else { return false }
    return !isFiltered && sort.isEmpty
  }

  var isInvalidated: Bool {
    guard case .list(let owner, let row, _) = source else { return false }
    return !instance.read { $0.contains(row, in: owner.table) }
  }

  var count: Int {
    if isWholeTable { return instance.read { $0.rowCount(table.table) } }
    if let count = indexedCount { return count }
    return withEvaluation { $0.count(self, $1) }
  }

  /// The count of an equality that a hash index answers by itself, without evaluating anything.
  private var indexedCount: Int? {
    guard case .compare(let path, .equal, let value) = predicate, path.links.isEmpty, case .table = source,
      !instance.isInWriteTransaction
    else { return nil }
    let column = table.layout.columns[path.column.index]
    guard column.isIndexed else { return nil }
    switch (column.type, value) {
    case (.string, .string), (.int, .int), (.bool, .bool), (.uuid, .uuid):
      return instance.read { $0.postings(value: value, column: column)?.count ?? 0 }
    default:
      return nil
    }
  }

  func key(at position: Int) -> RowKey? {
    if isWholeTable { return instance.read { $0.key(at: position, in: table.table) } }
    return withEvaluation { evaluation, snapshot in
      let keys = evaluation.ordered(self, snapshot)
      return position < keys.count ? RowKey(keys[position]) : nil
    }
  }

  var firstKey: RowKey? {
    if isWholeTable { return instance.read { $0.key(at: 0, in: table.table) } }
    return withEvaluation { evaluation, snapshot in
      if case .table = source, sort.isEmpty, let compiled, evaluation.matches == nil {
        return compiled.firstMatch(in: snapshot)
      }
      return evaluation.ordered(self, snapshot).first.map { RowKey($0) }
    }
  }

  var lastKey: RowKey? {
    if isWholeTable {
      return instance.read { $0.key(at: $0.rowCount(table.table) - 1, in: table.table) }
    }
    return withEvaluation { $0.ordered(self, $1).last.map { RowKey($0) } }
  }

  /// The keys of all elements in their order.
  func allKeys() -> [UInt64] { withEvaluation { $0.ordered(self, $1) } }

  func index(of key: RowKey) -> Int? {
    if isWholeTable {
      return instance.read { $0.contains(key, in: table.table) ? $0.rank(of: key, in: table.table) : nil }
    }
    if case .table = source, let compiled, !instance.read({ compiled.matches(key, in: $0) }) { return nil }
    return withEvaluation { evaluation, snapshot in
      let keys = evaluation.ordered(self, snapshot)
      guard case .table = source, sort.isEmpty else { return keys.firstIndex(of: key.rawValue) }
      let place = keys.place(of: key.rawValue)
      return place < keys.count && keys[place] == key.rawValue ? place : nil
    }
  }

  func index(matching condition: Predicate) -> Int? {
    let compiled = CompiledPredicate(condition, table: table.table, layout: instance.store.graph.layout)
    return withEvaluation { evaluation, snapshot in
      if isWholeTable { return compiled.firstMatch(in: snapshot).map { snapshot.rank(of: $0, in: table.table) } }
      return evaluation.ordered(self, snapshot).firstIndex { compiled.matches(RowKey($0), in: snapshot) }
    }
  }

  func explain() -> String {
    var text = ""
    if case .list(let owner, _, let column) = source {
      text = "list \(owner.model.name).\(owner.model.properties[column.index].name)"
      if compiled != nil { text += ", then filter" }
    } else {
      text = instance.read { compiled?.explain(in: $0) ?? "all rows of \(table.model.name)" }
    }
    if !sort.isEmpty {
      text += ", sorted by "
      text += sort.map { name(of: $0.path) + ($0.ascending ? "" : " descending") }.joined(separator: ", ")
    }
    return text
  }

  /// Calls `body` with the evaluation that belongs to what the calling thread may see.
  func withEvaluation<Result>(_ body: (inout Evaluation, Snapshot) -> Result) -> Result {
    if !instance.isFrozen, instance.isHomeForReading {
      if let writer = instance.writer {
        home.follow(writer, self)
        return body(&home, writer.settledSnapshot)
      }
      let version = instance.version.unsafelyUnwrapped
      home.reset(to: version.number)
      return body(&home, version.snapshot)
    }
    let version = instance.heldVersion()
    return withExtendedLifetime(version) {
      lock(Self.evaluationLocks).withLock { _ in
        away.reset(to: version.number)
        return body(&away, version.snapshot)
      }
    }
  }

  // MARK: Iterating

  func makeWalk() -> RowWalk {
    let isHome = !instance.isFrozen && instance.isHomeForReading
    let isDirect = instance.isFrozen || (isHome && instance.owner != nil)
    if isHome, let writer = instance.writer {
      if isWholeTable { return .over(self, writer, isDirect: isDirect) }
      return .over(self, nil, keys: allKeys(), isDirect: isDirect)
    }
    let version = instance.heldVersion()
    if case .table = source, sort.isEmpty {
      let snapshot = version.snapshot
      if !isFiltered { return .over(self, version, snapshot, nil, isDirect: isDirect) }
      let evaluated = isHome && home.isCurrent(version.number) ? home.matches : nil
      if evaluated == nil, let compiled, !compiled.usesIndex(in: snapshot) {
        return .over(self, version, snapshot, compiled, isDirect: isDirect)
      }
    }
    return .over(self, version, keys: allKeys(), isDirect: isDirect)
  }
}

extension Predicate {
  /// Calls `body` with every column path that the predicate reads.
  func forEachPath(_ body: (ColumnPath) -> Void) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts): for part in parts { part.forEachPath(body) }
    case .not(let inner): inner.forEachPath(body)
    case .compare(let path, _, _), .isIn(let path, _), .text(let path, _, _, _): body(path)
    case .compareColumns(let left, _, let right):
      body(left)
      body(right)
    }
  }
}
