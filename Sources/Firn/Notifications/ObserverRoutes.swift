internal import FirnEngine
internal import FirnReactive

/// What has to be touched to concern an observer. Several places may stand for one.
enum ObserverPlace {
  /// A row that is written or deleted.
  case row(TableID, RowKey)
  /// What key paths of an object lead to, behind its first property.
  case behind(TableID, RowKey, KeyPathFilter)
  /// The objects in a collection.
  case elements(ListPlace, KeyPathFilter)
  /// The objects that link to one, and which of them do.
  case backlinks(BacklinkPlace, KeyPathFilter)
  /// Anything in a table.
  case table(TableID)
  /// A view.
  case view(ViewID)
}

/// An observer that a realm knows, and its places.
final class ObserverEntry {
  private(set) weak var observer: DataObserver?
  fileprivate(set) var places: [ObserverPlace] = []

  init(_ observer: DataObserver) { self.observer = observer }

  /// Whether it waits for more than its view.
  var looksBeyondView: Bool { places.count > 1 }
}

/// Leads from what a step touched to the observers that it may concern.
///
/// Too many may be found, never too few: observers look themselves at what happened.
///
/// - Complexity: Finding costs O(1) for each row that was written and for each row that it links to, or is linked from,
///   through observed properties; where these are more than the observers of such a property, O(log n) for each observer
///   instead. The number of observers does not matter otherwise. What counts up to three links away is climbed to first.
struct ObserverRoutes {
  private typealias ByRow = [RowKey: [ObserverEntry]]

  /// A property through which rows are linked.
  private struct Property: Hashable {
    let table: TableID
    let column: ColumnID
  }

  /// Observers that look through one property, or along key paths from one table, and what counts for any of them.
  private struct Group {
    var byRow: ByRow = [:]
    /// What counts of the rows behind the property.
    var filter: KeyPathFilter

    init(_ filter: KeyPathFilter) { self.filter = filter }

    mutating func add(_ entry: ObserverEntry, at row: RowKey, _ filter: KeyPathFilter) {
      byRow[row, default: []].append(entry)
      self.filter.formUnion(filter)
    }
  }

  private var rows: [TableID: ByRow] = [:]
  private var behind: [TableID: Group] = [:]
  private var elements: [Property: Group] = [:]
  private var backlinks: [Property: Group] = [:]
  private var tables: [TableID: [ObjectIdentifier: ObserverEntry]] = [:]

  mutating func add(_ entry: ObserverEntry, _ place: ObserverPlace) {
    entry.places.append(place)
    switch place {
    case .row(let table, let row): rows[table, default: [:]][row, default: []].append(entry)
    case .behind(let table, let row, let filter): behind[table, default: Group(filter)].add(entry, at: row, filter)
    case .elements(let place, let filter):
      elements[Property(table: place.table, column: place.column), default: Group(filter)].add(
        entry, at: place.row, filter)
    case .backlinks(let place, let filter):
      backlinks[Property(table: place.origin, column: place.column), default: Group(filter)].add(
        entry, at: place.row, filter)
    case .table(let table): tables[table, default: [:]][ObjectIdentifier(entry)] = entry
    case .view: break
    }
  }

  /// Forgets an observer at all its places but its view. O(1), and O(n) in those that have the same row.
  mutating func remove(_ entry: ObserverEntry) {
    for place in entry.places {
      switch place {
      case .row(let table, let row):
        Self.remove(entry, from: &rows[table, default: [:]], row)
        if rows[table]?.isEmpty == true { rows[table] = nil }
      case .behind(let table, let row, _): Self.remove(entry, at: row, of: table, from: &behind)
      case .elements(let place, _):
        Self.remove(entry, at: place.row, of: Property(table: place.table, column: place.column), from: &elements)
      case .backlinks(let place, _):
        Self.remove(entry, at: place.row, of: Property(table: place.origin, column: place.column), from: &backlinks)
      case .table(let table): tables[table]?[ObjectIdentifier(entry)] = nil
      case .view: break
      }
    }
  }

  private static func remove<Key>(
    _ entry: ObserverEntry, at row: RowKey, of key: Key, from groups: inout [Key: Group]
  ) {
    guard let place = groups.index(forKey: key) else { return }
    remove(entry, from: &groups.values[place].byRow, row)
    if groups.values[place].byRow.isEmpty { groups.remove(at: place) }
  }

  private static func remove(_ entry: ObserverEntry, from byRow: inout ByRow, _ row: RowKey) {
    byRow[row]?.removeAll { $0 === entry }
    if byRow[row]?.isEmpty == true { byRow[row] = nil }
  }

  // MARK: Finding

  /// Calls `body` with the observers that a step may concern, with some of them several times.
  func forEachTouched(by step: ChangeStep, _ body: (ObserverEntry) -> Void) {
    for (table, entries) in tables where !step.changes.tables[table.index].isEmpty { entries.values.forEach(body) }
    for (table, byRow) in rows { Self.find(writtenIn: step.changes.tables[table.index], byRow, body) }
    for (table, group) in behind { find(behind: table, group, step, body) }
    for (property, group) in elements { find(inCollections: property, group, step, body) }
    for (property, group) in backlinks { find(linkedThrough: property, group, step, body) }
  }

  private static func find(writtenIn changes: TableChanges, _ byRow: ByRow, _ body: (ObserverEntry) -> Void) {
    if changes.modified.isEmpty, changes.deleted.isEmpty { return }
    for row in changes.modified { byRow[row.key]?.forEach(body) }
    for key in changes.deleted { byRow[key]?.forEach(body) }
  }

  private func find(behind table: TableID, _ group: Group, _ step: ChangeStep, _ body: (ObserverEntry) -> Void) {
    for path in group.filter.paths {
      guard let rows = step.rowsReaching(path, from: table.index, visiting: group.byRow.count) else {
        // Fewer are observed than would be reached.
        for entries in group.byRow.values { entries.forEach(body) }
        return
      }
      for row in rows { group.byRow[row]?.forEach(body) }
    }
  }

  private func find(
    inCollections property: Property, _ group: Group, _ step: ChangeStep, _ body: (ObserverEntry) -> Void
  ) {
    let column = step.new.layout.tables[property.table.index].columns[property.column.index]
    let target = TableID(Int(column.target))
    for row in group.filter.touchedRows(step, target.index) {
      guard let owners = step.new.backlinks(Int(column.backlink), of: row, in: target) else { continue }
      if owners.count <= group.byRow.count {
        BacklinkLeaf.forEach(owners.leaf, owners.slot) { group.byRow[RowKey($0)]?.forEach(body) }
      } else {
        for (owner, entries) in group.byRow where !owners.positions(of: owner).isEmpty { entries.forEach(body) }
      }
    }
  }

  private func find(
    linkedThrough property: Property, _ group: Group, _ step: ChangeStep, _ body: (ObserverEntry) -> Void
  ) {
    let changes = step.changes.tables[property.table.index]
    for row in changes.inserted { find(linkedFrom: row, property, group, step.new, body) }
    for row in changes.deleted { find(linkedFrom: row, property, group, step.old, body) }
    for row in changes.modified where row.columns.contains(property.column) {
      find(linkedFrom: row.key, property, group, step.old, body)
      find(linkedFrom: row.key, property, group, step.new, body)
    }
    for row in group.filter.touchedRows(step, property.table.index) {
      find(linkedFrom: row, property, group, step.new, body)
    }
  }

  /// Those that observe the links to something that a row links to.
  private func find(
    linkedFrom row: RowKey, _ property: Property, _ group: Group, _ snapshot: Snapshot,
    _ body: (ObserverEntry) -> Void
  ) {
    let column = snapshot.layout.tables[property.table.index].columns[property.column.index]
    let isLong =
      column.storage == .list && snapshot.listCount(property.column, of: row, in: property.table) > group.byRow.count
    guard isLong else {
      return snapshot.forEachLink(property.column, of: row, in: property.table) { group.byRow[$0]?.forEach(body) }
    }
    for (target, entries) in group.byRow {
      let links = snapshot.backlinks(Int(column.backlink), of: target, in: TableID(Int(column.target)))
      if links?.positions(of: row).isEmpty == false { entries.forEach(body) }
    }
  }
}

extension KeyPathFilter {
  /// The tables in which something may count that is behind links of a table's rows.
  func tablesBehindLinks(of table: Int, _ layout: GraphLayout) -> Set<Int> {
    var tables: Set<Int> = []
    if let reach { tables.formUnion(reach.distances.indices.filter { reach.distances[$0] <= LinkReach.depth }) }
    for path in paths {
      var current = table
      for (level, step) in path.enumerated() {
        if case .backlinks(_, let origin, _) = step {
          tables.insert(origin.index)
        } else if level > 0 {
          tables.insert(current)
        }
        guard let next = step.target(from: current, layout) else { break }
        current = next
      }
    }
    return tables
  }
}
