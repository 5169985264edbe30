/// How the rows of a query on a table are found in their order. Made once per query; immutable, so that any thread may use
/// it on any contents of its graph.
package final class RowPlan: @unchecked Sendable {
  package let predicate: CompiledPredicate?
  private let table: TableID
  private let sort: [SortKey]
  /// The indexes whose order is that of the sort, once the condition has fixed what it fixes.
  private let ways: [Way]
  /// What the condition says about each ordered index; points into the memory of the predicate.
  private let accesses: [OrderedAccess]

  private struct Way {
    let access: OrderedAccess
    let isReversed: Bool
  }

  package init(_ predicate: CompiledPredicate?, sort: [SortKey], table: TableID, layout: GraphLayout) {
    self.predicate = predicate
    self.table = table
    self.sort = sort
    accesses = predicate?.ordered ?? layout.orderedAccesses(toAllOf: table)
    ways = accesses.compactMap { access in
      access.index.direction(of: sort, fixedCount: access.fixedCount).map {
        Way(access: access, isReversed: $0 == .descending)
      }
    }
  }

  /// The matching rows in the order of the sort, or a few more, when an index has them so; nil when sorting the matches is
  /// cheaper.
  ///
  /// - Complexity: O(log n).
  package func sortedRows(
    in contents: GraphContents, work: UnsafeMutablePointer<QueryWork>? = nil
  ) -> SortedRows? {
    if ways.isEmpty || predicate?.constantResult == false { return nil }
    let rowCount = contents.rowCount(table)
    var best: SortedRows?
    for way in ways where way.access.isUsable(in: contents, beside: rowCount) {
      let positions = way.access.positions(in: contents)
      work?.pointee.lookups += way.access.bounds.count
      let rows = SortedRows(
        way.access.index, positions, isReversed: way.isReversed, isComplete: way.access.isComplete, contents)
      if rows.isComplete { return rows }
      if best.map({ rows.count < $0.count }) ?? true { best = rows }
    }
    return best
  }

  /// The keys at some positions of the sorted matches; nil when an index does not give them at a lower price than
  /// sorting the matches.
  package func sortedKeys(
    in contents: GraphContents, _ positions: Range<Int>, work: UnsafeMutablePointer<QueryWork>? = nil
  ) -> [UInt64]? {
    guard let rows = sortedRows(in: contents, work: work) else { return nil }
    if rows.isComplete {
      let keys = rows.keys(in: positions)
      work?.pointee.foundRows += keys.count
      return keys
    }
    guard let predicate else { return nil }
    let budget = QueryWork.singleRowMax(beside: contents.rowCount(table))
    if positions.upperBound == .max, rows.count > budget { return nil }
    return rows.matches(of: predicate, limit: positions.upperBound, budget: budget, work).map {
      Array($0.dropFirst(positions.lowerBound))
    }
  }

  /// The keys of the first match with each tuple of values, when an index leads from one to the next: in the order of the
  /// sort, without one ascending. Nil when none does, or when there are too many tuples for that.
  ///
  /// - Complexity: O(tuples · log n).
  package func distinctKeys(
    in contents: GraphContents, by paths: [ColumnPath], work: UnsafeMutablePointer<QueryWork>? = nil
  ) -> [UInt64]? {
    let rowCount = contents.rowCount(table)
    for access in accesses where access.isComplete && access.isUsable(in: contents, beside: rowCount) {
      let index = access.index
      let fixed = Set(index.paths[..<access.fixedCount])
      guard Set(index.paths[access.fixedCount...]) == Set(paths).subtracting(fixed) else { continue }
      let way = ways.first { $0.access.index.number == index.number }
      if !sort.isEmpty, way == nil { continue }
      work?.pointee.lookups += access.bounds.count
      guard var keys = firstKeys(of: access, by: paths, contents, work) else { return nil }
      if sort.isEmpty { keys.sort() } else if way?.isReversed == true { keys.reverse() }
      return keys
    }
    return nil
  }

  /// The first row of each group of equals, without those behind a null link; nil when there are many groups.
  private func firstKeys(
    of access: OrderedAccess, by paths: [ColumnPath], _ contents: GraphContents,
    _ work: UnsafeMutablePointer<QueryWork>?
  ) -> [UInt64]? {
    let index = access.index
    let positions = access.positions(in: contents)
    guard let root = contents.root(of: index) else { return [] }
    let isWanted = index.paths.map { paths.contains($0) }
    var budget = max(16, positions.reduce(0) { $0 + $1.count } / 32)
    var keys: [UInt64] = []
    for range in positions {
      var place = range.lowerBound
      while place < range.upperBound {
        if budget == 0 { return nil }
        budget -= 1
        work?.pointee.lookups += 1
        let row = OrderedTree.select(root, place).row
        guard let location = contents.locate(RowKey(row), in: table) else { return nil }
        place = index.withValues(of: location, contents) { values in
          if !values.indices.contains(where: { isWanted[$0] && values[$0].rank == .missing }) { keys.append(row) }
          return OrderedProbe(values, index, contents).rank(root, .after)
        }
      }
    }
    return keys
  }

  /// The numbers of the indexes whose order is that of the sort, which a transaction has to settle before.
  package var readIndexes: [Int] { ways.map(\.access.index.number) }

  /// The name of the index that gives the order of the sort in one version; nil when the matches are sorted.
  package func sortingIndex(in contents: GraphContents) -> (name: String, isComplete: Bool, count: Int)? {
    guard let rows = sortedRows(in: contents) else { return nil }
    if !rows.isComplete, rows.count > QueryWork.singleRowMax(beside: contents.rowCount(table)) { return nil }
    return (rows.index.name, rows.isComplete, rows.count)
  }
}

/// Which way an index is read.
enum IndexDirection { case ascending, descending }

extension OrderedIndex {
  /// Which way it has to be read for its rows to be sorted, those with one value in the first paths; nil when it has another
  /// order.
  ///
  /// Behind those paths it has to have just those of the sort: rows that are equal in them are in the order of their keys
  /// then.
  func direction(of sort: [SortKey], fixedCount: Int) -> IndexDirection? {
    var place = fixedCount
    var direction: IndexDirection?
    for key in sort {
      if key.mapKey != nil { return nil }
      if place == pathCount || paths[place] != key.path {
        // Rows that are equal in a path are not sorted by it.
        if paths[..<place].contains(key.path) { continue }
        return nil
      }
      if key.nullsLast, resolved[place].column.isNullable || !resolved[place].isDirect { return nil }
      let wanted: IndexDirection = key.ascending ? .ascending : .descending
      if let direction, direction != wanted { return nil }
      direction = wanted
      place += 1
    }
    guard place == pathCount, !sort.isEmpty else { return nil }
    return direction ?? .ascending
  }
}
