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
  /// Ascends in the order of registration.
  package let number: Int
  let condition: RowCondition
  /// Nil for the matches in a table as they come.
  let arrangement: Arrangement?
  @exclusivity(unchecked) var rows: Rows
  /// Groups of the rows, which somebody else keeps.
  @exclusivity(unchecked) var groupViews: [WeakGroupView] = []
  /// The last step that changed something; 0 for none.
  @exclusivity(unchecked) package private(set) var lastStep: UInt64 = 0
  /// What happened then.
  @exclusivity(unchecked) private var outcome: StepOutcome?
  @exclusivity(unchecked) var routing = RoutingState()
  @exclusivity(unchecked) var use = StageUse()
  /// Whether changes tell which rows left.
  @exclusivity(unchecked) var keepsLeft = false

  enum Rows {
    case everyRow
    case keys(CountedTree<UInt64>)
    case entries(CountedTree<OrderEntry>)
  }

  package init(_ query: ViewQuery, number: Int = 0, layout: GraphLayout, contents: GraphContents) {
    self.number = number
    condition = RowCondition(query, layout)
    arrangement = Arrangement(query, layout)
    rows = .everyRow
    let keys = run(in: contents)
    if order != nil {
      rows = .entries(CountedTree([]))
    } else if !condition.isAlways || sequence != nil || !stages.isEmpty {
      rows = .keys(CountedTree([]))
    }
    set(keys, in: contents)
  }

  package var owner: OwnerRow? { query.owner }

  package func places(_ filter: KeyPathFilter) -> [ViewPlace] { query.owner.map { [$0.place] } ?? [] }

  package func change(_ step: Step, _ filter: KeyPathFilter) -> CollectionChange? {
    step.number == lastStep ? outcome?.change(filter, step, query.table.index) : nil
  }

  /// What the last step changed; nil when it is another, or changed nothing.
  package func change(in step: Step) -> ViewChange? { step.number == lastStep ? outcome?.change : nil }

  /// Notes what a step changed, until the next one.
  func note(_ change: ViewChange, _ step: Step) {
    lastStep = step.number
    outcome = StepOutcome(change)
  }

  func forgetOutcome() { outcome = nil }

  /// Whether a stage moves the view.
  package var isMaintained: Bool { use.count > 0 }

  // MARK: The query

  package var query: ViewQuery { condition.query }

  /// The elements of a collection, of which the rows are a part; nil for a query on a table.
  var sequence: ElementSequence? { arrangement?.sequence }

  var order: RowOrder? { arrangement?.order }

  var stages: [Arrangement.Stage] { arrangement?.stages ?? [] }

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
