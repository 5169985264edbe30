internal import FirnEngine
internal import FirnReactive

/// What is known of a query's matches in one version, or in one state of a write transaction.
struct Evaluation {
  /// The number of the version, or of the version being written; 0: none.
  private var version: UInt64 = 0
  /// How much of the transaction's log of touched rows is in; nil outside of one.
  private var position: Int?
  private var linkedPositions: [Int?] = []
  private var ownerPosition: Int?
  private var knownCount: Int?
  /// The keys of the matching rows: ascending, or in the order of the list.
  private(set) var matches: [UInt64]?
  /// The same in the order of the sort, and without what the steps take out.
  private var sorted: [UInt64]?
  /// What asking indexes for single rows cost: reads, look-ups and tests of rows.
  private var readCost = 0
  /// What evaluating cost so far, counted for tests.
  private(set) var work = QueryWork()

  func isCurrent(_ number: UInt64) -> Bool { version == number && position == nil }

  private mutating func forget() {
    knownCount = nil
    matches = nil
    sorted = nil
    readCost = 0
  }

  mutating func reset(to number: UInt64) {
    if isCurrent(number) { return }
    forget()
    version = number
    position = nil
  }

  // MARK: Inside a transaction

  /// Takes in what the transaction wrote since the last look.
  mutating func follow(_ writer: Writer, _ core: ResultsCore) {
    if version != writer.version || position == nil {
      forget()
      version = writer.version
      position = nil
      linkedPositions = Array(repeating: nil, count: core.linkedTables.count)
      ownerPosition = nil
    }
    var isPatchable = true
    if let owner = core.source.owner?.table.table, owner != core.table.table, !core.linkedTables.contains(owner) {
      let touches = writer.touches(in: owner, since: ownerPosition)
      ownerPosition = touches.position
      if touches.rows?.isEmpty != true { isPatchable = false }
    }
    var written: [TableID: ArraySlice<RowKey>] = [:]
    for (index, linked) in core.linkedTables.enumerated() where linked != core.table.table {
      let touches = writer.touches(in: linked, since: linkedPositions[index])
      linkedPositions[index] = touches.position
      if touches.rows == nil { isPatchable = false }
      if let rows = touches.rows, !rows.isEmpty { written[linked] = rows }
    }
    let touches = writer.touches(in: core.table.table, since: position)
    let wasFollowing = position != nil
    position = touches.position
    guard isPatchable, wasFollowing, let rows = touches.rows else { return forget() }
    if rows.isEmpty, written.isEmpty { return }
    if core.source.owner != nil { return forget() }
    if core.linkedTables.contains(core.table.table) { written[core.table.table] = rows }
    if written.isEmpty {
      return patch(rows, core.compiled?.readsBacklinks == true ? writer.settledContents : writer.contents, core)
    }
    guard let reached = rowsReaching(written, writer.settledContents, core) else { return forget() }
    patch(rows + reached, writer.settledContents, core)
  }

  /// The rows from which the condition's links lead to rows that were written; nil when these are many.
  private mutating func rowsReaching(
    _ written: [TableID: ArraySlice<RowKey>], _ contents: GraphContents, _ core: ResultsCore
  ) -> Set<RowKey>? {
    var reached: Set<RowKey> = []
    for steps in core.linkPaths {
      for case .backlinks(let origin, _) in steps where written[origin] != nil {
        // It is not known which rows were linked to before.
        return nil
      }
      var rows = PathStep.tables(along: steps, from: core.tableIndex, contents.layout).map { table in
        written[TableID(table)].map { Set($0) } ?? []
      }
      // What was written in the rows themselves is known.
      rows[0] = []
      guard
        let found = contents.rowsReaching(
          along: steps, from: core.tableIndex, rows, following: 1024, counting: &work.climbedLinks)
      else { return nil }
      reached.formUnion(found)
    }
    return reached
  }

  private mutating func patch(_ rows: ArraySlice<RowKey>, _ contents: GraphContents, _ core: ResultsCore) {
    sorted = nil
    guard var keys = matches, rows.count < 64 || rows.count < keys.count / 2 else { return forget() }
    matches = nil
    knownCount = nil
    var touched = rows.map(\.rawValue)
    if touched.count > 1 {
      touched.sort()
      touched.removeRepeats()
    }
    if touched.count <= 8 {
      for key in touched {
        let place = keys.place(of: key)
        let wasThere = place < keys.count && keys[place] == key
        let isThere = matches(core, key, contents)
        if isThere, !wasThere { keys.insert(key, at: place) }
        if !isThere, wasThere { keys.remove(at: place) }
      }
      matches = keys
      return
    }
    var merged: [UInt64] = []
    merged.reserveCapacity(keys.count + touched.count)
    var next = 0
    for key in touched {
      while next < keys.count, keys[next] < key {
        merged.append(keys[next])
        next += 1
      }
      if next < keys.count, keys[next] == key { next += 1 }
      if matches(core, key, contents) { merged.append(key) }
    }
    merged += keys[next...]
    matches = merged
  }

  // MARK: Evaluating

  mutating func count(_ core: ResultsCore, _ contents: GraphContents) -> Int {
    if let window = core.onlyWindow, core.matchLimit == nil, sorted == nil, position == nil {
      return window.clamped(to: 0..<countMatches(core, contents)).count
    }
    if !core.steps.isEmpty { return ordered(core, contents).count }
    return countMatches(core, contents)
  }

  private mutating func countMatches(_ core: ResultsCore, _ contents: GraphContents) -> Int {
    if let matches { return matches.count }
    if let knownCount { return knownCount }
    if core.compiled == nil, case .table = core.source { return contents.rowCount(core.table.table) }
    guard case .table = core.source, let compiled = core.compiled, position == nil else {
      // Inside a transaction the keys are needed to take in the next change.
      return match(core, contents).count
    }
    let count = compiled.count(in: contents, work: &work)
    knownCount = count
    return count
  }

  /// The keys in the order of the results.
  mutating func ordered(_ core: ResultsCore, _ contents: GraphContents) -> [UInt64] {
    if core.sort.isEmpty, core.steps.isEmpty { return match(core, contents) }
    if let sorted { return sorted }
    let keys: [UInt64]
    if let planned = plannedKeys(core, contents) {
      keys = planned
    } else {
      var matches = firstMatches(core, contents) ?? match(core, contents)
      core.arrange(&matches, in: contents)
      keys = matches
    }
    sorted = keys
    return keys
  }

  // MARK: Ordered indexes

  /// The keys in the order of the results, when an index has them so.
  private mutating func plannedKeys(_ core: ResultsCore, _ contents: GraphContents) -> [UInt64]? {
    guard matches == nil, let plan = core.plan else { return nil }
    var steps = core.steps[...]
    var planned: [UInt64]?
    switch steps.first {
    case .rows(.distinct(let paths)):
      planned = plan.distinctKeys(in: contents, by: paths, work: &work)
      if planned != nil { steps.removeFirst() }
    case .rows(.window(let window)):
      planned = plan.sortedKeys(in: contents, window, work: &work)
      if planned != nil { steps.removeFirst() }
    default: break
    }
    guard var keys = planned ?? plan.sortedKeys(in: contents, 0..<Int.max, work: &work) else { return nil }
    core.apply(steps, to: &keys, in: contents)
    return keys
  }

  /// The rows of an index that has just the matches in the order of the results, and which of them are the results. Nil
  /// when so many have been read that an array is cheaper.
  private mutating func indexedRows(
    _ core: ResultsCore, _ contents: GraphContents
  ) -> (rows: SortedRows, positions: Range<Int>)? {
    let before = work.lookups
    guard sorted == nil, matches == nil, core.steps.isEmpty || core.onlyWindow != nil,
      let rows = core.indexedRows(in: contents) ?? core.plan?.sortedRows(in: contents, work: &work), rows.isComplete
    else { return nil }
    let positions = (core.onlyWindow ?? 0..<rows.count).clamped(to: 0..<rows.count)
    if readCost >= max(16, positions.count / 256) { return nil }
    readCost += max(1, work.lookups - before)
    return (rows, positions)
  }

  /// The row at a position in the order of the results; nil beyond the end.
  mutating func key(at position: Int, _ core: ResultsCore, _ contents: GraphContents) -> RowKey? {
    if let (rows, positions) = indexedRows(core, contents) {
      return position < positions.count ? rows.key(at: positions.lowerBound + position) : nil
    }
    if position == 0, sorted == nil, matches == nil, core.steps.isEmpty, readCost < 256 {
      let before = work.testedRows
      let first = core.plan?.sortedKeys(in: contents, 0..<1, work: &work)
      readCost += max(1, work.testedRows - before)
      if let first { return first.first.map { RowKey($0) } }
    }
    let keys = ordered(core, contents)
    return position < keys.count ? RowKey(keys[position]) : nil
  }

  /// The last row in the order of the results.
  mutating func lastKey(_ core: ResultsCore, _ contents: GraphContents) -> RowKey? {
    if let (rows, positions) = indexedRows(core, contents) {
      return positions.isEmpty ? nil : rows.key(at: positions.upperBound - 1)
    }
    return ordered(core, contents).last.map { RowKey($0) }
  }

  /// As many matches as the steps ask for; nil when all are needed, or known, or have to be kept up to date.
  private mutating func firstMatches(_ core: ResultsCore, _ contents: GraphContents) -> [UInt64]? {
    guard let limit = core.matchLimit, matches == nil, position == nil else { return nil }
    if let compiled = core.compiled { return compiled.keys(in: contents, limit: limit, work: &work) }
    let count = min(limit, contents.rowCount(core.table.table))
    return (0..<count).compactMap { contents.key(at: $0, in: core.table.table)?.rawValue }
  }

  private mutating func matches(_ core: ResultsCore, _ key: UInt64, _ contents: GraphContents) -> Bool {
    work.testedRows += 1
    return core.compiled?.matches(RowKey(key), in: contents) ?? contents.contains(RowKey(key), in: core.table.table)
  }

  /// The matching rows, ascending or in the order of the list.
  mutating func match(_ core: ResultsCore, _ contents: GraphContents) -> [UInt64] {
    if let matches { return matches }
    var keys: [UInt64] = []
    switch core.source {
    case .table:
      if let compiled = core.compiled {
        keys = compiled.keys(in: contents, work: &work)
      } else {
        keys.reserveCapacity(contents.rowCount(core.table.table))
        contents.forEachKey(in: core.table.table) { keys.append($0.rawValue) }
      }
    case .list(let owner, let row, let column) where core.isOfValues:
      keys = Array(0..<UInt64(contents.listCount(column, of: row, in: owner.table)))
    case .list(let owner, let row, let column):
      for index in 0..<contents.listCount(column, of: row, in: owner.table) {
        guard case .link(let key) = contents.listValue(at: index, of: column, of: row, in: owner.table) else {
          if core.showsNulls { keys.append(ResultsCore.nullKey) }
          continue
        }
        if core.compiled == nil || matches(core, key.rawValue, contents) { keys.append(key.rawValue) }
      }
    case .backlinks(let owner, let row, let column):
      let place = BacklinkPlace(origin: core.table.table, column: column, target: owner.table, row: row)
      guard let postings = place.postings(contents) else { break }
      keys.reserveCapacity(core.compiled == nil ? postings.count : 0)
      var sources = KeyIterator(BacklinkLeaf.sources(postings.leaf, postings.slot))
      while let key = sources.next() {
        if core.compiled == nil || matches(core, key, contents) { keys.append(key) }
      }
    }
    matches = keys
    return keys
  }
}

/// An evaluation by reference.
class EvaluationBox {
  @exclusivity(unchecked) final var evaluation = Evaluation()
}

/// The same where the realm is at home.
final class HomeEvaluation: EvaluationBox {
  /// The view of the query, when it is observed.
  @exclusivity(unchecked) weak var maintained: QueryView?
}

extension [UInt64] {
  /// The first position whose key is not smaller; the keys ascend.
  func place(of key: UInt64) -> Int {
    if let last, last < key { return count }
    return partitionIndex { $0 < key }
  }
}
