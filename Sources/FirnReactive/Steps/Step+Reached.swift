import FirnEngine

/// What changed behind links that nobody named.
extension Step {
  struct ReachedRows {
    /// The table that they are of.
    let table: Int
    /// Ascending; nil when there are more than the limit.
    let rows: [RowKey]?
    let limit: Int
  }

  struct RowDepth: Hashable {
    var place: Place
    var depth: Int
  }

  struct Place: Hashable {
    var table: Int
    var key: RowKey
  }

  /// Whether something may have been written behind links that counts for a filter. False where few rows were written, and
  /// nothing links to them.
  func mayLeadTo(_ filter: KeyPathFilter) -> Bool {
    if !filter.paths.isEmpty { return true }
    guard let reach = filter.reach else { return false }
    return changes.tables.containsTouched { table, changes in
      if changes.modified.isEmpty || reach.distances[table] > LinkReach.depth { return false }
      if changes.modified.count > 4 { return true }
      var isLinked = false
      for row in changes.modified {
        guard let location = new.locate(row.key, in: TableID(table)) else { continue }
        reach.forEachBacklink(of: table) {
          let sources = new.backlinks($0.index, of: location, in: TableID(table))
          if let sources, sources.count > 0 { isLinked = true }
        }
      }
      return isLinked
    }
  }

  /// The rows of a table from which links lead, in at most three steps, to a row that was written; ascending.
  ///
  /// Found from the written rows by climbing backlinks, each row once: the cost is what can be reported, times the links
  /// that lead there. `reach` tells which tables lie that far behind the table.
  ///
  /// - Parameter limit: So many links are followed. Nil when there are more.
  func rowsReaching(_ reach: LinkReach, following limit: Int = .max) -> [RowKey]? {
    // Mixed values are not followed from above.
    let limit = reach.isExact ? limit : .max
    let isFirst = reached.map { $0.table == reach.table } ?? true
    let known = isFirst ? reached : otherReached[reach.table]
    if let known, known.rows != nil || known.limit >= limit { return known.rows }
    let new = ReachedRows(table: reach.table, rows: climb(reach, limit), limit: limit)
    if isFirst { reached = new } else { otherReached[reach.table] = new }
    return new.rows
  }

  private func climb(_ reach: LinkReach, _ limit: Int) -> [RowKey]? {
    var places = VisitedPlaces()
    swap(&places, &visited)
    defer {
      places.removeAll()
      swap(&places, &visited)
    }
    for table in changes.tables.touched where reach.distances[table] <= LinkReach.depth {
      for row in changes.tables[table].modified { places.insert(Place(table: table, key: row.key)) }
    }
    if places.count == 0 { return [] }
    var budget = limit
    var rows: [RowKey] = []
    var start = 0
    var level = 0
    while level < LinkReach.depth, start < places.count {
      level += 1
      let end = places.count
      for index in start..<end {
        let place = places[index]
        guard let location = new.locate(place.key, in: TableID(place.table)) else { continue }
        reach.forEachBacklink(of: place.table) { backlink in
          if budget < 0 || reach.distances[backlink.origin] + level > LinkReach.depth { return }
          guard let sources = new.backlinks(backlink.index, of: location, in: TableID(place.table)) else { return }
          budget -= sources.count
          if budget < 0 { return }
          counters.rowsClimbed &+= sources.count
          sources.forEachKey { key in
            if backlink.origin == reach.table {
              if rows.isEmpty { rows.reserveCapacity(8) }
              rows.append(key)
            }
            places.insert(Place(table: backlink.origin, key: key))
          }
        }
        if budget < 0 { return nil }
      }
      start = end
    }
    rows.sort()
    rows.removeRepeats()
    return rows
  }

  /// Whether links lead from a row, in at most three steps, to one that was written. Walks down, each row once.
  ///
  /// - Precondition: `reach.isExact`.
  func reachesWritten(_ key: RowKey, _ reach: LinkReach) -> Bool {
    reachesWritten(Place(table: reach.table, key: key), LinkReach.depth)
  }

  private func reachesWritten(_ place: Place, _ depth: Int) -> Bool {
    if depth == 0 { return false }
    if let known = looksDown[RowDepth(place: place, depth: depth)] { return known }
    let layout = new.layout.tables[place.table]
    var isFound = false
    for column in 0..<layout.columnCount where layout.columns[column].type == .link && !isFound {
      let target = Int(layout.columns[column].target)
      new.forEachLink(ColumnID(column), of: place.key, in: TableID(place.table)) { key in
        if isFound { return }
        counters.rowsExamined &+= 1
        isFound =
          !written(key, in: target).isEmpty || reachesWritten(Place(table: target, key: key), depth - 1)
      }
    }
    looksDown[RowDepth(place: place, depth: depth)] = isFound
    return isFound
  }

  /// Places in the order in which they were reached, each once. Few are compared, many are hashed.
  struct VisitedPlaces {
    private var places: [Place] = []
    private var known: Set<Place> = []

    var count: Int { places.count }

    subscript(index: Int) -> Place { places[index] }

    mutating func removeAll() {
      places.removeAllInPlace(keepingAtMost: 64)
      if !known.isEmpty { known = [] }
    }

    mutating func insert(_ place: Place) {
      if places.count < 24 {
        if places.contains(place) { return }
      } else {
        if known.isEmpty { known = Set(places) }
        if !known.insert(place).inserted { return }
      }
      if places.isEmpty { places.reserveCapacity(8) }
      places.append(place)
    }
  }
}
