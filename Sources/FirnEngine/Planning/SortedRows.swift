/// Rows of an ordered index in the order of a query: those of some ranges, as the index has them or the other way round.
///
/// The other way round, rows that are equal in all values keep their order, as in a sort.
package struct SortedRows {
  let index: OrderedIndex
  /// Where the rows are in the index: ascending, with gaps between them.
  let positions: [Range<Int>]
  let isReversed: Bool
  /// Whether every row matches.
  package let isComplete: Bool
  let contents: GraphContents
  package let count: Int

  init(
    _ index: OrderedIndex, _ positions: [Range<Int>], isReversed: Bool, isComplete: Bool, _ contents: GraphContents
  ) {
    self.index = index
    self.positions = positions
    self.isReversed = isReversed
    self.isComplete = isComplete
    self.contents = contents
    count = positions.reduce(0) { $0 + $1.count }
  }

  private var root: UnsafeRawPointer? { contents.root(of: index) }

  /// The row at a position among these rows, which must exist.
  ///
  /// - Complexity: O(log n).
  package func key(at position: Int) -> RowKey {
    guard let root else { fatalError("An index without rows is read.") }
    if !isReversed { return RowKey(OrderedTree.select(root, place(of: position).place).row) }
    // The rows that equal it keep their order among themselves.
    let (place, range) = place(of: count - 1 - position)
    let equals = equals(of: OrderedTree.select(root, place), in: range)
    let behind = equals.upperBound - 1 - place
    let first = position - behind
    return RowKey(OrderedTree.select(root, equals.lowerBound + position - first).row)
  }

  /// Where a row among these is in the index, counted in the index's order, and in which range.
  private func place(of position: Int) -> (place: Int, range: Range<Int>) {
    var left = position
    for range in positions {
      if left < range.count { return (range.lowerBound + left, range) }
      left -= range.count
    }
    fatalError("A row beyond the last one is read.")
  }

  /// Where the rows are that equal one in all values. They do not leave a range, which ends between values.
  private func equals(of entry: OrderedEntry, in range: Range<Int>) -> Range<Int> {
    guard let location = contents.locate(RowKey(entry.row), in: index.table) else { return range }
    return index.withValues(of: location, contents) { values in
      let probe = OrderedProbe(values, index, contents)
      return probe.rank(root, .before)..<probe.rank(root, .after)
    }
  }

  /// The keys at some positions among these rows, in order.
  package func keys(in wanted: Range<Int>) -> [UInt64] {
    var keys: [UInt64] = []
    let wanted = wanted.clamped(to: 0..<count)
    keys.reserveCapacity(wanted.count)
    forEach(from: wanted.lowerBound) { key in
      if keys.count == wanted.count { return false }
      keys.append(key)
      return true
    }
    return keys
  }

  /// The first keys that match, in order.
  ///
  /// - Parameter budget: How many rows may be tested.
  /// - Returns: Nil when they were not enough.
  func matches(
    of predicate: CompiledPredicate, limit: Int, budget: Int, _ work: UnsafeMutablePointer<QueryWork>?
  ) -> [UInt64]? {
    var found: [UInt64] = []
    var tested = 0
    var isEnough = true
    forEach(from: 0) { key in
      if found.count == limit { return false }
      if tested == budget {
        isEnough = false
        return false
      }
      tested += 1
      if predicate.matches(RowKey(key), in: contents) { found.append(key) }
      return true
    }
    work?.pointee.testedRows += tested
    return isEnough ? found : nil
  }

  /// Calls `body` with the keys from a position on until it returns false.
  func forEach(from start: Int, while body: (UInt64) -> Bool) {
    if isReversed { return forEachReversed(from: start, while: body) }
    var skipped = start
    var goesOn = true
    for range in positions where goesOn {
      if skipped >= range.count {
        skipped -= range.count
        continue
      }
      OrderedTree.forEach(root, in: range.lowerBound + skipped..<range.upperBound) { entry in
        goesOn = body(entry.row)
        return goesOn
      }
      skipped = 0
    }
  }

  private func forEachReversed(from start: Int, while body: (UInt64) -> Bool) {
    var skipped = start
    for range in positions.reversed() {
      if skipped >= range.count {
        skipped -= range.count
        continue
      }
      var end = range.upperBound
      if skipped > 0, let root {
        // The rows that are skipped may end among rows that are equal.
        let equals = equals(of: OrderedTree.select(root, range.upperBound - 1 - skipped), in: range)
        skipped -= range.upperBound - equals.upperBound
        end = equals.upperBound
      }
      while end > range.lowerBound {
        let block = EqualRows(of: self, before: end, in: range.lowerBound)
        for group in block.groups.reversed() {
          let emitted = group.dropFirst(skipped)
          skipped -= min(skipped, group.count)
          var goesOn = true
          block.forEach(emitted, root) { key in
            goesOn = body(key)
            return goesOn
          }
          if !goesOn { return }
        }
        end = block.start
      }
    }
  }

  /// A few neighbouring rows of the index, with the first of each group of equals.
  private struct EqualRows {
    private let entries: [OrderedEntry]
    /// Where the entries lie in the index.
    private let entriesStart: Int
    /// The position of the first row: that of a group, which may begin before the entries.
    let start: Int
    /// Where the groups are in the index, ascending.
    var groups: [Range<Int>] = []

    init(of rows: SortedRows, before end: Int, in lowest: Int) {
      entriesStart = max(lowest, end - 128)
      var entries: [OrderedEntry] = []
      OrderedTree.forEach(rows.root, in: entriesStart..<end) { entry in
        entries.append(entry)
        return true
      }
      self.entries = entries
      start = entriesStart == lowest ? lowest : rows.equals(of: entries[0], in: lowest..<end).lowerBound
      var groupStart = start
      for place in 1..<max(1, entries.count) where !rows.areEqual(entries[place - 1], entries[place]) {
        groups.append(groupStart..<entriesStart + place)
        groupStart = entriesStart + place
      }
      groups.append(groupStart..<end)
    }

    func forEach(_ group: Range<Int>.SubSequence, _ root: UnsafeRawPointer?, while body: (UInt64) -> Bool) {
      if group.startIndex < entriesStart {
        return OrderedTree.forEach(root, in: group.startIndex..<group.endIndex) { body($0.row) }
      }
      for place in group where !body(entries[place - entriesStart].row) { return }
    }
  }

  /// Whether two rows agree in all values.
  private func areEqual(_ a: OrderedEntry, _ b: OrderedEntry) -> Bool {
    guard a.code == b.code, let location = contents.locate(RowKey(a.row), in: index.table) else { return false }
    return index.withValues(of: location, contents) { OrderedProbe($0, index, contents).order(of: b) == 0 }
  }
}
