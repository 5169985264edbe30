import FirnEngine

/// The first of the rows that are equal in some values, maintained: all rows in the order of these values, then in the
/// order that they come in, so that equal ones lie together. A row behind a null link is left out.
///
/// - Complexity: O(log n) for each row that was touched; memory 16 bytes for each row.
final class DistinctRows {
  private let order: RowOrder
  /// So many terms of the order tell groups apart.
  private let groupTerms: Int
  private let tree = CountedTree<OrderEntry>()

  /// - Parameter sort: The order of the rows.
  init(
    _ paths: [ColumnPath], _ sort: [SortKey], table: TableID, schema: [TableDescription], sequence: ElementSequence?
  ) {
    groupTerms = paths.count
    order = RowOrder(paths.map { SortKey($0) } + sort, table: table, schema: schema, sequence: sequence)
  }

  var count: Int { tree.count }

  /// Starts with other rows. Returns the first of each group.
  func rebuild(_ keys: [RowKey], in contents: GraphContents) -> [RowKey] {
    let entries = order.entries(for: keys.filter { !isMissing($0, contents) }, in: contents)
    tree.rebuild(entries)
    var firsts: [RowKey] = []
    var last: OrderEntry?
    for entry in entries {
      var place = OrderPlace(entry, order, contents)
      if last.map({ place.isAfterGroup($0, firstTerms: groupTerms) }) ?? true { firsts.append(RowKey(entry.key)) }
      last = entry
    }
    return firsts
  }

  /// Whether a row comes first in its group.
  func isFirst(_ key: RowKey, in contents: GraphContents) -> Bool {
    !isMissing(key, contents) && first(like: key, in: contents) == key
  }

  /// Takes in what was touched and makes of it what that means for the first rows: those that were or are first.
  func pass(_ touched: inout [TouchedRow], _ old: GraphContents, _ new: GraphContents) {
    for index in touched.indices {
      let key = touched[index].key
      touched[index].wasIn = touched[index].wasIn && !isMissing(key, old)
      touched[index].isIn = touched[index].isIn && !isMissing(key, new)
    }
    touched.removeAll { !$0.wasIn && !$0.isIn }
    let known = Set(touched.map(\.key))
    // Rows that nobody touched, and whether they were first.
    var others: [RowKey: Bool] = [:]
    var firsts: Set<RowKey> = []
    for row in touched where row.wasIn {
      if let first = first(like: row.key, in: old) { firsts.insert(first) }
    }
    for row in touched where row.wasIn { tree.remove(at: rank(row.key, old)) }
    // What is left now has the same place in both versions.
    for row in touched where row.wasIn {
      if let next = first(like: row.key, in: old) { others[next] = firsts.contains(next) }
    }
    for row in touched where row.isIn {
      if let next = first(like: row.key, in: new), others[next] == nil { others[next] = true }
    }
    for row in touched where row.isIn { tree.insert(order.entry(for: row.key, in: new), at: rank(row.key, new)) }
    for index in touched.indices {
      touched[index].wasIn = touched[index].wasIn && firsts.contains(touched[index].key)
      touched[index].isIn = touched[index].isIn && first(like: touched[index].key, in: new) == touched[index].key
    }
    touched.removeAll { !$0.wasIn && !$0.isIn }
    for (key, wasIn) in others where !known.contains(key) {
      let isIn = first(like: key, in: new) == key
      if wasIn != isIn { touched.append(TouchedRow(key: key, modified: -1, wasIn: wasIn, isIn: isIn)) }
    }
    touched.sort { $0.key < $1.key }
  }

  private func isMissing(_ key: RowKey, _ contents: GraphContents) -> Bool {
    order.isMissing(key, firstTerms: groupTerms, in: contents)
  }

  private func rank(_ key: RowKey, _ contents: GraphContents) -> Int {
    var place = OrderPlace(order.entry(for: key, in: contents), order, contents)
    return tree.rank { place.isAfter($0) }
  }

  /// The first of the rows that equal a row, which need not be among them; nil when there is none.
  private func first(like key: RowKey, in contents: GraphContents) -> RowKey? {
    let entry = order.entry(for: key, in: contents)
    var place = OrderPlace(entry, order, contents)
    let start = tree.rank { place.isAfterGroup($0, firstTerms: groupTerms) }
    if start == tree.count { return nil }
    let found = tree.select(start)
    var other = OrderPlace(found, order, contents)
    return other.isAfterGroup(entry, firstTerms: groupTerms) ? nil : RowKey(found.key)
  }

  /// What gives some elements of the sequence other labels.
  func relabelling(_ elements: [ElementSequence.Element], in contents: GraphContents) -> (_ labels: [UInt64]) -> Void {
    tree.relabelling(elements) { rank($0, contents) }
  }

  func checkInvariants() { tree.checkInvariants { $0.code == $1.code && $0.key == $1.key } }
}
