package import FirnEngine

/// A maintained query: knows its rows at one version and moves to a later one by looking at touched rows only.
///
/// How the rows are kept depends on the query:
///
/// | query | state | cost of k touched among R rows |
/// |---|---|---|
/// | every row of a table, unsorted | none: positions are ranks in the table | k log R |
/// | unsorted | counted tree of keys | k log R |
/// | sorted | counted tree of (code of the first sort value, key) | k log R + k log k |
/// | distinct | besides, such a tree of all rows, ordered by the distinct values | k log R |
/// | window | besides, such a tree of all rows in their order | k log R |
/// | more was touched than could be found | the same trees | re-run and compare, R log R |
///
/// The keys are those of the rows. In a list, a map or backlinks a row may occur several times, and the order is that of
/// the collection: there the keys are the labels of an `ElementSequence`.
///
/// A view holds no version. Callers pass the one it was last moved to.
package final class QueryView: View {
  package let query: ViewQuery
  let condition: RowCondition
  /// The elements of a collection, of which the rows are a part; nil for a query on a table.
  let sequence: ElementSequence?
  let stages: [Stage]
  /// Columns of the table whose change moves a row.
  let orderColumns: ColumnSet
  let order: RowOrder?
  /// Whether what is behind links decides about the order.
  let orderFollowsLinks: Bool
  /// Everything that a query on a collection reads.
  let readFilter: KeyPathFilter
  @exclusivity(unchecked) var rows: Rows
  /// Groups of the rows, which somebody else keeps.
  @exclusivity(unchecked) var groupViews: [WeakGroupView] = []
  /// Whether a stage moves the view.
  @exclusivity(unchecked) package internal(set) var isMaintained = true
  /// What happened last, and in which step.
  @exclusivity(unchecked) package internal(set) var last: (step: UInt64, change: ViewChange)? {
    didSet { told.removeAll() }
  }
  /// The same as subscribers get it, by their filters.
  @exclusivity(unchecked) private var told: [KeyPathFilter: CollectionChange?] = [:]

  enum Rows {
    case everyRow
    case keys(CountedTree<UInt64>)
    case entries(CountedTree<OrderEntry>)
  }

  /// What is done with the matches before they are put in their last order.
  enum Stage {
    case filter(CompiledPredicate)
    case distinct(DistinctRows)
    case window(WindowRows)
  }

  package convenience init(_ query: ViewQuery, layout: GraphLayout, contents: GraphContents) {
    self.init(query, RowCondition(query.predicate, query.table, layout), layout: layout, contents: contents)
  }

  init(_ query: ViewQuery, _ condition: RowCondition, layout: GraphLayout, contents: GraphContents) {
    self.query = query
    self.condition = condition
    sequence = query.source == .table ? nil : ElementSequence([])
    readFilter = query.source == .table ? .nothing : query.readFilter
    var sort = query.sort
    var stages: [Stage] = []
    for step in query.steps {
      switch step {
      case .filter(.constant(true)): break
      case .filter(let predicate):
        stages.append(.filter(CompiledPredicate(predicate, table: query.table, layout: layout)))
      case .sort(let keys): sort = keys + sort
      case .distinct(let paths):
        stages.append(
          .distinct(DistinctRows(paths, sort, table: query.table, schema: layout.schema, sequence: sequence)))
      case .window(let window):
        stages.append(
          .window(WindowRows(window, sort, table: query.table, schema: layout.schema, sequence: sequence)))
      }
    }
    self.stages = stages
    order = sort.isEmpty ? nil : RowOrder(sort, table: query.table, schema: layout.schema, sequence: sequence)
    orderFollowsLinks = sort.contains { !$0.path.links.isEmpty }
    orderColumns = ColumnSet(sort.map { $0.path.links.first ?? $0.path.column })
    rows = .everyRow
    let keys = run(in: contents)
    if order != nil {
      rows = .entries(CountedTree([]))
    } else if !condition.isAlways || sequence != nil || !stages.isEmpty {
      rows = .keys(CountedTree([]))
    }
    set(keys, in: contents)
  }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { [] }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> CollectionChange? {
    guard let last, last.step == step.number else { return nil }
    if let known = told[filter] { return known }
    let change = last.change
    let positions = change.positions(counting: filter, step, query.table.index)
    let new = positions.map { CollectionChange.step($0, from: change.oldCount, to: change.newCount) }
    told.updateValue(new, forKey: filter)
    return new
  }

  // MARK: Reading

  package func count(in contents: GraphContents) -> Int {
    switch rows {
    case .everyRow: contents.rowCount(query.table)
    case .keys(let tree): tree.count
    case .entries(let tree): tree.count
    }
  }

  /// The row at a position, O(log n). Traps outside of the view.
  package func select(_ position: Int, in contents: GraphContents) -> RowKey {
    switch rows {
    case .everyRow:
      guard let key = contents.key(at: position, in: query.table) else {
        fatalError("Position \(position) is outside of \(contents.rowCount(query.table)) rows.")
      }
      return key
    case .keys(let tree): return row(RowKey(tree.select(position)))
    case .entries(let tree): return row(RowKey(tree.select(position).key))
    }
  }

  /// Where a row is, O(log n). Nil when it is not in the view. In a collection, the first place.
  package func position(of key: RowKey, in contents: GraphContents) -> Int? {
    guard let sequence else {
      guard contents.contains(key, in: query.table), isIn(key, in: contents) else { return nil }
      return rank(of: key, in: contents)
    }
    var first: Int?
    sequence.forEachLabel(of: key.rawValue) { label in
      if isIn(RowKey(label), in: contents) {
        let rank = rank(of: RowKey(label), in: contents)
        first = first.map { min($0, rank) } ?? rank
      }
    }
    return first
  }

  /// Calls `body` with every row in order.
  package func forEachRow(in contents: GraphContents, _ body: (RowKey) -> Void) {
    forEachKey(in: contents) { body(row($0)) }
  }

  /// The row that a key stands for.
  func row(_ key: RowKey) -> RowKey { sequence.map { RowKey($0.row(key.rawValue)) } ?? key }

  func forEachKey(in contents: GraphContents, _ body: (RowKey) -> Void) {
    switch rows {
    case .everyRow: contents.forEachKey(in: query.table, body)
    case .keys(let tree): tree.walk { body(RowKey($0)) }
    case .entries(let tree): tree.walk { body(RowKey($0.key)) }
    }
  }

  /// The number of rows of the view that come before a row in this version.
  func rank(of key: RowKey, in contents: GraphContents) -> Int {
    switch rows {
    case .everyRow: return contents.rank(of: key, in: query.table)
    case .keys(let tree):
      let raw = key.rawValue
      return tree.rank { $0 < raw }
    case .entries(let tree):
      guard let order else { fatalError("A sorted view without an order.") }
      var place = OrderPlace(order.entry(for: key, in: contents), order, contents)
      return tree.rank { place.isAfter($0) }
    }
  }

  /// Whether something that its source has belongs to the view.
  private func isIn(_ key: RowKey, in contents: GraphContents) -> Bool {
    matches(row(key), in: contents)
      && stages.allSatisfy {
        switch $0 {
        case .filter(let predicate): Self.matches(predicate, row(key), contents)
        case .distinct(let rows): rows.isFirst(key, in: contents)
        case .window(let rows): rows.contains(key, in: contents)
        }
      }
  }

  func matches(_ row: RowKey, in contents: GraphContents) -> Bool {
    condition.isAlways || row.rawValue != ElementSequence.nullRow && condition.matches(row, in: contents)
  }

  /// Whether a row satisfies a condition; an element that is null does not.
  static func matches(_ predicate: CompiledPredicate, _ row: RowKey, _ contents: GraphContents) -> Bool {
    row.rawValue != ElementSequence.nullRow && predicate.matches(row, in: contents)
  }

  // MARK: Running the query

  /// Runs the query anew. Returns the keys in order; those of a collection have other labels then.
  func run(in contents: GraphContents) -> [RowKey] {
    var keys = allMatches(in: contents)
    for stage in stages {
      switch stage {
      case .filter(let predicate): keys.removeAll { !Self.matches(predicate, row($0), contents) }
      case .distinct(let rows): keys = rows.rebuild(keys, in: contents)
      case .window(let rows): keys = rows.rebuild(keys, in: contents)
      }
    }
    guard let order else { return stages.isEmpty ? keys : keys.sorted() }
    return order.entries(for: keys, in: contents).map { RowKey($0.key) }
  }

  /// Keeps what the query gave.
  func set(_ keys: [RowKey], in contents: GraphContents) {
    switch rows {
    case .everyRow: break
    case .keys(let tree): tree.rebuild(keys.map(\.rawValue))
    case .entries(let tree):
      guard let order else { fatalError("A sorted view without an order.") }
      tree.rebuild(keys.map { order.entry(for: $0, in: contents) })
    }
  }

  private func allMatches(in contents: GraphContents) -> [RowKey] {
    var keys: [RowKey] = []
    if let sequence {
      sequence.rebuild(query.source.rows(in: contents))
      keys = sequence.allLabels.map { RowKey($0) }
      if !condition.isAlways { keys.removeAll { !matches(row($0), in: contents) } }
    } else if !condition.isAlways {
      condition.forEachMatch(in: contents) { keys.append($0) }
    } else if order != nil || !stages.isEmpty {
      keys.reserveCapacity(contents.rowCount(query.table))
      contents.forEachKey(in: query.table) { keys.append($0) }
    }
    return keys
  }

  package func checkInvariants() {
    switch rows {
    case .everyRow: break
    case .keys(let tree): tree.checkInvariants { $0 == $1 }
    case .entries(let tree): tree.checkInvariants { $0.code == $1.code && $0.key == $1.key }
    }
    for stage in stages {
      switch stage {
      case .filter: break
      case .distinct(let rows): rows.checkInvariants()
      case .window(let rows): rows.checkInvariants()
      }
    }
  }
}

extension ViewQuery.Source {
  /// The rows of a collection in its own order.
  fileprivate func rows(in contents: GraphContents) -> [UInt64] {
    var rows: [UInt64] = []
    switch self {
    case .table: break
    case .list(let place): place.forEachElement(contents) { rows.append($0?.rawValue ?? ElementSequence.nullRow) }
    case .backlinks(let place): place.postings(contents)?.forEachKey { rows.append($0.rawValue) }
    }
    return rows
  }
}
