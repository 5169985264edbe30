/// A row of an ordered index, with the beginning of its values as a number that has their order; see `OrderedCode`.
package struct OrderedEntry: Equatable, BitwiseCopyable, Sendable {
  package var code: UInt64
  package var row: UInt64

  package init(code: UInt64, row: UInt64) {
    self.code = code
    self.row = row
  }

  /// Whether the code is smaller, or the row where the codes agree.
  @inline(__always)
  func precedes(_ other: OrderedEntry) -> Bool { code == other.code ? row < other.row : code < other.code }
}

/// The rows of a table in the order of some of their values: a `ListTree` of entries, with the first entry of each child
/// in the branches above.
///
/// An element takes 13 bytes: the code, then the row key in 40 bits. Entries whose codes differ are in the order of the
/// codes; those whose codes agree are told apart by the values in their rows, which the tree does not know: whoever
/// searches says how an entry stands to what is looked for. A node with 76 entries takes 1 KB, so an index takes 13.5 to
/// 19 bytes per row; one that was built has 67 in each, in 896 bytes.
package enum OrderedTree {
  static var shape: ListShape { ListShape(width: 13, branchKind: Branch.orderedKind) }
  @inline(__always)
  static var width: Int { 13 }
  @inline(__always)
  static var elementsOffset: Int { 24 }

  /// The entry at an address in a leaf.
  @inline(__always)
  static func load(_ element: UnsafeRawPointer) -> OrderedEntry {
    let low = element.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    let high = element.load(fromByteOffset: 12, as: UInt8.self)
    return OrderedEntry(
      code: element.loadUnaligned(as: UInt64.self), row: UInt64(high) &<< 32 | UInt64(low))
  }

  @inline(__always)
  static func store(_ entry: OrderedEntry, at element: UnsafeMutableRawPointer) {
    element.storeBytes(of: entry.code, as: UInt64.self)
    element.storeBytes(of: UInt32(truncatingIfNeeded: entry.row), toByteOffset: 8, as: UInt32.self)
    element.storeBytes(of: UInt8(truncatingIfNeeded: entry.row &>> 32), toByteOffset: 12, as: UInt8.self)
  }

  /// The first entry below a node that has one.
  @inline(__always)
  static func firstEntry(_ node: UnsafeRawPointer) -> OrderedEntry {
    Branch.isBranch(node) ? Branch.entries(node)[0] : load(node + elementsOffset)
  }

  // MARK: Reading

  /// The number of rows, O(1).
  @inline(__always)
  package static func count(_ root: UnsafeRawPointer?) -> Int { ListTree.count(root) }

  /// The entry at a position below the count.
  package static func select(_ root: UnsafeRawPointer, _ position: Int) -> OrderedEntry {
    let (leaf, start) = Branch.leaf(of: root, holding: position)
    return load(leaf + elementsOffset + (position &- start) &* width)
  }

  /// How many entries come before what is looked for. `precedes` holds for a beginning of the entries.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  static func rank(_ root: UnsafeRawPointer?, _ precedes: (OrderedEntry) -> Bool) -> Int {
    guard var node = root else { return 0 }
    var rank = 0
    while Branch.isBranch(node) {
      // The last child whose first entry comes before; entries before its end may as well.
      let entries = Branch.entries(node)
      var low = 0
      var high = Branch.count(node)
      while low < high {
        let middle = (low &+ high) &>> 1
        if precedes(entries[middle]) { low = middle &+ 1 } else { high = middle }
      }
      if low == 0 { return rank }
      rank &+= Branch.weight(of: node, before: low &- 1)
      node = UnsafeRawPointer(Branch.children(node)[low &- 1])
    }
    var low = 0
    var high = Branch.count(node)
    while low < high {
      let middle = (low &+ high) &>> 1
      if precedes(load(node + elementsOffset + middle &* width)) { low = middle &+ 1 } else { high = middle }
    }
    return rank &+ low
  }

  /// Calls `body` with the entries at some positions, in order, until it returns false.
  @inline(__always)
  static func forEach(
    _ root: UnsafeRawPointer?, in positions: Range<Int>, while body: (OrderedEntry) -> Bool
  ) {
    if positions.isEmpty { return }
    var cursor = ListCursor(root, shape, from: positions.lowerBound)
    var left = positions.count
    while left > 0, let chunk = cursor.nextChunk() {
      let count = min(chunk.count, left)
      for index in 0..<count where !body(load(chunk.elements + index &* width)) { return }
      left &-= count
    }
  }

  // MARK: Changing, for the writer only

  /// A tree of entries in their order, with leaves that have room for a few more before they are split.
  static func build(count: Int, _ store: BlockStore, _ entry: (Int) -> OrderedEntry) -> Block? {
    if count == 0 { return nil }
    let elements = UnsafeMutableRawPointer.allocate(byteCount: Self.buildCount * width + 16, alignment: 16)
    defer { elements.deallocate() }
    var root: Block?
    var start = 0
    while start < count {
      let end = min(start + Self.buildCount, count)
      for index in start..<end { self.store(entry(index), at: elements + (index &- start) &* width) }
      root = ListTree.append(root, contentsOf: elements, count: end - start, builtShape, store)
      start = end
    }
    return root
  }

  /// A leaf just fits into 896 bytes.
  private static var builtShape: ListShape {
    ListShape(width: width, branchKind: Branch.orderedKind, leafMax: 67)
  }

  /// Entries that are packed at a time.
  private static var buildCount: Int { builtShape.leafMax * Branch.fanOut }

  static func retireAll(_ root: Block?, _ store: BlockStore) { ListTree.retireAll(root, shape, store) }
}
