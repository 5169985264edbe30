/// Rows told apart by columns.
package enum DistinctKeys {
  /// Keeps the first of the rows that are equal in all columns, and no row whose path leads through a null link.
  ///
  /// Null is one value, NaN another; mixed values are equal as they are in sorts.
  ///
  /// - Complexity: That of sorting the keys by the columns.
  package static func removeRepeats(
    from keys: inout [UInt64], by paths: [ColumnPath], table: TableID, contents: GraphContents
  ) {
    if keys.isEmpty || paths.isEmpty { return }
    let memory = QueryMemory()
    var words: [SortWord] = []
    var isKept = [Bool](repeating: true, count: keys.count)
    for path in paths {
      let route = memory.route(path, from: table, in: contents.layout)
      var column = SortColumn(route: route, table: table, contents: contents)
      column.read(keys)
      for place in column.missing { isKept[place] = false }
      words += column.makeWords()
    }
    // Equal rows come together, in the order that they had.
    var last: Int?
    for place in RadixSort.order(words) {
      let place = Int(place)
      if let last, words.allSatisfy({ $0.codes[last] == $0.codes[place] }) { isKept[place] = false }
      last = place
    }
    keys = zip(keys, isKept).compactMap { $1 ? $0 : nil }
  }
}
