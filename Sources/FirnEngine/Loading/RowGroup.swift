/// Consecutive rows of an exported table.
///
/// Sendable, and `chunk` may be called by several threads at once: it only reads a held version.
package struct RowGroup: Sendable {
  /// The keys of the rows, ascending.
  package let keys: [UInt64]

  let list: ClusterList
  let layout: TableLayout
  private let dictionaries: [DictionaryIDs?]
  let contents: GraphContents

  init(clusters: ClusterList, layout: TableLayout, dictionaries: [DictionaryIDs?], contents: GraphContents) {
    list = clusters
    self.layout = layout
    self.dictionaries = dictionaries
    self.contents = contents
    keys = clusters.keys
  }

  /// The values of a column in the rows of the group.
  ///
  /// - Complexity: O(values), leaf by leaf without looking at single values where no row of a leaf is missing.
  package func chunk(_ column: ColumnID) -> ColumnChunk {
    let description = layout.columns[column.index]
    let offset = Int(description.offset)
    let count = list.rowCount
    let nulls = description.nullOffset == 0 ? nil : list.bits(at: Int(description.nullOffset)).nilIfZero
    switch description.storage {
    case .bits:
      var bits = list.bits(at: offset)
      if let nulls { for word in bits.indices { bits[word] &= ~nulls[word] } }
      return ColumnChunk(rowCount: count, nulls: nulls, values: .bits(bits))
    case .int, .link:
      var values = list.ints(at: offset)
      nulls?.forEachBit { values[$0] = 0 }
      return ColumnChunk(rowCount: count, nulls: nulls, values: .ints(values))
    case .interned:
      return ColumnChunk(rowCount: count, values: .dictionary(ids(column.index, at: offset)))
    case .fixed:
      let width = Int(description.elementSize)
      var values = list.fixed(at: offset, width: width)
      nulls?.forEachBit { row in
        for byte in (row * width)..<((row + 1) * width) { values[byte] = 0 }
      }
      return ColumnChunk(rowCount: count, nulls: nulls, values: .fixed(width: width, values))
    case .bytes:
      return ColumnChunk(rowCount: count, nulls: nulls, values: .bytes(list.bytes(at: offset, nulls: nulls)))
    case .list, .set:
      return ColumnChunk(rowCount: count, values: lists(column.index, at: offset))
    case .map:
      return ColumnChunk(rowCount: count, values: maps(column.index, at: offset))
    }
  }

  private func ids(_ column: Int, at offset: Int) -> [UInt32] {
    guard let dictionary = dictionaries[column] else { fatalError("An interned column has no dictionary.") }
    let entries = list.ints(at: offset)
    return Array(unsafeUninitializedCapacity: entries.count) { ids, count in
      entries.withUnsafeBufferPointer { dictionary.translate($0, into: ids.baseAddress.unsafelyUnwrapped) }
      count = entries.count
    }
  }
}

extension [UInt64] {
  /// The words, or nil when no bit is set.
  var nilIfZero: [UInt64]? { contains { $0 != 0 } ? self : nil }

  /// Calls `body` with the position of every set bit.
  @inline(__always)
  func forEachBit(_ body: (Int) -> Void) {
    for word in indices {
      var bits = self[word]
      while bits != 0 {
        body(word &* 64 &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }
}
