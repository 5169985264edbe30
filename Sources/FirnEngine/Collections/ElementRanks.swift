/// How the elements of one collection compare, so that their positions can be put in order and freed of repeats.
///
/// The order is that of `ElementOrder`, null first. Elements that it does not tell apart are the same one, as the zeros
/// are, or an integer and a float of the same value in mixed values; so are two nested collections of a kind.
package struct ElementRanks {
  /// For each position, how many different elements come before the one there.
  private let ranks: [UInt64]
  private let rankCount: Int
  /// Whether the lowest rank is that of null.
  private let hasNull: Bool

  /// - Parameter root: The `ListTree` of the elements; it is not looked at any more afterwards.
  /// - Complexity: O(n log n).
  package init(_ root: UnsafeRawPointer?, type: ColumnType, shape: ListShape) {
    var elements: [UnsafeRawPointer?] = []
    var cursor = ListCursor(root, shape)
    elements.reserveCapacity(cursor.count)
    while let chunk = cursor.nextChunk() {
      for index in 0..<chunk.count {
        elements.append(chunk.isNull(index) ? nil : chunk.elements + index &* shape.width)
      }
    }
    if type == .mixed {
      // Decoded once, not at each comparison.
      self.init(elements.map { $0.map { Value(element: $0, type: .mixed) } ?? .null })
      return
    }
    self.init(count: elements.count, hasNull: elements.contains { $0 == nil }) { left, right in
      guard let left = elements[left], let right = elements[right] else {
        return (elements[left] == nil ? 0 : 1) - (elements[right] == nil ? 0 : 1)
      }
      return ElementOrder.order(left, right, type)
    }
  }

  /// - Complexity: O(n log n).
  package init(_ values: [Value]) {
    self.init(count: values.count, hasNull: values.contains(.null)) { values[$0].order(to: values[$1]) }
  }

  private init(count: Int, hasNull: Bool, _ order: (Int, Int) -> Int) {
    self.hasNull = hasNull
    let ascending = (0..<count).sorted { order($0, $1) < 0 }
    var ranks = [UInt64](repeating: 0, count: count)
    var rank: UInt64 = 0
    for (place, position) in ascending.enumerated() {
      if place > 0, order(ascending[place - 1], position) != 0 { rank += 1 }
      ranks[position] = rank
    }
    self.ranks = ranks
    rankCount = count == 0 ? 0 : Int(rank) + 1
  }

  /// Puts positions in the order of their elements; those of equal elements keep their order.
  ///
  /// - Parameter nullsLast: Whether nulls come last in both directions.
  package func sort(_ positions: inout [UInt64], ascending: Bool, nullsLast: Bool = false) {
    if positions.count < 2 { return }
    // Null has the rank 0: behind all others it has the number of the ranks.
    let top = nullsLast && hasNull && ascending ? UInt64(rankCount) : 0
    var word = SortWord(
      codes: positions.map { position in
        let rank = ranks[Int(position)]
        return rank == 0 ? top : rank
      }, bitCount: Int.bitWidth - rankCount.leadingZeroBitCount)
    if !ascending { word.reverse() }
    positions = RadixSort.order([word]).map { positions[Int($0)] }
  }

  /// Keeps the first of the positions of equal elements.
  package func removeRepeats(_ positions: inout [UInt64]) {
    var seen = [Bool](repeating: false, count: rankCount)
    positions.removeAll { position in
      let rank = Int(ranks[Int(position)])
      defer { seen[rank] = true }
      return seen[rank]
    }
  }
}
