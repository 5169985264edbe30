/// Sorting of row keys by columns.
package enum SortedKeys {
  /// Sorts keys by columns of their rows, the first column first; rows that are equal in all of them keep their order.
  ///
  /// Null comes first, then NaN, then values in their order; rows whose path runs through a null link come last.
  /// Descending is the exact reverse of that. Keys of rows that do not exist sort like null links. A column that has nulls
  /// last puts null and null links behind everything in both directions, and takes them as equal.
  ///
  /// Every column becomes a number per row whose order is the order of the values, as narrow as the values allow;
  /// the numbers of neighbouring columns are packed into words, and the words sorted by radix.
  ///
  /// - Complexity: O(n) for columns of numbers and interned columns, O(n log n) for other strings, data and ids.
  package static func sort(
    keys: inout [UInt64], by sortKeys: [SortKey], table: TableID, contents: GraphContents
  ) {
    if keys.count < 2 || sortKeys.isEmpty { return }
    guard let order = order(keys, by: sortKeys, table: table, contents: contents) else { return }
    keys = order.map { keys[Int($0)] }
  }

  /// The positions of keys in the order of columns of their rows; see ``sort(keys:by:table:contents:)``. Nil when they are
  /// in that order.
  static func order(
    _ keys: [UInt64], by sortKeys: [SortKey], table: TableID, contents: GraphContents
  ) -> [UInt32]? {
    if keys.count > Int(UInt32.max) { fatalError("More than 2^32 rows to sort.") }
    let memory = QueryMemory()
    var words: [SortWord] = []
    for sortKey in sortKeys {
      let route = memory.route(sortKey.path, from: table, in: contents.layout)
      var column = SortColumn(route: route, table: table, contents: contents)
      column.read(keys, mapKey: sortKey.mapKey)
      if sortKey.nullsLast { column.moveNullsLast(ascending: sortKey.ascending) }
      for var word in column.makeWords() {
        if sortKey.ascending == false { word.reverse() }
        if word.bitCount == 0 { continue }
        if let last = words.last, last.bitCount + word.bitCount <= 64 {
          words[words.count - 1].append(word)
        } else {
          words.append(word)
        }
      }
    }
    return words.isEmpty ? nil : RadixSort.order(words)
  }
}

/// A number per row, smaller than 2^bitCount.
struct SortWord {
  var codes: [UInt64]
  var bitCount: Int

  mutating func reverse() {
    let highest = bitCount == 0 ? 0 : UInt64.max >> UInt64(64 - bitCount)
    codes.withUnsafeMutableBufferPointer { codes in
      for index in codes.indices { codes[index] = highest &- codes[index] }
    }
  }

  /// Adds a less significant number.
  mutating func append(_ other: SortWord) {
    let shift = UInt64(other.bitCount)
    codes.withUnsafeMutableBufferPointer { codes in
      other.codes.withUnsafeBufferPointer { other in
        for index in codes.indices { codes[index] = codes[index] &<< shift | other[index] }
      }
    }
    bitCount += other.bitCount
  }
}
