import FirnEngine

/// Leads from what a step touched to the subscriptions that it may concern.
///
/// Too many may be found, never too few: views look themselves at what happened.
///
/// - Complexity: Finding costs O(1) for each row that was written and for each row that it links to, or is linked from,
///   through observed properties; where these are more than the entries of such a property, O(log n) for each entry
///   instead. The number of entries does not matter otherwise. What counts behind links is climbed to first, and where
///   that leads to very much, all entries of the property are found.
struct SubscriptionRoutes {
  fileprivate typealias ByRow = [RowKey: RoutedEntries]

  /// A property through which rows are linked.
  private struct Property: Hashable {
    let table: TableID
    let column: ColumnID
  }

  /// Entries that look through one property, or along key paths from one table, and what counts for any of them.
  fileprivate struct Group {
    var byRow: ByRow = [:]
    /// What counts of the rows behind the property.
    var filter: KeyPathFilter

    init(_ filter: KeyPathFilter) { self.filter = filter }

    mutating func add(_ entry: RoutedEntry, at row: RowKey, _ filter: KeyPathFilter) {
      byRow[row, default: .none].insert(entry)
      self.filter.formUnion(filter)
    }
  }

  private var rows: [TableID: ByRow] = [:]
  private var behind: [TableID: Group] = [:]
  private var elements: [Property: Group] = [:]
  private var backlinks: [Property: Group] = [:]
  /// Entries that were compared to forget others, for tests that count work.
  private(set) var comparedCount = 0

  var isEmpty: Bool { rows.isEmpty && behind.isEmpty && elements.isEmpty && backlinks.isEmpty }

  mutating func add(_ entry: RoutedEntry, _ place: ViewPlace) {
    entry.note(place)
    switch place {
    case .row(let table, let row): rows[table, default: [:]][row, default: .none].insert(entry)
    case .behind(let table, let row, let filter): behind[table, default: Group(filter)].add(entry, at: row, filter)
    case .elements(let place, let filter):
      elements[Property(table: place.table, column: place.column), default: Group(filter)].add(
        entry, at: place.row, filter)
    case .backlinks(let place, let filter):
      backlinks[Property(table: place.origin, column: place.column), default: Group(filter)].add(
        entry, at: place.row, filter)
    case .query: break
    }
  }

  /// Forgets an entry at all its places but its query. O(1), however many others have the same row.
  mutating func remove(_ entry: RoutedEntry) {
    for place in entry.places {
      switch place {
      case .row(let table, let row):
        comparedCount &+= Self.remove(entry, from: &rows[table, default: [:]], row)
        if rows[table]?.isEmpty == true { rows[table] = nil }
      case .behind(let table, let row, _): comparedCount &+= Self.remove(entry, at: row, of: table, from: &behind)
      case .elements(let place, _):
        let property = Property(table: place.table, column: place.column)
        comparedCount &+= Self.remove(entry, at: place.row, of: property, from: &elements)
      case .backlinks(let place, _):
        let property = Property(table: place.origin, column: place.column)
        comparedCount &+= Self.remove(entry, at: place.row, of: property, from: &backlinks)
      case .query: break
      }
    }
  }

  private static func remove<Key>(
    _ entry: RoutedEntry, at row: RowKey, of key: Key, from groups: inout [Key: Group]
  ) -> Int {
    guard let place = groups.index(forKey: key) else { return 0 }
    let count = remove(entry, from: &groups.values[place].byRow, row)
    if groups.values[place].byRow.isEmpty { groups.remove(at: place) }
    return count
  }

  private static func remove(_ entry: RoutedEntry, from byRow: inout ByRow, _ row: RowKey) -> Int {
    let count = byRow[row]?.remove(entry) ?? 0
    if byRow[row]?.isEmpty == true { byRow[row] = nil }
    return count
  }

  // MARK: Finding

  /// Calls `body` with the entries that a step may concern, each once.
  func forEachTouched(by step: Step, _ body: (RoutedEntry) -> Void) {
    func find(_ entry: RoutedEntry) {
      if entry.step == step.number { return }
      entry.step = step.number
      body(entry)
    }
    for (table, byRow) in rows { Self.find(writtenIn: step.changes.tables[table.index], byRow, find) }
    for (table, group) in behind { self.find(behind: table, group, step, find) }
    for (property, group) in elements { self.find(inCollections: property, group, step, find) }
    for (property, group) in backlinks { self.find(linkedThrough: property, group, step, find) }
  }

  private static func find(writtenIn changes: TableChanges, _ byRow: ByRow, _ body: (RoutedEntry) -> Void) {
    if changes.modified.isEmpty, changes.deleted.isEmpty { return }
    for row in changes.modified { byRow[row.key]?.forEach(body) }
    for key in changes.deleted { byRow[key]?.forEach(body) }
  }

  private func find(behind table: TableID, _ group: Group, _ step: Step, _ body: (RoutedEntry) -> Void) {
    guard let rows = group.rowsBehind(step, in: table) else { return group.forEach(body) }
    for row in rows { group.byRow[row]?.forEach(body) }
  }

  private func find(
    inCollections property: Property, _ group: Group, _ step: Step, _ body: (RoutedEntry) -> Void
  ) {
    let column = step.new.layout.tables[property.table.index].columns[property.column.index]
    if column.type != .link { return }
    let target = TableID(Int(column.target))
    group.forEachTouched(by: step, in: target, body) { row in
      guard let owners = step.new.backlinks(Int(column.backlink), of: row, in: target) else { return }
      if owners.count <= group.byRow.count {
        owners.forEachKey { group.byRow[$0]?.forEach(body) }
      } else {
        for (owner, entries) in group.byRow where !owners.positions(of: owner).isEmpty { entries.forEach(body) }
      }
    }
  }

  private func find(
    linkedThrough property: Property, _ group: Group, _ step: Step, _ body: (RoutedEntry) -> Void
  ) {
    let changes = step.changes.tables[property.table.index]
    for row in changes.inserted { find(linkedFrom: row, property, group, step.new, body) }
    for row in changes.deleted { find(linkedFrom: row, property, group, step.old, body) }
    for row in changes.modified where row.columns.contains(property.column) {
      find(linkedFrom: row.key, property, group, step.old, body)
      find(linkedFrom: row.key, property, group, step.new, body)
    }
    group.forEachTouched(by: step, in: property.table, body) { find(linkedFrom: $0, property, group, step.new, body) }
  }

  /// Those that observe the links to something that a row links to.
  private func find(
    linkedFrom row: RowKey, _ property: Property, _ group: Group, _ contents: GraphContents,
    _ body: (RoutedEntry) -> Void
  ) {
    let column = contents.layout.tables[property.table.index].columns[property.column.index]
    let isLong =
      column.storage == .list && contents.listCount(property.column, of: row, in: property.table) > group.byRow.count
    guard isLong else {
      return contents.forEachLink(property.column, of: row, in: property.table) { group.byRow[$0]?.forEach(body) }
    }
    for (target, entries) in group.byRow {
      let links = contents.backlinks(Int(column.backlink), of: target, in: TableID(Int(column.target)))
      if links?.positions(of: row).isEmpty == false { entries.forEach(body) }
    }
  }
}

extension SubscriptionRoutes.Group {
  func forEach(_ body: (RoutedEntry) -> Void) { for entries in byRow.values { entries.forEach(body) } }

  /// The rows behind whose links something was written that counts; nil when these are very many.
  func rowsBehind(_ step: Step, in table: TableID) -> [RowKey]? {
    step.rowsBehind(filter, in: table.index, following: step.climbLimit(observing: byRow.count))
  }

  /// Calls `body` with the rows of which something counts that was written, or `all` with every entry where these are
  /// very many.
  func forEachTouched(
    by step: Step, in table: TableID, _ all: (RoutedEntry) -> Void, _ body: (RowKey) -> Void
  ) {
    guard let behind = rowsBehind(step, in: table) else { return forEach(all) }
    for row in behind { body(row) }
    for row in step.changes.tables[table.index].modified where filter.includes(row.columns) { body(row.key) }
  }
}
