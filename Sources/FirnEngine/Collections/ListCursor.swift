/// Neighbouring elements of a list in memory.
@frozen @usableFromInline
package struct ListChunk {
  @usableFromInline package let elements: UnsafeRawPointer
  @usableFromInline package let count: Int
  /// The position of the first one in the list.
  @usableFromInline package let start: Int
  /// Bit k is set when element k is null.
  @usableFromInline package let nulls: UInt128

  @inlinable @inline(__always)
  package init(elements: UnsafeRawPointer, count: Int, start: Int, nulls: UInt128) {
    self.elements = elements
    self.count = count
    self.start = start
    self.nulls = nulls
  }

  @inlinable @inline(__always)
  package func isNull(_ index: Int) -> Bool { nulls != 0 && nulls & (1 << UInt128(index)) != 0 }
}

/// Walks a `ListTree` chunk by chunk. Allocates nothing.
@frozen @usableFromInline
package struct ListCursor {
  @usableFromInline var walk: LeafWalk
  @usableFromInline let shape: ListShape

  @inlinable @inline(__always)
  package init(_ root: UnsafeRawPointer?, _ shape: ListShape, from start: Int = 0) {
    walk = LeafWalk(root, from: start)
    self.shape = shape
  }

  /// The number of elements in the whole list.
  @inlinable @inline(__always)
  package var count: Int { walk.count }

  /// The next elements, never none; nil at the end.
  @inlinable @inline(__always)
  package mutating func nextChunk() -> ListChunk? {
    let start = walk.position
    guard let (leaf, skipped) = walk.next() else { return nil }
    return ListChunk(
      elements: leaf + shape.elementsOffset + skipped &* shape.width, count: Branch.count(leaf) &- skipped,
      start: start, nulls: shape.isNullable ? ListTree.nulls(leaf, shape) >> UInt128(skipped) : 0)
  }
}
