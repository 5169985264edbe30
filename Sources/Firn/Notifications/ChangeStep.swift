internal import FirnEngine

/// What happened between two versions, with what several observers may want to know about it.
final class ChangeStep {
  let changes: ChangeSet
  let old: Snapshot
  let new: Snapshot
  let instance: RealmInstance
  private let oldVersion: Version
  private let newVersion: Version
  /// Rows of a table behind whose links something changed, by table.
  @exclusivity(unchecked) private var reached: [(table: Int, rows: [RowKey])] = []

  init(_ instance: RealmInstance, _ changes: ChangeSet, from old: Version, to new: Version) {
    self.instance = instance
    self.changes = changes
    oldVersion = old
    newVersion = new
    self.old = old.snapshot
    self.new = new.snapshot
  }

  /// The version that the step leads to.
  var number: UInt64 { newVersion.number }

  /// A frozen realm of the version before.
  private(set) lazy var before = RealmInstance(store: instance.store, confinement: .frozen, version: oldVersion)

  /// The columns written in a row that stayed; empty when it was not written.
  func written(_ key: RowKey, in table: Int) -> ColumnSet {
    let modified = changes.tables[table].modified
    let index = modified.partitionIndex { $0.key < key }
    return index < modified.count && modified[index].key == key ? modified[index].columns : ColumnSet()
  }

  func isDeleted(_ key: RowKey, in table: Int) -> Bool {
    let deleted = changes.tables[table].deleted
    let index = deleted.partitionIndex { $0 < key }
    return index < deleted.count && deleted[index] == key
  }

  // MARK: Behind links

  /// The rows of a table from which links lead, in at most three steps, to a row that was written; ascending.
  ///
  /// Found from the written rows by climbing backlinks, each row once: the cost is what can be reported, times the links
  /// that lead there. `reach` tells which tables lie that far behind the table.
  func sortedRowsReaching(_ reach: LinkReach) -> [RowKey] {
    if let known = reached.first(where: { $0.table == reach.table }) { return known.rows }
    var places = VisitedPlaces()
    for table in reach.distances.indices where reach.distances[table] <= LinkReach.depth {
      for row in changes.tables[table].modified { places.insert(Place(table: table, key: row.key)) }
    }
    if places.count == 0 { return [] }
    var rows: [RowKey] = []
    rows.reserveCapacity(8)
    var start = 0
    var level = 0
    while level < LinkReach.depth, start < places.count {
      level += 1
      let end = places.count
      for index in start..<end {
        let place = places[index]
        let layout = new.layout.tables[place.table]
        for backlink in 0..<layout.backlinkCount where !layout.backlinks[backlink].isPosting {
          let origin = Int(layout.backlinks[backlink].originTable)
          guard reach.distances[origin] + level <= LinkReach.depth else { continue }
          new.forEachBacklink(backlink, of: place.key, in: TableID(place.table)) { key in
            if origin == reach.table { rows.append(key) }
            places.insert(Place(table: origin, key: key))
          }
        }
      }
      start = end
    }
    rows.sort()
    var kept = 0
    for index in rows.indices where index == 0 || rows[index] != rows[index - 1] {
      rows[kept] = rows[index]
      kept += 1
    }
    rows.removeSubrange(kept...)
    reached.append((reach.table, rows))
    return rows
  }

  /// Places in the order in which they were reached, each once. Few are compared, many are hashed.
  private struct VisitedPlaces {
    private var places: [Place] = []
    private var known: Set<Place> = []

    var count: Int { places.count }

    subscript(index: Int) -> Place { places[index] }

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

  private struct Place: Hashable {
    var table: Int
    var key: RowKey
  }
}

/// Which tables links lead to from a table, and in how many steps at least.
///
/// Objects at most three links away count as part of an element when the observer names no key paths.
struct LinkReach {
  static var depth: Int { 3 }

  let table: Int
  /// By table; more than the depth where no links lead.
  let distances: [Int]

  /// Nil when the table has no links.
  init?(from table: Int, _ layout: GraphLayout) {
    self.table = table
    var distances = Array(repeating: Self.depth + 1, count: layout.visibleCount)
    distances[table] = 0
    var pending = [table]
    var hasLinks = false
    while !pending.isEmpty {
      let next = pending.removeFirst()
      let distance = distances[next]
      if distance == Self.depth { continue }
      let tableLayout = layout.tables[next]
      func reach(_ target: Int) {
        hasLinks = true
        if distances[target] > Self.depth {
          distances[target] = distance + 1
          pending.append(target)
        }
      }
      for index in 0..<tableLayout.columnCount {
        let column = tableLayout.columns[index]
        if column.type == .link { reach(Int(column.target)) }
        // Mixed values lead anywhere.
        if column.type == .mixed { for target in 0..<layout.visibleCount { reach(target) } }
      }
    }
    if !hasLinks { return nil }
    self.distances = distances
  }
}

extension Snapshot {
  /// Calls `body` with every row that links to `key` through one column.
  func forEachBacklink(_ backlink: Int, of key: RowKey, in table: TableID, _ body: (RowKey) -> Void) {
    guard let postings = backlinks(backlink, of: key, in: table) else { return }
    BacklinkLeaf.forEach(postings.leaf, postings.slot) { body(RowKey($0)) }
  }
}

extension Array {
  /// The first index whose element does not precede, in an array where those that do come first.
  func partitionIndex(_ precedes: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if precedes(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
