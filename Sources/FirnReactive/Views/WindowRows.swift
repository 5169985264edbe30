import FirnEngine

/// The rows at a range of positions, maintained: all rows in the order that they come in.
///
/// Rows that nobody touched keep their order among each other. So those that cross a bound are neighbours in it, and as
/// many as the touched rows that crossed.
///
/// - Complexity: O(log n) for each row that was touched; memory 16 bytes for each row.
final class WindowRows {
  /// Nil when rows come by their keys.
  private let order: RowOrder?
  private let window: Range<Int>
  private let tree = CountedTree<OrderEntry>()

  init(_ window: Range<Int>, _ sort: [SortKey], table: TableID, schema: [TableDescription], sequence: ElementSequence?)
  {
    self.window = window
    order = sort.isEmpty ? nil : RowOrder(sort, table: table, schema: schema, sequence: sequence)
  }

  var count: Int { tree.count }

  /// Starts with other rows. Returns those in the window.
  func rebuild(_ keys: [RowKey], in contents: GraphContents) -> [RowKey] {
    let entries = order?.entries(for: keys, in: contents) ?? keys.sorted().map { OrderEntry(code: 0, key: $0.rawValue) }
    tree.rebuild(entries)
    return entries[window.clamped(to: 0..<entries.count)].map { RowKey($0.key) }
  }

  /// Whether a row that comes in lies in the window.
  func contains(_ key: RowKey, in contents: GraphContents) -> Bool { window.contains(rank(key, contents)) }

  /// Takes in what was touched and makes of it what that means for the rows in the window.
  func pass(_ touched: inout [TouchedRow], _ old: GraphContents, _ new: GraphContents) {
    let oldCount = tree.count
    let oldRanks = touched.map { $0.wasIn ? rank($0.key, old) : nil }
    for row in touched where row.wasIn { tree.remove(at: rank(row.key, old)) }
    for row in touched where row.isIn { tree.insert(entry(row.key, new), at: rank(row.key, new)) }
    let newRanks = touched.map { $0.isIn ? rank($0.key, new) : nil }
    let before = untouched(inWindowOf: oldCount, oldRanks.compactMap(\.self))
    let ranks = newRanks.compactMap(\.self).sorted()
    let after = untouched(inWindowOf: tree.count, ranks)
    for index in touched.indices {
      touched[index].wasIn = oldRanks[index].map(window.contains) ?? false
      touched[index].isIn = newRanks[index].map(window.contains) ?? false
    }
    touched.removeAll { !$0.wasIn && !$0.isIn }
    forEachUntouched(among: before, without: after, ranks) {
      touched.append(TouchedRow(key: $0, modified: -1, wasIn: true, isIn: false))
    }
    forEachUntouched(among: after, without: before, ranks) {
      touched.append(TouchedRow(key: $0, modified: -1, wasIn: false, isIn: true))
    }
    touched.sort { $0.key < $1.key }
  }

  /// Which rows that nobody touched lie in the window of so many rows, numbered among their like.
  private func untouched(inWindowOf count: Int, _ touchedRanks: [Int]) -> Range<Int> {
    let window = window.clamped(to: 0..<count)
    func below(_ bound: Int) -> Int { bound - touchedRanks.count { $0 < bound } }
    return below(window.lowerBound)..<below(window.upperBound)
  }

  /// - Parameter touchedRanks: Where the touched rows are now, ascending.
  private func forEachUntouched(
    among numbers: Range<Int>, without others: Range<Int>, _ touchedRanks: [Int], _ body: (RowKey) -> Void
  ) {
    let parts = [
      numbers.lowerBound..<max(numbers.lowerBound, min(numbers.upperBound, others.lowerBound)),
      max(numbers.lowerBound, min(numbers.upperBound, others.upperBound))..<numbers.upperBound,
    ]
    // Nothing is left out of a range by an empty one.
    for part in others.isEmpty ? [numbers] : parts where !part.isEmpty {
      var next = 0
      for number in part {
        while next < touchedRanks.count, touchedRanks[next] - next <= number { next += 1 }
        body(RowKey(tree.select(number + next).key))
      }
    }
  }

  private func entry(_ key: RowKey, _ contents: GraphContents) -> OrderEntry {
    order?.entry(for: key, in: contents) ?? OrderEntry(code: 0, key: key.rawValue)
  }

  private func rank(_ key: RowKey, _ contents: GraphContents) -> Int {
    guard let order else { return tree.rank { $0.key < key.rawValue } }
    var place = OrderPlace(order.entry(for: key, in: contents), order, contents)
    return tree.rank { place.isAfter($0) }
  }

  /// What gives some elements of the sequence other labels.
  func relabelling(_ elements: [ElementSequence.Element], in contents: GraphContents) -> (_ labels: [UInt64]) -> Void {
    tree.relabelling(elements) { rank($0, contents) }
  }

  func checkInvariants() { tree.checkInvariants { $0.code == $1.code && $0.key == $1.key } }
}
