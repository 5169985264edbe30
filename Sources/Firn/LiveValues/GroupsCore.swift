internal import FirnEngine
internal import FirnReactive

/// What a ``LiveValue`` or ``LiveGroups`` refers to: groups of the elements of a query.
///
/// State              guarded by
/// home               the realm's thread, or the thread that writes
/// away               its lock
/// everything else    immutable
final class GroupsCore {
  let rows: ResultsCore
  let query: GroupQuery
  /// What is read; what is written elsewhere makes no difference.
  private let tables: [TableID]
  @exclusivity(unchecked) private var home: (state: State, table: GroupTable)?
  private let away = Guarded<(version: UInt64, table: GroupTable)?>(nil)

  /// What was grouped.
  private enum State: Equatable {
    case version(UInt64)
    /// A running transaction, and how much of its logs was written.
    case transaction(UInt64, [Int])
  }

  convenience init(_ rows: ResultsCore, by keys: [ColumnPath], _ measures: [GroupQuery.Measure]) {
    self.init(rows, GroupQuery(rows.viewQuery, by: keys, measures))
  }

  private init(_ rows: ResultsCore, _ query: GroupQuery) {
    self.rows = rows
    self.query = query
    var tables = rows.linkedTables + [rows.table.table]
    if let owner = rows.source.owner?.table.table { tables.append(owner) }
    for path in query.reads {
      tables += PathStep.tables(along: path, from: rows.tableIndex, rows.instance.store.graph.layout).map {
        TableID($0)
      }
    }
    self.tables = Set(tables).sorted()
  }

  /// The same in another realm of the store.
  func moved(to other: RealmInstance) -> GroupsCore { GroupsCore(rows.moved(to: other), query) }

  var realm: Realm? { rows.isInvalidated ? nil : Realm(rows.instance) }

  // MARK: Reading

  /// Calls `body` with the groups that the calling thread may see. Evaluates once for each version.
  func read<Result>(_ body: (GroupTable) -> Result) -> Result {
    let instance = rows.instance
    rows.noteRead(counting: KeyPathFilter(paths: query.reads))
    guard !instance.isFrozen, instance.isHomeForReading else { return readAway(body) }
    if instance.isReleased { instance.openVersion() }
    if let writer = instance.writer {
      let positions = tables.map { writer.touches(in: $0, since: nil).position }
      return body(table(.transaction(writer.version, positions)))
    }
    if let maintained { return body(maintained.table) }
    return body(table(.version(instance.version.unsafelyUnwrapped.number)))
  }

  /// The groups that observers have maintained up to the version that the realm shows.
  private var maintained: GroupView? {
    guard let observers = rows.instance.notifications, observers.hasViews,
      observers.folded?.number == rows.instance.version?.number
    else { return nil }
    return observers.stage.groups(of: query)
  }

  private func table(_ state: State) -> GroupTable {
    if let home, home.state == state { return home.table }
    let table =
      rows.isWholeTable && !rows.instance.isReadingTransaction
      ? rows.instance.read { GroupTable(query, .all, in: $0) }
      : rows.withEvaluation { [rows, query] in GroupTable(query, rows.groupedRows(&$0, $1), in: $1) }
    home = (state, table)
    return table
  }

  private func readAway<Result>(_ body: (GroupTable) -> Result) -> Result {
    let version = rows.instance.heldVersion()
    let table = away.withLock { known in
      if let known, known.version == version.number { return known.table }
      let table =
        rows.isWholeTable
        ? version.withContents { GroupTable(query, .all, in: $0) }
        : rows.withEvaluation(of: version) { [rows, query] in GroupTable(query, rows.groupedRows(&$0, $1), in: $1) }
      known = (version.number, table)
      return table
    }
    return body(table)
  }

  // MARK: Observing

  /// The groups as something that is observed.
  ///
  /// - Parameter change: What observers are called with, nil when they are not; nothing happened before the first call.
  func observed<Change>(_ change: @escaping (GroupsCore, GroupChange?) -> Change?) -> _Observed<Change> {
    _Observed(instance: rows.instance) { realm, _, block in
      let core = realm === self.rows.instance ? self : self.moved(to: realm)
      if core.rows.isInvalidated { return nil }
      let query = core.query
      return ViewBlockObserver(
        KeyPathFilter(paths: query.reads),
        { observers, version in
          let (groups, rows) = version.withContents { observers.stage.addGroups(query, in: $0) }
          return (groups, rows)
        }, { if let change = change(core, $0) { block(change) } })
    }
  }
}

extension ResultsCore {
  /// The elements in the state of a transaction or version, to be grouped.
  fileprivate func groupedRows(_ evaluation: inout Evaluation, _ contents: GraphContents) -> GroupedRows {
    if isWholeTable { return .all }
    return .keys(steps.isEmpty ? evaluation.match(self, contents) : evaluation.ordered(self, contents))
  }
}
