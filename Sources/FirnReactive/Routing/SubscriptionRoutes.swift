import FirnEngine

/// Leads from what a step touched to the subscriptions that it may concern.
///
/// Too many may be found, never too few: views look themselves at what happened.
///
/// - Complexity: Finding costs O(1) for each row that was written and for each row that it links to, or is linked from,
///   through observed properties; where these are more than the entries of such a property, O(log n) for each entry
///   instead. The number of entries does not matter otherwise. What counts behind links is climbed to first, and where
///   that leads to very much, all entries of the property are found.
final class SubscriptionRoutes {
  fileprivate typealias ByRow = [RowKey: RoutedEntries]

  /// A property through which rows are linked.
  fileprivate struct Property: Hashable {
    let table: TableID
    let column: ColumnID
  }

  /// Entries that look through one property, or along key paths from one table, and what counts for any of them.
  fileprivate final class Group {
    @exclusivity(unchecked) var byRow: ByRow = [:]
    /// What counts of the rows behind the property.
    @exclusivity(unchecked) var filter: KeyPathFilter

    init(_ filter: KeyPathFilter) { self.filter = filter }

    func add(_ entry: RoutedEntry, at row: RowKey, _ filter: KeyPathFilter) {
      byRow[row, default: .none].insert(entry)
      self.filter.formUnion(filter)
    }
  }

  /// Entries of rows, by row.
  fileprivate final class Rows {
    @exclusivity(unchecked) var byRow: ByRow = [:]
  }

  /// By table, up to the last one that has some.
  @exclusivity(unchecked) private var rows: [Rows] = []
  @exclusivity(unchecked) private var behind: [TableID: Group] = [:]
  @exclusivity(unchecked) private var elements: [Property: Group] = [:]
  @exclusivity(unchecked) private var backlinks: [Property: Group] = [:]
  /// Entries that were compared to forget others, for tests that count work.
  private(set) var comparedCount = 0

  var isEmpty: Bool { rows.isEmpty && behind.isEmpty && elements.isEmpty && backlinks.isEmpty }

  func add(_ entry: RoutedEntry, _ place: ViewPlace) {
    entry.note(place)
    switch place {
    case .row(let table, let row):
      while rows.count <= table.index { rows.append(Rows()) }
      rows[table.index].byRow[row, default: .none].insert(entry)
    case .behind(let table, let row, let filter): Self.add(entry, at: row, of: table, filter, to: &behind)
    case .elements(let place, let filter):
      Self.add(entry, at: place.row, of: Property(table: place.table, column: place.column), filter, to: &elements)
    case .backlinks(let place, let filter):
      Self.add(entry, at: place.row, of: Property(table: place.origin, column: place.column), filter, to: &backlinks)
    case .query: break
    }
  }

  private static func add<Key>(
    _ entry: RoutedEntry, at row: RowKey, of key: Key, _ filter: KeyPathFilter, to groups: inout [Key: Group]
  ) {
    let group = groups[key] ?? Group(filter)
    groups[key] = group
    group.add(entry, at: row, filter)
  }

  /// Forgets an entry at all its places but its query. O(1), however many others have the same row.
  func remove(_ entry: RoutedEntry) {
    for place in entry.places {
      switch place {
      case .row(let table, let row):
        if table.index >= rows.count { continue }
        comparedCount &+= Self.remove(entry, from: &rows[table.index].byRow, row)
        while rows.last?.byRow.isEmpty == true { rows.removeLast() }
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
    guard let group = groups[key] else { return 0 }
    let count = remove(entry, from: &group.byRow, row)
    if group.byRow.isEmpty { groups[key] = nil }
    return count
  }

  private static func remove(_ entry: RoutedEntry, from byRow: inout ByRow, _ row: RowKey) -> Int {
    let count = byRow[row]?.remove(entry) ?? 0
    if byRow[row]?.isEmpty == true { byRow[row] = nil }
    return count
  }

  // MARK: Finding

  /// The entries that a step may concern, each once.
  func touched(by step: Step) -> [RoutedEntry] {
    var found = Found(step: step.number)
    for table in step.changes.tables.touched where table < rows.count {
      if !rows[table].byRow.isEmpty { found.add(writtenIn: step.changes.tables[table], rows[table]) }
    }
    if !behind.isEmpty {
      for (table, group) in behind { group.find(behind: table, step, &found) }
    }
    if !elements.isEmpty {
      for (property, group) in elements { group.find(inCollections: property, step, &found) }
    }
    if !backlinks.isEmpty {
      for (property, group) in backlinks { group.find(linkedThrough: property, step, &found) }
    }
    return found.entries
  }
}

/// What a step touched, each entry once.
private struct Found {
  let step: UInt64
  var entries: [RoutedEntry] = []

  init(step: UInt64) { self.step = step }

  mutating func add(_ some: RoutedEntries) {
    some.forEachEntry { entry in
      if entry.step == step { return }
      entry.step = step
      entries.append(entry)
    }
  }

  mutating func add(writtenIn changes: TableChanges, _ rows: SubscriptionRoutes.Rows) {
    for row in changes.modified {
      if let entries = rows.byRow[row.key] { add(entries) }
    }
    for key in changes.deleted {
      if let entries = rows.byRow[key] { add(entries) }
    }
  }
}

extension SubscriptionRoutes.Group {
  private func addAll(_ found: inout Found) {
    for entries in byRow.values { found.add(entries) }
  }

  private func add(_ row: RowKey, _ found: inout Found) {
    if let entries = byRow[row] { found.add(entries) }
  }

  fileprivate func find(behind table: TableID, _ step: Step, _ found: inout Found) {
    guard let rows = rowsBehind(step, in: table) else { return addAll(&found) }
    for row in rows { add(row, &found) }
  }

  fileprivate func find(
    inCollections property: SubscriptionRoutes.Property, _ step: Step, _ found: inout Found
  ) {
    let column = step.new.layout.tables[property.table.index].columns[property.column.index]
    if column.type != .link { return }
    let target = TableID(Int(column.target))
    guard let behind = rowsBehind(step, in: target) else { return addAll(&found) }
    for row in behind { findOwners(of: row, in: target, Int(column.backlink), step.new, &found) }
    for row in step.changes.tables[target.index].modified where filter.includes(row.columns) {
      findOwners(of: row.key, in: target, Int(column.backlink), step.new, &found)
    }
  }

  private func findOwners(
    of row: RowKey, in target: TableID, _ backlink: Int, _ contents: GraphContents, _ found: inout Found
  ) {
    guard let owners = contents.backlinks(backlink, of: row, in: target) else { return }
    if owners.count <= byRow.count {
      owners.forEachKey { add($0, &found) }
    } else {
      for (owner, entries) in byRow where !owners.positions(of: owner).isEmpty { found.add(entries) }
    }
  }

  fileprivate func find(
    linkedThrough property: SubscriptionRoutes.Property, _ step: Step, _ found: inout Found
  ) {
    let changes = step.changes.tables[property.table.index]
    for row in changes.inserted { find(linkedFrom: row, property, step.new, &found) }
    for row in changes.deleted { find(linkedFrom: row, property, step.old, &found) }
    for row in changes.modified where row.columns.contains(property.column) {
      find(linkedFrom: row.key, property, step.old, &found)
      find(linkedFrom: row.key, property, step.new, &found)
    }
    guard let behind = rowsBehind(step, in: property.table) else { return addAll(&found) }
    for row in behind { find(linkedFrom: row, property, step.new, &found) }
    for row in changes.modified where filter.includes(row.columns) {
      find(linkedFrom: row.key, property, step.new, &found)
    }
  }

  /// Those that observe the links to something that a row links to.
  private func find(
    linkedFrom row: RowKey, _ property: SubscriptionRoutes.Property, _ contents: GraphContents, _ found: inout Found
  ) {
    let column = contents.layout.tables[property.table.index].columns[property.column.index]
    let isLong =
      column.storage == .list && contents.listCount(property.column, of: row, in: property.table) > byRow.count
    guard isLong else {
      return contents.forEachLink(property.column, of: row, in: property.table) { add($0, &found) }
    }
    for (target, entries) in byRow {
      let links = contents.backlinks(Int(column.backlink), of: target, in: TableID(Int(column.target)))
      if links?.positions(of: row).isEmpty == false { found.add(entries) }
    }
  }

  /// The rows behind whose links something was written that counts; nil when these are very many.
  private func rowsBehind(_ step: Step, in table: TableID) -> [RowKey]? {
    if !step.mayLeadTo(filter) { return [] }
    return step.rowsBehind(filter, in: table.index, following: step.climbLimit(observing: byRow.count))
  }
}
