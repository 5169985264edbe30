extension OrderedTree {
  /// A node of a tree and the position of its first entry: searches for what is known to lie below begin there.
  struct Part {
    var node: UnsafeRawPointer
    var start: Int
  }

  /// Where the entries of a part are whose codes are in a range. The part shrinks to the lowest node that holds them and
  /// the places where they would be.
  ///
  /// - Complexity: O(log n) below that node, O(1) for each above it.
  static func positions(of codes: ClosedRange<UInt64>, in part: inout Part) -> Range<Int> {
    while Branch.isBranch(part.node) {
      let entries = UnsafeRawPointer(Branch.entries(part.node))
      let stride = MemoryLayout<OrderedEntry>.stride
      let count = Branch.count(part.node)
      let lower = Self.count(of: entries, stride, count) { $0 < codes.lowerBound }
      let upper = Self.count(of: entries, stride, count) { $0 <= codes.upperBound }
      if upper == 0 { return part.start..<part.start }
      // The entries before the first child that begins in the range may reach into it.
      let first = max(0, lower &- 1)
      if upper &- first == 1 {
        part = child(first, of: part)
        continue
      }
      let last = child(upper &- 1, of: part)
      let end = last.start &+ rank(last.node) { $0.code <= codes.upperBound }
      if lower == 0 { return part.start..<end }
      let beginning = child(first, of: part)
      return (beginning.start &+ rank(beginning.node) { $0.code < codes.lowerBound })..<end
    }
    let entries = part.node + elementsOffset
    let count = Branch.count(part.node)
    return
      (part.start &+ Self.count(of: entries, width, count) { $0 < codes.lowerBound })..<(part.start
      &+ Self.count(of: entries, width, count) { $0 <= codes.upperBound })
  }

  @inline(__always)
  private static func child(_ index: Int, of part: Part) -> Part {
    Part(
      node: UnsafeRawPointer(Branch.children(part.node)[index]),
      start: part.start &+ Branch.weight(of: part.node, before: index))
  }

  /// How many of some entries have a code for which `precedes` holds; those come first.
  @inline(__always)
  private static func count(
    of entries: UnsafeRawPointer, _ stride: Int, _ count: Int, where precedes: (UInt64) -> Bool
  ) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if precedes((entries + middle &* stride).loadUnaligned(as: UInt64.self)) {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    return low
  }
}
